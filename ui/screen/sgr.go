package screen

import (
	"strconv"
	"strings"
)

// ink is what a style of a palette looks like. An empty colour is the
// terminal's own.
type ink struct {
	fg, bg  string // "#rrggbb"
	bold    bool
	reverse bool
}

// base are the sixteen colours that terminals choose for themselves, as xterm
// does; the palette's other 240 are the same everywhere.
var base = [16]string{
	"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
	"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
}

// indexed is a colour of the 256 that xterm defines.
func indexed(n int) string {
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	switch {
	case n < 0 || n > 255:
		return ""
	case n < 16:
		return base[n]
	case n < 232:
		n -= 16
		return rgb(level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return rgb(grey, grey, grey)
}

func rgb(r, g, b int) string {
	const hex = "0123456789abcdef"
	out := []byte{'#'}
	for _, v := range [...]int{r, g, b} {
		out = append(out, hex[v>>4&15], hex[v&15])
	}
	return string(out)
}

// inkOf reads SGR sequences, as a Palette holds them. What it does not know it
// passes over.
func inkOf(sgr string) (k ink) {
	for part := range strings.SplitSeq(sgr, "\x1b[") {
		part, ok := strings.CutSuffix(part, "m")
		if !ok {
			continue
		}
		var ns []int
		for f := range strings.FieldsFuncSeq(part, func(r rune) bool { return r == ';' || r == ':' }) {
			n, _ := strconv.Atoi(f)
			ns = append(ns, n)
		}
		if len(ns) == 0 {
			k = ink{}
		}
		for len(ns) > 0 {
			n := ns[0]
			ns = ns[1:]
			switch {
			case n == 0:
				k = ink{}
			case n == 1:
				k.bold = true
			case n == 7:
				k.reverse = true
			case n >= 30 && n <= 37:
				k.fg = base[n-30]
			case n >= 90 && n <= 97:
				k.fg = base[n-82]
			case n >= 40 && n <= 47:
				k.bg = base[n-40]
			case n >= 100 && n <= 107:
				k.bg = base[n-92]
			case n == 38 || n == 48:
				var c string
				c, ns = extended(ns)
				if n == 38 {
					k.fg = c
				} else {
					k.bg = c
				}
			}
		}
	}
	return k
}

// extended reads what follows 38 or 48, and returns what is left.
func extended(ns []int) (colour string, rest []int) {
	switch {
	case len(ns) >= 2 && ns[0] == 5:
		return indexed(ns[1]), ns[2:]
	case len(ns) >= 4 && ns[0] == 2:
		return rgb(ns[1], ns[2], ns[3]), ns[4:]
	}
	return "", nil
}
