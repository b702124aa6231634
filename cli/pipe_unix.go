//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// pipePoll is how often an idle stream looks whether it is still read.
const pipePoll = time.Second

// untilClosed returns a context that also ends when w is a pipe that nobody
// reads any more: on a quiet cluster the next write that would notice may be
// minutes away.
func untilClosed(ctx context.Context, w io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	f, ok := w.(*os.File)
	if !ok {
		return ctx, cancel
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return ctx, cancel
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTicker(pipePoll)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			fds := []unix.PollFd{{Fd: int32(f.Fd())}}
			if n, err := unix.Poll(fds, 0); err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				cancel()
				return
			}
		}
	})
	return ctx, func() { cancel(); wg.Wait() }
}
