// Package theme holds the roles of text and their colours. It imports screen alone.
package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"informerscope/ui/screen"
)

// The roles of text. Each also exists on a selected row (screen.Selected).
const (
	Plain       screen.Style = iota
	Dim                      // secondary: labels, ages, what is gone
	Strong                   // names in the header, titles
	Border                   // of panes without the focus
	BorderFocus              // of the pane with the focus
	TitleFocus               // its title
	Accent                   // the key selected elsewhere, open filters
	Warn                     // needs attention: failures, dirty again, paused
	Alert                    // must not happen: divergences
	TypeAdded                // delta and watch event types
	TypeUpdated
	TypeDeleted
	typeReplaced
	typeSync
	ChipOn     // reversed words of the header: the current resource
	ChipPaused // PAUSED
	ChipFrozen // FROZEN
	ChipPast   // PAST, REPLAY, and the scrubber's cursor
	ChipAlert  // divergences
	Hotkey     // a key in a hint
	LineAdded  // lines of a difference
	LineRemoved
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
	Plain:        {},
	Dim:          {light: "243", dark: "245"},
	Strong:       {bold: true},
	Border:       {light: "250", dark: "239"},
	BorderFocus:  {light: "25", dark: "75"},
	TitleFocus:   {light: "25", dark: "117", bold: true},
	Accent:       {light: "25", dark: "117", bold: true},
	Warn:         {light: "130", dark: "215", bold: true},
	Alert:        {light: "160", dark: "203", bold: true},
	TypeAdded:    {light: "25", dark: "110"},
	TypeUpdated:  {light: "94", dark: "180"},
	TypeDeleted:  {light: "130", dark: "209"},
	typeReplaced: {light: "97", dark: "182"},
	typeSync:     {light: "243", dark: "247"},
	ChipOn:       {light: "25", dark: "117", bold: true, reverse: true},
	ChipPaused:   {light: "130", dark: "215", bold: true, reverse: true},
	ChipFrozen:   {light: "97", dark: "182", bold: true, reverse: true},
	ChipPast:     {light: "55", dark: "147", bold: true, reverse: true},
	ChipAlert:    {light: "160", dark: "203", bold: true, reverse: true},
	Hotkey:       {light: "25", dark: "117", bold: true},
	LineAdded:    {light: "25", dark: "117"},
	LineRemoved:  {light: "130", dark: "215"},
}

// The background of a selected row.
const selectedLight, selectedDark = "153", "24"

// NewPalette renders each role once. Without colour only bold and reverse
// video are left, and the selected row is reversed.
func NewPalette(isDark, colour bool) *screen.Palette {
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
			if i == int(Dim) || i == int(typeSync) { // grey on blue is hard to read
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

// TypeStyle is the style of a delta type or watch event type.
func TypeStyle(t string) screen.Style {
	switch t {
	case "Added", "ADDED", "OnAdd":
		return TypeAdded
	case "Updated", "MODIFIED", "OnUpdate":
		return TypeUpdated
	case "Deleted", "DELETED", "OnDelete":
		return TypeDeleted
	case "Replaced", "ReplacedAll":
		return typeReplaced
	case "Sync", "SyncAll", "Bookmark":
		return typeSync
	}
	return Plain
}
