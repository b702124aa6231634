// Package scenario is the language in which a person speaks to the engine: the
// verbs that the command line of the screen, scenario files and lessons share.
// A verb is defined once, with its help and its completion.
//
// It imports the engine and its rooms, journal/... and, to play a scenario on a
// server of its own, the sandbox. Verbs know of a server only what Server says.
package scenario
