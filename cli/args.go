package cli

import "strings"

// ref is one resource as the command line names it.
type ref struct {
	Type string // as typed: po, deployments.v1.apps, all
	Name string // "" for all objects
}

// parseArgs reads kubectl's grammar:
//
//	TYPE[,TYPE...] [NAME...]
//	TYPE/NAME ...
func parseArgs(args []string) ([]ref, error) {
	if len(args) == 0 {
		return nil, nil
	}
	slashes := 0
	for _, a := range args {
		if strings.Contains(a, "/") {
			slashes++
		}
	}
	if slashes > 0 {
		if slashes != len(args) {
			return nil, usagef("TYPE/NAME and TYPE NAME cannot be mixed in %q", strings.Join(args, " ")).
				hint("write every argument as TYPE/NAME, or one TYPE followed by names")
		}
		return parsePairs(args)
	}
	types, err := parseTypes(args[0])
	if err != nil {
		return nil, err
	}
	names := args[1:]
	if len(names) == 0 {
		names = []string{""}
	} else {
		for _, n := range names {
			if n == "" {
				return nil, usagef("a NAME is empty")
			}
			if strings.Contains(n, ",") {
				return nil, usagef("%q is not a NAME", n).hint("separate names by spaces, types by commas without spaces: pods,deploy")
			}
		}
	}
	var refs []ref
	for _, t := range types {
		for _, n := range names {
			refs = append(refs, ref{t, n})
		}
	}
	return refs, nil
}

func parsePairs(args []string) ([]ref, error) {
	var refs []ref
	for _, a := range args {
		t, n, _ := strings.Cut(a, "/")
		if t == "" || n == "" || strings.Contains(n, "/") || strings.Contains(t, ",") {
			return nil, usagef("%q is not TYPE/NAME: one type, one slash, one name", a).
				hint("such as deploy/web")
		}
		refs = append(refs, ref{t, n})
	}
	return refs, nil
}

func parseTypes(arg string) ([]string, error) {
	types := strings.Split(arg, ",")
	for _, t := range types {
		if strings.TrimSpace(t) != t || t == "" {
			return nil, usagef("%q has an empty or spaced TYPE", arg).hint("separate types by commas without spaces: pods,deploy")
		}
	}
	return types, nil
}
