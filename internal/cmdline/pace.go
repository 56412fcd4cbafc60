package cmdline

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

// paced returns what is called as parts of a command are done where no bar shows them. Once it is a
// few seconds under way it says how long all of them take, if that is long, as [Streams.estimating]
// does of a simulation. what is said to take so long where it begins with the command.
func (s *Streams) paced(what string) (progress func(done, of int)) {
	if !strings.HasPrefix(what, s.path) {
		what = s.path
	}
	var mu sync.Mutex
	begun, before := time.Now(), -1
	return func(done, of int) {
		mu.Lock()
		defer mu.Unlock()
		if done == 0 { // it begins now, after whatever came before
			begun, before = time.Now(), 0
			return
		}
		after := time.Since(begun)
		if before < 0 { // what is done at once was there before, such as rows of a file
			before = 0
			if after < redrawn {
				before = done
			}
		}
		if after < slowFrom || done <= before || 2*done > before+of {
			return
		}
		low, high := partly(after.Seconds(), done-before, of-before)
		if low >= longRun {
			once, hint := &s.estimate, s.shorter(", ")
			switch {
			case s.sweeping(): // the simulation of a point may have been announced, and not all flags are of each
				once, hint = &s.whole, ", fewer points make it shorter"
			case s.path == "plan": // which counts what it does with its draws
				hint = ", fewer samples in the scenario make it shorter"
			}
			once.Do(func() { fmt.Fprintf(s.Err, "%s takes %s%s; Ctrl-C ends it\n", what, howLong(low, high), hint) })
		}
	}
}

// sweeping reports whether the command asks another at many points.
func (s *Streams) sweeping() bool { return strings.HasPrefix(s.path, "sweep ") }

// partly returns bounds in seconds on how long all parts take, some of which are done after a time:
// others are under way on all cores.
func partly(after float64, done, of int) (low, high float64) {
	all := after * float64(of)
	return max(after, all/float64(done+runtime.GOMAXPROCS(0)-1)), all / float64(done)
}
