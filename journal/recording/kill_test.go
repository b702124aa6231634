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

	"informerscope/journal"
)

// childEnv makes the test binary a process that records to the file it names.
const childEnv = "INFORMERSCOPE_RECORDING_CHILD"

// child records a busy journal until it is killed, and tells the newest event
// now and then.
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

// What got to the file is there after kill -9. That events get there within a
// second is TestEachSecondIsFlushed's.
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
	var written uint64
	for lines := bufio.NewScanner(out); written < 5000; {
		if !lines.Scan() {
			t.Fatal("the child ended")
		}
		if !strings.HasPrefix(lines.Text(), "event ") {
			t.Fatal(lines.Text())
		}
		written = newest(t, path)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out)
	f := reopen(t, path)
	if !strings.Contains(f.Lost(), "was not closed") {
		t.Errorf("lost %q", f.Lost())
	}
	_, last := f.Range()
	if last.Seq < written {
		t.Errorf("event %d was in the file before the kill, and the last one is %d", written, last.Seq)
	}
	if v, err := f.Verify(t.Context(), nil); err != nil || v.Events != last.Seq {
		t.Errorf("%+v of %d, %v", v, last.Seq, err)
	}
}

// newest is the last event in the file, which is being written.
func newest(t *testing.T, path string) uint64 {
	f, err := Open(context.Background(), path, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, last := f.Range()
	return last.Seq
}
