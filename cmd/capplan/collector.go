package main

import (
	"math"
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
	limit     = 768 << 20 // bytes of memory up to which what is free is given back before more is taken
)

// memoryLimit is up to how much memory is taken from the system while that much lives: the process would hold large
// lists that are let go of beside others that are made. Where nearly all of it lives, the limit would have Go do
// little else than collect, and there is none.
func memoryLimit(live uint64) int64 {
	if live > limit*9/10 {
		return math.MaxInt64
	}
	return limit
}

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
	set, most := garbagePercent(0), memoryLimit(0)
	debug.SetGCPercent(set)
	debug.SetMemoryLimit(most)
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
		if l := memoryLimit(live[0].Value.Uint64()); l != most {
			debug.SetMemoryLimit(l)
			most = l
		}
		runtime.SetFinalizer(new(mark), look)
	}
	runtime.SetFinalizer(new(mark), look)
}
