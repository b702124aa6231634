// Package rooms holds the house to its plan: which room may import which. It
// reads import lines, and imports nothing of the program.
package rooms

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "informerscope"

// room says what the packages of a pattern may import of the program, and of
// Kubernetes, each by patterns: "a" is the package a, "a/..." it and all below.
// Tests may import what they need.
type room struct {
	pattern string
	own     []string
	kube    []string
}

var (
	clock = []string{"k8s.io/utils/clock"}
	// objects is what decodes an object, and client-go's tombstones.
	objects = []string{
		"k8s.io/utils/clock", "k8s.io/api/...", "k8s.io/apimachinery/...", "sigs.k8s.io/yaml",
		"k8s.io/client-go/kubernetes/scheme", "k8s.io/client-go/tools/cache",
	}
	kubernetes = []string{"k8s.io/...", "sigs.k8s.io/..."}
)

// plan is the house. The first room whose pattern fits is that of a package; a
// new room needs a line.
var plan = []room{
	{".", []string{"cli"}, nil},
	{"cli/...", []string{"cli/...", "ui/...", "scenario/...", "engine/...", "sandbox/...", "journal/...", "internal/phrase", "internal/printable"}, kubernetes},
	{"ui/...", []string{"ui/...", "journal/...", "internal/phrase"}, clock},
	{"scenario/...", []string{"scenario/...", "engine/...", "sandbox/...", "journal/...", "internal/phrase"}, kubernetes},
	{"bench/...", []string{"engine/...", "sandbox/...", "journal/..."}, kubernetes},
	{"engine/...", []string{"engine/...", "journal/...", "internal/phrase"}, kubernetes},
	{"sandbox/...", []string{"sandbox/...", "internal/jsontext"}, kubernetes},

	{"journal", []string{"internal/jsontext", "internal/printable"}, clock},
	{"journal/findings", []string{"journal"}, nil},
	{"journal/life", []string{"journal"}, nil},
	{"journal/object", nil, objects},
	{"journal/state", []string{"journal", "journal/findings", "journal/codec"}, nil},
	{"journal/state/document", []string{"journal", "journal/state", "journal/findings", "internal/printable"}, []string{"sigs.k8s.io/yaml"}},
	{"journal/state/diff", []string{"journal", "journal/findings", "journal/state"}, nil},
	{"journal/history", []string{"journal", "journal/state"}, nil},
	{"journal/breakpoint", []string{"journal", "journal/findings", "journal/history", "journal/state", "internal/phrase"}, nil},
	{"journal/codec", nil, nil},
	{"journal/recording", []string{"journal/...", "internal/jsontext"}, objects},

	{"internal/testing/...", []string{"..."}, kubernetes},
	{"internal/jsontext", []string{"internal/printable"}, nil},
	{"internal/...", nil, nil},
}

// fits reports whether the package p is one of the pattern's.
func fits(pattern, p string) bool {
	base, below := strings.CutSuffix(pattern, "...")
	base = strings.TrimSuffix(base, "/")
	return p == base || below && (base == "" || strings.HasPrefix(p, base+"/"))
}

func fitsAny(patterns []string, p string) bool {
	for _, pattern := range patterns {
		if fits(pattern, p) {
			return true
		}
	}
	return false
}

func roomOf(p string) (room, bool) {
	for _, r := range plan {
		if fits(r.pattern, p) {
			return r, true
		}
	}
	return room{}, false
}

func TestRoomsImportWhatTheyMay(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if base := path.Base(rel); rel != "." && (base == "testdata" || strings.HasPrefix(base, ".") || rel == "e2e") {
				return filepath.SkipDir // e2e is a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		r, ok := roomOf(path.Dir(rel))
		if !ok {
			t.Errorf("%s: its package is not in the plan", rel)
			return nil
		}
		used[r.pattern] = true
		checkFile(t, name, rel, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range plan {
		if !used[r.pattern] {
			t.Errorf("the plan has %s, and there is no such room", r.pattern)
		}
	}
}

func checkFile(t *testing.T, name, rel string, r room) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		own, isOwn := strings.CutPrefix(imported, module+"/")
		switch {
		case isOwn && !fitsAny(r.own, own):
			t.Errorf("%s imports %s: %s may import %v", rel, own, r.pattern, r.own)
		case !isOwn && fitsAny(kubernetes, imported) && !fitsAny(r.kube, imported):
			t.Errorf("%s imports %s: of Kubernetes %s may import %v", rel, imported, r.pattern, r.kube)
		}
	}
}
