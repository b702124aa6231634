package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"informerscope/scenario"
)

// allCases is the name under which all built-in scenarios are run.
const allCases = "all"

// scenariosOf reads what an argument of run names. The error is
// scenario.Mistakes, or a failure.
func scenariosOf(arg string) ([]*scenario.File, error) {
	if name, ok := strings.CutPrefix(arg, scenario.CasePrefix); ok {
		return builtInScenarios(name)
	}
	if name, ok := strings.CutPrefix(arg, scenario.LessonPrefix); ok {
		f, err := scenario.LessonFile(name)
		if err != nil {
			return nil, usagef("%s", err).hint("informerscope learn lists the lessons")
		}
		return []*scenario.File{f}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, cannotRead(arg, err)
	}
	paths := []string{arg}
	if info.IsDir() {
		if paths, err = filepath.Glob(filepath.Join(escapeGlob(arg), "*.yaml")); err != nil {
			return nil, cannotRead(arg, err)
		}
		if len(paths) == 0 {
			return nil, usagef("%s has no *.yaml", arg)
		}
		scenario.SortNames(paths)
	}
	return parseAll(paths, func(path string) (*scenario.File, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, cannotRead(path, err)
		}
		return scenario.Parse(path, data)
	})
}

func builtInScenarios(name string) ([]*scenario.File, error) {
	if name == allCases {
		return parseAll(scenario.Cases(), scenario.Case)
	}
	if _, err := scenario.CaseText(name); err != nil {
		return nil, usagef("%s", err)
	}
	return parseAll([]string{name}, scenario.Case)
}

// parseAll gathers the mistakes of all files.
func parseAll(names []string, parse func(string) (*scenario.File, error)) (files []*scenario.File, _ error) {
	var mistakes scenario.Mistakes
	for _, name := range names {
		f, err := parse(name)
		var wrong scenario.Mistakes
		switch {
		case errors.As(err, &wrong):
			mistakes = append(mistakes, wrong...)
		case err != nil:
			return nil, err
		default:
			files = append(files, f)
		}
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	return files, nil
}

func cannotRead(path string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	f := usagef("%s cannot be read: %s", path, err)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, "./") {
		f.hint("built-in scenarios are named %sNAME; `run` without an argument lists them", scenario.CasePrefix)
	}
	return f
}

// escapeGlob keeps the name of a directory from being a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// firstError is a writer of lines that keeps the first error.
type firstError struct {
	w   io.Writer
	err error
}

func (f *firstError) printf(format string, args ...any) {
	if f.err == nil {
		_, f.err = fmt.Fprintf(f.w, format, args...)
	}
}
