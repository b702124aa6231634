package recording

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"informerscope/engine/journal"
)

// childEnv makes the test binary a process that records to the file it names.
const childEnv = "INFORMERSCOPE_RECORDING_CHILD"

// child records a busy journal until it is killed, and tells the newest event
// about ten times a second.
func child(path string) {
	s := newSource(journal.Options{})
	if _, err := Record(context.Background(), Options{Path: path, Source: s}); err != nil {
		fmt.Println("error", err)
		return
	}
	for i := 0; ; i++ {
		s.life(fmt.Sprint("w", i%20), i)
		time.Sleep(time.Millisecond)
		if i%100 == 0 {
			fmt.Println("event", s.journal.View().Last())
		}
	}
}

// What was recorded is there after kill -9, but for the last second.
func TestARecordingSurvivesKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childEnv+"="+path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Process.Kill()
	type told struct {
		seq uint64
		at  time.Time
	}
	var all []told
	for lines := bufio.NewScanner(out); len(all) < 30; {
		if !lines.Scan() {
			t.Fatal("the child ended")
		}
		var seq uint64
		if _, err := fmt.Sscanf(lines.Text(), "event %d", &seq); err != nil {
			t.Fatal(lines.Text())
		}
		all = append(all, told{seq, time.Now()})
	}
	killed := time.Now()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out)
	f := reopen(t, path)
	if !strings.Contains(f.Lost(), "was not closed") {
		t.Errorf("lost %q", f.Lost())
	}
	_, last := f.Range()
	for _, x := range all {
		if killed.Sub(x.at) > time.Second && x.seq > last.Seq {
			t.Errorf("event %d happened %v before the kill, and the last one is %d", x.seq, killed.Sub(x.at), last.Seq)
		}
	}
	if v, err := f.Verify(t.Context(), nil); err != nil || v.Events != last.Seq {
		t.Errorf("%+v of %d, %v", v, last.Seq, err)
	}
}
