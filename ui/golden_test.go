package ui_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
)

// Renew the golden screens with:
//
//	go test ./ui -run TestGoldenScreens -update
var update = flag.Bool("update", false, "write the golden screens instead of comparing them")

// golden is a screen: a world, and the keys after which it is compared.
type golden struct {
	name  string
	world func() *world
	sizes []size
	keys  []string
}

func atomicWorld() *world { return arrivalWorld(journal.DisciplineAtomic) }
func twoLanes() *world    { return lanesWorld("delta", "atomic").queued() }
func threeLanes() *world  { return lanesWorld("delta", "inorder", "atomic").queued() }
func twoDiffer() *world   { return differWorld("delta", "atomic") }
func threeDiffer() *world { return differWorld("delta", "inorder", "atomic") }

var (
	paneSizes  = []size{{80, 24}, {120, 40}, {60, 20}}
	broadSizes = []size{{80, 24}, {120, 40}, {200, 60}}
	goldens    = []golden{
		{"panes", newWorld, paneSizes, nil},
		{"indexer", newWorld, paneSizes, []string{"2", "G", "enter", "j", "j"}},
		{"object", newWorld, paneSizes, []string{"enter"}},
		{"help", newWorld, paneSizes, []string{"?"}},
		{"resources", newWorld, paneSizes, []string{"r"}},
		{"listeners", newWorld, paneSizes, []string{"6"}},
		{"handlers", handlersWorld, broadSizes, []string{"6", "j"}},
		{"stores", storesWorld, broadSizes, []string{"t", "j"}},
		{"past", pastWorld, broadSizes, []string{"{", "m", "a", "{", "m", "b", "}"}},
		{"marks", pastWorld, broadSizes[:2], []string{"{", "{", "m", "a", "}", "M", "space"}},
		{"marks-compared", pastWorld, broadSizes[:2], []string{"{", "{", "m", "a", "}", "M", "c"}},
		{"life", lifeWorld, broadSizes, []string{"f"}},
		{"life-times", lifeWorld, broadSizes, []string{"f", "a", "g", "l"}},
		{"life-panes", lifeWorld, broadSizes[:2], []string{"f", "f"}},
		{"versions", lifeWorld, broadSizes[:2], []string{"f", "v", "p", "space", "n", "n"}},
		{"problems", problemsWorld, broadSizes[:2], []string{"w"}},
		{"findings", wrongWorld, paneSizes, []string{"w", "j"}},
		{"breakpoints", stoppedWorld, paneSizes, []string{"b"}},
		{"replacedall", atomicWorld, broadSizes[:2], []string{"enter"}},
		{"syncall", atomicWorld, broadSizes[:2], []string{"G", "k", "enter"}},
		{"compare2", twoLanes, broadSizes, nil},
		{"compare3", threeLanes, broadSizes, nil},
		// The notification that only one lane got is selected.
		{"compare2-difference", twoDiffer, broadSizes, []string{"l", "tab", "g", "j", "j"}},
		{"compare3-difference", threeDiffer, broadSizes, []string{"h", "tab", "g", "j", "j"}},
	}
)

func TestGoldenScreens(t *testing.T) {
	for _, g := range goldens {
		for _, s := range g.sizes {
			name := g.name + "-" + s.String()
			t.Run(name, func(t *testing.T) {
				u := g.world().start(t, uitest.Size(s.w, s.h))
				u.Screen().Contains("FIFO")
				u.Press(g.keys...)
				path := filepath.Join("testdata", name+".txt")
				if *update {
					if err := os.WriteFile(path, []byte(u.Settled()), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				u.Matches(string(want))
			})
		}
	}
}

type size struct{ w, h int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.w, s.h) }
