package pool

import (
	"runtime"
	"testing"
)

// An account of each of ten million users took 1.1 GB in a replication, and each run of the scheduler went through all,
// though some fourteen jobs an hour come.
func TestUsersWhoNeverCome(t *testing.T) {
	p := small(20)
	jobs := p.Jobs.(Poisson)
	jobs.Users = 10_000_000
	p.Jobs = jobs
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	simulate(t, p, day)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("two replications take %d MB", took>>20)
	}
	// Those who come in ten years take memory again.
	if took := p.Memory(10 * 365 * 86400); took < 150e6 {
		t.Errorf("%.3g bytes are foreseen of ten years", took)
	}
}
