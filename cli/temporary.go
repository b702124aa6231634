//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// temporaryPrefix begins the name of each temporary directory.
const temporaryPrefix = "informerscope-"

const lockName = "lock"

// holdDir locks a temporary directory until it is closed or the process ends: so
// others see that it is in use. nil when the file system has no locks.
func holdDir(dir string) io.Closer {
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil || os.Rename(f.Name(), path) != nil {
		f.Close()
		return nil
	}
	return f
}

// removeDead removes the temporary directories of processes that were killed.
func removeDead() {
	locks, _ := filepath.Glob(filepath.Join(os.TempDir(), temporaryPrefix+"*", lockName))
	for _, path := range locks {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue // somebody else's
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.RemoveAll(filepath.Dir(path))
		}
		f.Close()
	}
}
