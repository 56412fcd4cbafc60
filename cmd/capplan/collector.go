package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Go lets the heap grow to twice what lives in it before it collects. Of a large
// question that half is what exceeds a machine: the nearer the heap comes to
// roomy, the less garbage is let stand, down to a fifth of what lives. Of a small
// one, which is over in some 50 ms, collecting is a sixth of the work: up to small more
// is let stand.
const (
	roomy     = 600 << 20 // bytes
	small     = 48 << 20  // bytes
	usual     = 100       // percent, Go's own
	leastRoom = 20        // percent; below it collecting takes most of the time
	mostRoom  = 400       // percent
	leastHeap = 4 << 20   // bytes that Go takes to live before it has collected
)

// garbagePercent is how much garbage is let stand beside that many live bytes.
func garbagePercent(live uint64) int {
	if live == 0 {
		return 100 * small / leastHeap
	}
	upTo := func(heap float64) float64 { return 100 * (heap/float64(live) - 1) }
	return int(min(max(usual, min(mostRoom, upTo(small))), max(leastRoom, upTo(roomy))))
}

// collectEagerly sets the garbage collector by what lives after each collection.
// Whoever set GOGC or GOMEMLIMIT has decided, and is left alone.
func collectEagerly() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	set := garbagePercent(0)
	debug.SetGCPercent(set)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	// Each collection finds the one mark that nobody holds, looks, and leaves another.
	type mark struct{ _ [64]byte }
	var look func(*mark)
	look = func(*mark) {
		metrics.Read(live)
		if p := garbagePercent(live[0].Value.Uint64()); p != set {
			debug.SetGCPercent(p)
			set = p
		}
		runtime.SetFinalizer(new(mark), look)
	}
	runtime.SetFinalizer(new(mark), look)
}
