package conformance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// exchange is one section of a file in testdata/exchanges:
//
//	== name of the check
//	# a comment
//	! POST /path           a request that has to succeed and is not recorded
//	> GET /path            a request
//	> Accept: text/plain   its header fields
//	{"the": "body"}
//	| metadata.labels      what of the answer is compared; everything unless given
//	< 200                  the answer of kube-apiserver
//	{"its": "body"}
//
// NS stands for a namespace of its own. $RV, $UID and $CONTINUE are those of the last answer that had one.
type exchange struct {
	name    string
	comment []string
	steps   []*step
}

type step struct {
	setup        bool
	method, path string
	headers      []header
	body         []string
	project      string
	answer       []string
}

// exchangeFile is one file of testdata/exchanges.
type exchangeFile struct {
	path      string
	preamble  []string
	exchanges []*exchange
}

func readExchanges() ([]*exchangeFile, error) {
	paths, err := filepath.Glob("testdata/exchanges/*.txt")
	if err != nil {
		return nil, err
	}
	var out []*exchangeFile
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f := &exchangeFile{path: path}
		if err := f.parse(strings.Split(strings.TrimRight(string(data), "\n"), "\n")); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, f)
	}
	return out, nil
}

func (f *exchangeFile) parse(lines []string) error {
	var x *exchange
	var s *step
	answering := false
	for i, line := range lines {
		mark, rest, _ := strings.Cut(line, " ")
		switch {
		case mark == "==":
			x, s = &exchange{name: rest}, nil
			f.exchanges = append(f.exchanges, x)
		case x == nil:
			f.preamble = append(f.preamble, line)
		case mark == "#" && s == nil:
			x.comment = append(x.comment, rest)
		case (mark == ">" || mark == "!") && isRequestLine(rest):
			s, answering = &step{setup: mark == "!"}, false
			s.method, s.path, _ = strings.Cut(rest, " ")
			x.steps = append(x.steps, s)
		case s == nil:
			if line != "" {
				return fmt.Errorf("line %d: not in a request: %q", i+1, line)
			}
		case mark == ">" || mark == "!":
			name, value, ok := strings.Cut(rest, ":")
			if !ok {
				return fmt.Errorf("line %d: neither a request nor a header: %q", i+1, line)
			}
			s.headers = append(s.headers, header{name, strings.TrimSpace(value)})
		case mark == "|":
			s.project = rest
		case mark == "<":
			answering = true
			s.answer = append(s.answer, rest)
		case answering:
			s.answer = append(s.answer, line)
		default:
			s.body = append(s.body, line)
		}
	}
	for _, x := range f.exchanges {
		for _, s := range x.steps {
			s.body, s.answer = trimBlank(s.body), trimBlank(s.answer)
		}
	}
	return nil
}

func isRequestLine(s string) bool {
	method, path, ok := strings.Cut(s, " ")
	return ok && strings.HasPrefix(path, "/") && strings.ToUpper(method) == method && !strings.HasSuffix(method, ":")
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// write puts the file back with the answers that the exchanges hold now.
func (f *exchangeFile) write() error {
	var out bytes.Buffer
	for _, line := range f.preamble {
		fmt.Fprintln(&out, line)
	}
	for i, x := range f.exchanges {
		if i > 0 {
			fmt.Fprintln(&out)
		}
		fmt.Fprintln(&out, "==", x.name)
		for _, line := range x.comment {
			fmt.Fprintln(&out, "#", line)
		}
		for _, s := range x.steps {
			s.write(&out)
		}
	}
	return os.WriteFile(f.path, out.Bytes(), 0o644)
}

func (s *step) write(out *bytes.Buffer) {
	mark := ">"
	if s.setup {
		mark = "!"
	}
	fmt.Fprintln(out, mark, s.method, s.path)
	for _, h := range s.headers {
		fmt.Fprintln(out, mark, h.name+":", h.value)
	}
	for _, line := range s.body {
		fmt.Fprintln(out, line)
	}
	if s.project != "" {
		fmt.Fprintln(out, "|", s.project)
	}
	for i, line := range s.answer {
		if i == 0 {
			line = "< " + line
		}
		fmt.Fprintln(out, line)
	}
}

// run makes the exchange's requests and reports answers that are not the recorded ones; with update it records them.
func (x *exchange) run(t *T, s *server, update bool) {
	vars := map[string]string{"NS": ""}
	if slices.ContainsFunc(x.steps, (*step).namespaced) {
		vars["NS"] = s.namespace(t)
	}
	for _, st := range x.steps {
		fill := strings.NewReplacer("NS", orName(vars["NS"]), "$RV", vars["RV"], "$UID", vars["UID"], "$CONTINUE", vars["CONTINUE"])
		path, body := fill.Replace(st.path), fill.Replace(strings.Join(st.body, "\n"))
		a := s.do(t, st.method, path, body, st.headers...)
		if st.setup && a.code/100 != 2 {
			t.Fatalf("%s has to succeed: %d %s", a.what, a.code, bytes.TrimSpace(a.body))
		}
		vars = a.variables(vars)
		if st.setup {
			continue
		}
		got := a.normal(vars["NS"], st.project)
		if update {
			st.answer = got
		} else if want := strings.Join(st.answer, "\n"); strings.Join(got, "\n") != want {
			t.Errorf("%s %s\n%s", st.method, st.path, difference(st.answer, got))
		}
	}
}

func (s *step) namespaced() bool {
	return strings.Contains(s.path, "NS") || strings.Contains(strings.Join(s.body, "\n"), "NS")
}

func orName(ns string) string {
	if ns == "" {
		return "NS"
	}
	return ns
}

// difference shows lines that are only in one of the two answers, and a few around them.
func difference(want, got []string) string {
	common := 0
	for common < min(len(want), len(got)) && want[common] == got[common] {
		common++
	}
	end := 0
	for end < min(len(want), len(got))-common && want[len(want)-1-end] == got[len(got)-1-end] {
		end++
	}
	var out strings.Builder
	for _, line := range want[max(0, common-2):common] {
		fmt.Fprintln(&out, "  ", line)
	}
	for _, line := range want[common : len(want)-end] {
		fmt.Fprintln(&out, " -", line)
	}
	for _, line := range got[common : len(got)-end] {
		fmt.Fprintln(&out, " +", line)
	}
	return "(- kube-apiserver, + this server, from line " + strconv.Itoa(common+1) + " of the answer)\n" + out.String()
}
