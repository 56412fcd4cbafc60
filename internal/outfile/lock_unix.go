//go:build unix && !solaris && !illumos && !aix

package outfile

import (
	"errors"
	"os"
	"syscall"
)

// closedFirst says that an open file cannot be renamed or removed. Here it can,
// and keeps its lock until it has its name.
const closedFirst = false

// lock takes the lock of an open file, which ends with the run that holds it.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// busy reports whether another run holds the lock.
func busy(err error) bool { return errors.Is(err, syscall.EWOULDBLOCK) }
