// Package scenario is the language in which a person speaks to the engine: the
// verbs that the command line of the screen, scenario files and lessons share.
// A verb is defined once, with its help and its completion.
//
// It imports the engine; of the API server it knows only what Server says.
package scenario
