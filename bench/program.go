package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// program times the built program as a person starts it: in a terminal, on the
// sandbox.
func program(bin string) error {
	var starts []float64
	for range 5 {
		p, err := open(bin, "--sandbox")
		if err != nil {
			return err
		}
		d, err := p.until("DeltaFIFO", 10*time.Second)
		p.quit()
		if err != nil {
			return err
		}
		starts = append(starts, float64(d.Microseconds())/1000)
	}
	slices.Sort(starts)
	fmt.Printf("start to first painted frame, --sandbox: median %.0f ms, slowest %.0f ms of %d  (aim at most 300)\n", starts[len(starts)/2], starts[len(starts)-1], len(starts))

	for _, args := range [][]string{{"--sandbox", "--churn", "0", "--pace", "realtime"}, {"--sandbox"}} {
		p, err := open(bin, args...)
		if err != nil {
			return err
		}
		if _, err := p.until("DeltaFIFO", 10*time.Second); err != nil {
			return err
		}
		time.Sleep(20 * time.Second) // let the first sync drain
		before := p.cpu()
		const window = 10 * time.Second
		time.Sleep(window)
		used := p.cpu() - before
		p.quit()
		fmt.Printf("CPU over %v, %v: %.1f %% of a core (idle aim at most 3)\n", window, args, 100*used.Seconds()/window.Seconds())
	}
	return nil
}

// terminal is the program in a pseudo-terminal of 120x40.
type terminal struct {
	cmd   *exec.Cmd
	pty   *os.File
	start time.Time
	out   chan []byte
}

func open(bin string, args ...string) (*terminal, error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120}); err != nil {
		return nil, err
	}
	tty, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer tty.Close()
	p := &terminal{cmd: exec.Command(bin, args...), pty: os.NewFile(uintptr(fd), "ptmx"), out: make(chan []byte, 64)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	p.cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.start = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.out)
		for {
			b := make([]byte, 64<<10)
			n, err := p.pty.Read(b)
			if err != nil {
				return
			}
			select {
			case p.out <- b[:n]:
			default: // nobody reads any more
			}
		}
	}()
	return p, nil
}

// until waits for a text on the screen and says how long after the start it
// came.
func (p *terminal) until(text string, limit time.Duration) (time.Duration, error) {
	var all []byte
	for timeout := time.After(limit); ; {
		select {
		case b, ok := <-p.out:
			if !ok {
				return 0, fmt.Errorf("the program ended: %s", all)
			}
			if all = append(all, b...); bytes.Contains(all, []byte(text)) {
				return time.Since(p.start), nil
			}
		case <-timeout:
			return 0, fmt.Errorf("no %q on the screen within %v: %q", text, limit, all)
		}
	}
}

// cpu is the time that the program has used so far.
func (p *terminal) cpu() time.Duration {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/stat")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * (time.Second / 100) // USER_HZ
}

func (p *terminal) quit() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.cmd.Wait()
	p.pty.Close()
}
