// Command throughput measures the sandbox beside kube-apiserver with etcd, on the same machine in the same run: writes and
// watch events a second, and memory. It prints a table in Markdown.
//
//	go run ./throughput                              # creates, updates, watch events, lists
//	go run ./throughput -load 60s -rate 1000         # a steady load with many watchers and one that does not read
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// settings are the flags.
type settings struct {
	objects, writers, watchers int
	load                       time.Duration
	rate                       int
	only                       string
}

func main() {
	var s settings
	flag.IntVar(&s.objects, "objects", 5000, "objects to create and to update")
	flag.IntVar(&s.writers, "writers", 16, "requests that are under way at a time")
	flag.IntVar(&s.watchers, "watchers", 20, "watches that follow the updates")
	flag.DurationVar(&s.load, "load", 0, "run a steady load for this long instead")
	flag.IntVar(&s.rate, "rate", 1000, "writes a second of the steady load")
	flag.StringVar(&s.only, "only", "", "measure kube-apiserver or sandbox only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	var columns []string
	var rows []*figures
	for _, start := range []struct {
		name  string
		start func(context.Context) (*target, error)
	}{{"kube-apiserver", startCluster}, {"sandbox", startSandbox}} {
		if s.only != "" && s.only != start.name {
			continue
		}
		t, err := start.start(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", start.name, err)
		}
		f, err := measure(ctx, t, s)
		if serr := t.stop(); err == nil {
			err = serr
		}
		if err != nil {
			return fmt.Errorf("%s: %w", start.name, err)
		}
		columns, rows = append(columns, start.name), append(rows, f)
	}
	printTable(os.Stdout, columns, rows)
	return nil
}

func measure(ctx context.Context, t *target, s settings) (*figures, error) {
	if s.load > 0 {
		return measureLoad(ctx, t, s)
	}
	return measureSpeed(ctx, t, s)
}
