// Package children answers: which programs does this process run, and how are
// they ended when it ends at once? A run that is waited for ends what it has
// started by itself. A program that leaves without waiting, at the second signal
// or while a kernel is left alone, calls [End] first.
package children

import (
	"slices"
	"sync"
)

// running holds for each run of a program what ends it. One process has one list
// of them, whichever package started them.
var running struct {
	sync.Mutex
	ends []*func()
}

// Add notes a program that was started, or a folder that it works in; end ends it
// and all that it has started, without waiting, or takes the folder away. The
// function returned is called when that is done.
func Add(end func()) (ended func()) {
	running.Lock()
	defer running.Unlock()
	running.ends = append(running.ends, &end)
	return func() {
		running.Lock()
		defer running.Unlock()
		running.ends = slices.DeleteFunc(running.ends, func(e *func()) bool { return e == &end })
	}
}

// End ends all that was added and is not done, the last first: a program ends
// before its folder goes.
func End() {
	running.Lock()
	defer running.Unlock()
	for _, end := range slices.Backward(running.ends) {
		(*end)()
	}
}
