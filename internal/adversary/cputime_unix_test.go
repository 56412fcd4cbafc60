//go:build unix

package adversary

import (
	"syscall"
	"time"
)

// spent returns the processor time that this process has taken. Calls are made
// one at a time, so that a busy machine makes none of them fall.
func spent(time.Time) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
