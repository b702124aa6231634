// Package cli is the command line: kubectl's flags and grammar, the sandbox and
// version subcommands, the printers (json, yaml, events), error texts and exit
// codes. It starts an engine.Session on a cluster or on the embedded sandbox and
// hands it to a printer or to the ui. It may import every other package of the
// program; none imports it but main.
package cli
