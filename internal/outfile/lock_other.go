//go:build !unix || solaris || illumos || aix

package outfile

import (
	"errors"
	"os"
)

// closedFirst says that an open file cannot be renamed or removed.
const closedFirst = true

// lock says that there are no locks: what a killed run leaves then stays.
func lock(*os.File) error { return errors.ErrUnsupported }

// busy reports whether another run holds the lock, which nobody can here.
func busy(error) bool { return false }
