package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"informerscope/scenario"
)

// What run prints its results as, beside text.
const (
	resultsJSON  = "json"
	resultsJUnit = "junit"
)

// runResult is how one scenario ended, as -o json has it.
type runResult struct {
	Name     string       `json:"name"`
	Title    string       `json:"title"`
	Passed   bool         `json:"passed"`
	Seconds  float64      `json:"seconds"`
	Failures []runFailure `json:"failures"` // none is []
}

// runFailure is one expectation that does not hold.
type runFailure struct {
	Line        int      `json:"line,omitempty"`
	Step        int      `json:"step,omitempty"` // from 1; none: before the steps, or after them
	What        string   `json:"what,omitempty"`
	Differences []string `json:"differences"`
}

func newRunResult(f *scenario.File, res scenario.Result, took time.Duration) runResult {
	r := runResult{Name: f.Name, Title: f.Title, Passed: len(res.Failures) == 0, Seconds: math.Round(took.Seconds()*1000) / 1000, Failures: []runFailure{}}
	for _, fail := range res.Failures {
		x := runFailure{Line: fail.Line, Step: fail.Step, What: fail.What, Differences: []string{}}
		for _, d := range fail.Differences {
			x.Differences = append(x.Differences, fmt.Sprint(d))
		}
		r.Failures = append(r.Failures, x)
	}
	return r
}

// where is FILE:LINE: step N, as far as that is known.
func (x *runFailure) where(file string) string {
	switch {
	case x.Step > 0:
		return fmt.Sprintf("%s:%d: step %d", file, x.Line, x.Step)
	case x.Line > 0:
		return fmt.Sprintf("%s:%d", file, x.Line)
	}
	return file
}

// text is the failure in lines: where, and what differs.
func (x *runFailure) text(file string) string {
	lines := append([]string{strings.TrimSuffix(x.where(file)+": "+x.What, ": ")}, x.Differences...)
	return strings.Join(lines, "\n  ")
}

// printResults prints them for another program.
func printResults(w io.Writer, as string, rs []runResult) error {
	if as == resultsJUnit {
		return printJUnit(w, rs)
	}
	failed := 0
	for _, r := range rs {
		if !r.Passed {
			failed++
		}
	}
	b, err := json.MarshalIndent(struct {
		Passed    int         `json:"passed"`
		Failed    int         `json:"failed"`
		Scenarios []runResult `json:"scenarios"`
	}{len(rs) - failed, failed, rs}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// printJUnit prints what CI servers read as JUnit's: a case for each scenario.
func printJUnit(w io.Writer, rs []runResult) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *failure `xml:"failure,omitempty"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Time     string     `xml:"time,attr"`
		Cases    []testcase `xml:"testcase"`
	}{Name: "informerscope", Tests: len(rs)}
	all := 0.0
	for _, r := range rs {
		c := testcase{Class: r.Name, Name: r.Title, Time: fmt.Sprintf("%.3f", r.Seconds)}
		all += r.Seconds
		if !r.Passed {
			suite.Failures++
			c.Failure = &failure{}
			for i, x := range r.Failures {
				if i == 0 {
					c.Failure.Message = x.where(r.Name)
				}
				c.Failure.Text += x.text(r.Name) + "\n"
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = fmt.Sprintf("%.3f", all)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
