// Command bench measures what the glass costs: the inspector's engine beside a
// bare client-go SharedIndexInformer with a workqueue, on the same server, with
// the same workers, each in a process of its own, in turns; and the engine again
// with a past that one can go back to, and with a recording. It also times the
// built program's start and its idle CPU in a pseudo-terminal.
//
// It runs itself several times over: as parent, as server, and as each client. It
// imports the engine, journal/recording and the sandbox.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

type settings struct {
	role    string
	objects int
	updates int
	rounds  int
	bin     string
	config  string
	profile string
}

func main() {
	var s settings
	flag.StringVar(&s.role, "role", "parent", "parent, server, or one of the clients; set by the parent")
	flag.IntVar(&s.objects, "objects", 10_000, "objects to sync")
	flag.IntVar(&s.updates, "updates", 20_000, "updates after that")
	flag.IntVar(&s.rounds, "rounds", 3, "how often each side runs; the median counts")
	flag.StringVar(&s.bin, "bin", "", "the built program, for start-up and idle CPU; empty skips them")
	flag.StringVar(&s.profile, "profile", "", "directory for a CPU profile of each side, named after it; empty writes none")
	flag.StringVar(&s.config, "kubeconfig", "", "of the server; set by the parent")
	flag.Parse()
	var err error
	switch s.role {
	case "parent":
		err = parent(s)
	case "server":
		err = server(s)
	default:
		err = client(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// result is what one client run used, from its start to the last reconcile.
type result struct {
	CPU      float64 // seconds, user and system
	Wall     float64 // seconds
	Allocs   uint64  // objects allocated
	Bytes    uint64  // bytes allocated
	PeakRSS  uint64  // bytes, the kernel's high-water mark
	LiveHeap uint64  // bytes in use after a collection at the end
	Events   uint64  // journal events (ours)
	Diverged int
	Recorded int64  // bytes of the recording
	Lost     uint64 // events that it has not
}

// roles are the clients, in the order of their turns.
var roles = []string{"bare", "ours", "past", "recorded"}

// child is a copy of this program in another role, spoken to line by line.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func spawn(s settings, role, config string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self, "-role", role, "-objects", fmt.Sprint(s.objects), "-updates", fmt.Sprint(s.updates), "-kubeconfig", config, "-profile", s.profile)}
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewScanner(out)
	return c, c.cmd.Start()
}

// expect reads the next line, which must begin with word.
func (c *child) expect(word string) (string, error) {
	if !c.out.Scan() {
		return "", fmt.Errorf("%v ended before it said %q", c.cmd.Args[1:3], word)
	}
	rest, ok := strings.CutPrefix(c.out.Text(), word+" ")
	if !ok {
		return "", fmt.Errorf("%v said %q, not %q", c.cmd.Args[1:3], c.out.Text(), word)
	}
	return rest, nil
}

func (c *child) say(line string) error {
	_, err := fmt.Fprintln(c.in, line)
	return err
}

func (c *child) end() {
	c.in.Close()
	c.cmd.Wait()
}

func parent(s settings) error {
	fmt.Printf("objects %d, updates %d, rounds %d\n", s.objects, s.updates, s.rounds)
	srv, err := spawn(s, "server", "")
	if err != nil {
		return err
	}
	defer srv.end()
	config, err := srv.expect("serving")
	if err != nil {
		return err
	}
	results := map[string][]result{}
	for round := range s.rounds {
		for _, role := range roles {
			r, err := measure(s, srv, role, config)
			if err != nil {
				return err
			}
			fmt.Printf("round %d  %-8s  cpu %5.2fs  wall %5.2fs  allocs %9d  alloc %5d MiB  peak RSS %4d MiB  live heap %4d MiB  events %d  divergences %d\n",
				round+1, role, r.CPU, r.Wall, r.Allocs, r.Bytes>>20, r.PeakRSS>>20, r.LiveHeap>>20, r.Events, r.Diverged)
			results[role] = append(results[role], r)
		}
	}
	compare(results, "ours", "bare", 1.5, 1.5, 2, 2)
	compare(results, "past", "ours", 1.1, 1.1, 1.5, 1.5)
	compare(results, "recorded", "ours", 1.1, 1.5, 1.5, 1.5)
	for _, r := range results["recorded"] {
		fmt.Printf("recording: %d events, %d of them lost, %.1f MiB, %.1f bytes an event\n", r.Events, r.Lost, float64(r.Recorded)/(1<<20), float64(r.Recorded)/float64(r.Events))
	}
	if s.bin == "" {
		return nil
	}
	return program(s.bin)
}

// compare prints what role needs beside what base needs, with the aims.
func compare(results map[string][]result, role, base string, cpu, allocations, peak, heap float64) {
	ratio := func(name string, f func(result) float64, aim float64) {
		fmt.Printf("%-12s %s / %s = %.2f  (aim at most %.1f)\n", name, role, base, median(results[role], f)/median(results[base], f), aim)
	}
	ratio("CPU", func(r result) float64 { return r.CPU }, cpu)
	ratio("allocations", func(r result) float64 { return float64(r.Allocs) }, allocations)
	ratio("peak RSS", func(r result) float64 { return float64(r.PeakRSS) }, peak)
	ratio("live heap", func(r result) float64 { return float64(r.LiveHeap) }, heap)
}

func measure(s settings, srv *child, role, config string) (r result, err error) {
	c, err := spawn(s, role, config)
	if err != nil {
		return r, err
	}
	defer c.end()
	if _, err := c.expect("synced"); err != nil {
		return r, err
	}
	if err := srv.say("update"); err != nil {
		return r, err
	}
	if _, err := srv.expect("updated"); err != nil {
		return r, err
	}
	line, err := c.expect("result")
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(line), &r)
}

func median(rs []result, f func(result) float64) float64 {
	var vs []float64
	for _, r := range rs {
		vs = append(vs, f(r))
	}
	slices.Sort(vs)
	return vs[len(vs)/2]
}

func seconds(d time.Duration) float64 { return d.Seconds() }
