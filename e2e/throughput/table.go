package main

import (
	"fmt"
	"io"
	"time"
)

// figures are named results in the order in which they were measured.
type figures struct {
	names  []string
	values map[string]string
}

func (f *figures) add(name, format string, args ...any) {
	if f.values == nil {
		f.values = map[string]string{}
	}
	f.names = append(f.names, name)
	f.values[name] = fmt.Sprintf(format, args...)
}

// perSecond adds n things in d as a rate.
func (f *figures) perSecond(name string, n int, d time.Duration) {
	f.add(name, "%.0f", float64(n)/d.Seconds())
}

func printTable(w io.Writer, columns []string, rows []*figures) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "| |")
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprint(w, "\n|---|")
	for range columns {
		fmt.Fprint(w, "---:|")
	}
	for _, name := range rows[0].names {
		fmt.Fprintf(w, "\n| %s |", name)
		for _, r := range rows {
			fmt.Fprintf(w, " %s |", r.values[name])
		}
	}
	fmt.Fprintln(w)
}
