//go:build !unix

package cli

import "io"

// temporaryPrefix begins the name of each temporary directory.
const temporaryPrefix = "informerscope-"

func holdDir(string) io.Closer { return nil }

func removeDead() {}
