package ui

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"informerscope/ui/screen"
)

// The roles of text. Each also exists on a selected row (screen.Selected).
const (
	plain       screen.Style = iota
	dim                      // secondary: labels, ages, what is gone
	strong                   // names in the header, titles
	border                   // of panes without the focus
	borderFocus              // of the pane with the focus
	titleFocus               // its title
	accent                   // the key selected elsewhere, open filters
	warn                     // needs attention: failures, dirty again, paused
	alert                    // must not happen: divergences
	typeAdded                // delta and watch event types
	typeUpdated
	typeDeleted
	typeReplaced
	typeSync
	chipOn     // reversed words of the header: the current resource
	chipPaused // PAUSED
	chipFrozen // FROZEN
	chipPast   // PAST, REPLAY, and the scrubber's cursor
	chipAlert  // divergences
	hotkey     // a key in a hint
	lineAdded  // lines of a difference
	lineRemoved
	numRoles
)

// look is one role's colours on a light and on a dark background, from the
// 256-colour palette, and its attributes. Colours are told apart by blue and
// orange, not by red and green, and none carries meaning that a word, a sign or
// an attribute does not.
type look struct {
	light, dark string
	bold        bool
	reverse     bool
}

var looks = [numRoles]look{
	plain:        {},
	dim:          {light: "243", dark: "245"},
	strong:       {bold: true},
	border:       {light: "250", dark: "239"},
	borderFocus:  {light: "25", dark: "75"},
	titleFocus:   {light: "25", dark: "117", bold: true},
	accent:       {light: "25", dark: "117", bold: true},
	warn:         {light: "130", dark: "215", bold: true},
	alert:        {light: "160", dark: "203", bold: true},
	typeAdded:    {light: "25", dark: "110"},
	typeUpdated:  {light: "94", dark: "180"},
	typeDeleted:  {light: "130", dark: "209"},
	typeReplaced: {light: "97", dark: "182"},
	typeSync:     {light: "243", dark: "247"},
	chipOn:       {light: "25", dark: "117", bold: true, reverse: true},
	chipPaused:   {light: "130", dark: "215", bold: true, reverse: true},
	chipFrozen:   {light: "97", dark: "182", bold: true, reverse: true},
	chipPast:     {light: "55", dark: "147", bold: true, reverse: true},
	chipAlert:    {light: "160", dark: "203", bold: true, reverse: true},
	hotkey:       {light: "25", dark: "117", bold: true},
	lineAdded:    {light: "25", dark: "117"},
	lineRemoved:  {light: "130", dark: "215"},
}

// The background of a selected row.
const selectedLight, selectedDark = "153", "24"

// newPalette renders each role once. Without colour only bold and reverse
// video are left, and the selected row is reversed.
func newPalette(isDark, colour bool) *screen.Palette {
	p := new(screen.Palette)
	pick := func(l, d string) color.Color {
		if isDark {
			l = d
		}
		return lipgloss.Color(l)
	}
	for i, l := range looks {
		st := lipgloss.NewStyle().Bold(l.bold).Reverse(l.reverse)
		sel := st
		if colour {
			if l.light != "" {
				st = st.Foreground(pick(l.light, l.dark))
			}
			sel = st.Background(pick(selectedLight, selectedDark))
			if i == int(dim) || i == int(typeSync) { // grey on blue is hard to read
				sel = sel.Foreground(pick("238", "252"))
			}
		} else {
			sel = sel.Reverse(!l.reverse)
		}
		p[i] = prefix(st)
		p[screen.Style(i)|screen.Selected] = prefix(sel)
	}
	return p
}

// prefix is what Lip Gloss writes before a text in a style.
func prefix(s lipgloss.Style) string {
	before, _, _ := strings.Cut(s.Render("x"), "x")
	return before
}

// typeStyle is the style of a delta type or watch event type.
func typeStyle(t string) screen.Style {
	switch t {
	case "Added", "ADDED", "OnAdd":
		return typeAdded
	case "Updated", "MODIFIED", "OnUpdate":
		return typeUpdated
	case "Deleted", "DELETED", "OnDelete":
		return typeDeleted
	case "Replaced", "ReplacedAll":
		return typeReplaced
	case "Sync", "SyncAll", "Bookmark":
		return typeSync
	}
	return plain
}
