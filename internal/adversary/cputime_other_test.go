//go:build !unix

package adversary

import "time"

// spent returns the time since the beginning, where that of the processor is
// not known.
func spent(began time.Time) time.Duration { return time.Since(began) }
