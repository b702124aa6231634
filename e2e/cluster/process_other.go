//go:build !linux

package cluster

import "syscall"

// dieWithParent cannot be had here: servers of a killed test binary stay and have to be ended by hand.
func dieWithParent() *syscall.SysProcAttr { return nil }
