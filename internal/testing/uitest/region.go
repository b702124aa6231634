package uitest

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var errClosed = io.EOF

func itoa(n int) string { return strconv.Itoa(n) }

// rows is the screen as runes; the second half of a wide character is 0.
func (u *UI) rowsLocked() [][]rune {
	rows := make([][]rune, u.h)
	for y := range rows {
		rows[y] = make([]rune, u.w)
		for x := range rows[y] {
			rows[y][x] = ' '
			if c := u.emu.CellAt(x, y); c != nil {
				switch r := []rune(c.Content); {
				case len(r) > 0:
					rows[y][x] = r[0]
				case c.Width == 0:
					rows[y][x] = 0
				}
			}
		}
	}
	return rows
}

func line(r []rune) string { return strings.ReplaceAll(string(r), "\x00", "") }

// Text is the screen as it is now, without trailing spaces.
func (u *UI) Text() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.textLocked()
}

func (u *UI) textLocked() string {
	var b strings.Builder
	for _, r := range u.rowsLocked() {
		b.WriteString(strings.TrimRight(line(r), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// until waits for cond, which is asked under u.mu after each write.
func (u *UI) until(what string, cond func() bool) {
	u.t.Helper()
	deadline := time.AfterFunc(patience, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.expired = true
		u.drawn.Broadcast()
	})
	defer deadline.Stop()
	u.mu.Lock()
	defer u.mu.Unlock()
	for !cond() {
		if u.expired {
			u.t.Fatalf("waited for: %s\nthe screen is\n%s", what, u.textLocked())
		}
		u.drawn.Wait()
	}
}

// Region is a part of the screen: a pane, a line, or all of it.
type Region struct {
	u    *UI
	name string
	find func(rows [][]rune) (x, y, w, h int, ok bool)
	x, y int // where it was when an assertion held
}

// Screen is all of it.
func (u *UI) Screen() *Region {
	return &Region{u: u, name: "screen", find: func(r [][]rune) (int, int, int, int, bool) { return 0, 0, u.w, u.h, true }}
}

// Header is the first line, Flow the one below, Footer the last.
func (u *UI) Header() *Region { return u.row("header", 0) }

// Flow is the pipeline line, or the tabs.
func (u *UI) Flow() *Region { return u.row("flow", 1) }

// Footer is the last line.
func (u *UI) Footer() *Region { return u.row("footer", -1) }

func (u *UI) row(name string, y int) *Region {
	return &Region{u: u, name: name, find: func(r [][]rune) (int, int, int, int, bool) {
		at := y
		if at < 0 {
			at += u.h
		}
		return 0, at, u.w, 1, true
	}}
}

// Pane is the box whose border names it: "DeltaFIFO", "Help", "Object".
func (u *UI) Pane(name string) *Region {
	title := regexp.MustCompile(`^╭─[ ▸]([1-6] )?` + regexp.QuoteMeta(name))
	return &Region{u: u, name: name, find: func(rows [][]rune) (int, int, int, int, bool) {
		for y, row := range rows {
			for x, r := range row {
				if r != '╭' || !title.MatchString(line(row[x:])) {
					continue
				}
				w := 1
				for x+w < len(row) && row[x+w] != '╮' {
					w++
				}
				h := 1
				for y+h < len(rows) && rows[y+h][x] != '╰' {
					h++
				}
				return x, y, min(w+1, len(row)-x), min(h+1, len(rows)-y), true
			}
		}
		return 0, 0, 0, 0, false
	}}
}

// lines is what the region shows now; nil when it is not on the screen.
func (r *Region) linesLocked() []string {
	rows := r.u.rowsLocked()
	x, y, w, h, ok := r.find(rows)
	if !ok {
		return nil
	}
	r.x, r.y = x, y
	out := make([]string, 0, h)
	for _, row := range rows[y : y+h] {
		out = append(out, line(row[x:x+w]))
	}
	return out
}

func (r *Region) wait(what string, cond func(lines []string) bool) {
	r.u.t.Helper()
	r.u.until(r.name+": "+what, func() bool {
		l := r.linesLocked()
		return l != nil && cond(l)
	})
}

// Contains waits until the region shows each text. Runs of spaces count as one;
// " ... " stands for anything in the same line.
func (r *Region) Contains(texts ...string) *Region {
	r.u.t.Helper()
	for _, t := range texts {
		re := pattern(t)
		r.wait("to show "+strconv.Quote(t), func(lines []string) bool {
			for _, l := range lines {
				if re.MatchString(l) {
					return true
				}
			}
			return false
		})
	}
	return r
}

// Lacks waits until the region shows none of the texts.
func (r *Region) Lacks(texts ...string) *Region {
	r.u.t.Helper()
	for _, t := range texts {
		re := pattern(t)
		r.wait("not to show "+strconv.Quote(t), func(lines []string) bool {
			for _, l := range lines {
				if re.MatchString(l) {
					return false
				}
			}
			return true
		})
	}
	return r
}

// Selected waits until the selected row shows text.
func (r *Region) Selected(text string) *Region {
	r.u.t.Helper()
	re := pattern(text)
	r.wait("the selected row to show "+strconv.Quote(text), func(lines []string) bool {
		for _, l := range lines {
			if strings.Contains(l, "│›") && re.MatchString(l) {
				return true
			}
		}
		return false
	})
	return r
}

// Marked waits until a row with the mark of the selected key shows text.
func (r *Region) Marked(text string) *Region {
	r.u.t.Helper()
	re := pattern(text)
	r.wait("a marked row to show "+strconv.Quote(text), func(lines []string) bool {
		for _, l := range lines {
			if strings.Contains(l, "•") && re.MatchString(l) {
				return true
			}
		}
		return false
	})
	return r
}

// Focused waits until the pane has the focus.
func (r *Region) Focused() *Region {
	r.u.t.Helper()
	r.wait("to have the focus", func(lines []string) bool { return strings.HasPrefix(lines[0], "╭─▸") })
	return r
}

// Gone waits until the pane is not on the screen.
func (r *Region) Gone() *Region {
	r.u.t.Helper()
	r.u.until(r.name+" to be gone", func() bool { return r.linesLocked() == nil })
	return r
}

// And goes on with the keyboard.
func (r *Region) And() *UI { return r.u }

func pattern(text string) *regexp.Regexp {
	var b strings.Builder
	for i, part := range strings.Split(text, " ... ") {
		if i > 0 {
			b.WriteString(".*")
		}
		for j, word := range strings.Fields(part) {
			if j > 0 {
				b.WriteString(` +`)
			}
			b.WriteString(regexp.QuoteMeta(word))
		}
	}
	return regexp.MustCompile(b.String())
}

// Matches waits until the whole screen is want.
func (u *UI) Matches(want string) *UI {
	u.t.Helper()
	u.until("the screen\n"+want, func() bool { return u.textLocked() == want })
	return u
}

// Settled waits until the program has written nothing for a while and returns
// the screen, to renew golden files.
func (u *UI) Settled() string {
	for n := -1; ; {
		u.mu.Lock()
		now := u.raw.Len()
		u.mu.Unlock()
		if now == n {
			return u.Text()
		}
		n = now
		<-time.After(300 * time.Millisecond)
	}
}
