//go:build !linux

package cli

func panicOnSignal() {}
