// Package screen is the sheet of paper the inspector draws on: a grid of cells
// that panes fill and that is encoded to one frame of ANSI text. The grid, not
// its callers, guarantees that each line has exactly the terminal's width, that
// wide characters are measured right, and that no text can smuggle a control
// sequence to the terminal. It is reused from frame to frame and imports only
// the width tables of x/ansi.
package screen
