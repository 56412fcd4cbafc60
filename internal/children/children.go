// Package children answers: which programs does this process run, and how are
// they ended when it ends at once? A run that is waited for ends what it has
// started by itself. A program that leaves without waiting, at the second signal
// or while a kernel is left alone, calls [End] first.
package children

import "sync"

// running holds for each run of a program what ends it. One process has one set
// of them, whichever package started them.
var running = struct {
	sync.Mutex
	ends map[*func()]struct{}
}{ends: map[*func()]struct{}{}}

// Add notes a program that was started; end ends it and all that it has started,
// without waiting. The function returned is called when it has ended.
func Add(end func()) (ended func()) {
	key := &end
	running.Lock()
	defer running.Unlock()
	running.ends[key] = struct{}{}
	return func() {
		running.Lock()
		defer running.Unlock()
		delete(running.ends, key)
	}
}

// End ends all programs that were added and have not ended.
func End() {
	running.Lock()
	defer running.Unlock()
	for end := range running.ends {
		(*end)()
	}
}
