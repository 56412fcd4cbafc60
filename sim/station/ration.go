package station

import (
	"cmp"

	"github.com/capplan/capplan/sim"
)

// A ration bounds the steps that conservative backfilling takes in a run. Until half of it is spent
// the whole queue moves up whenever somebody ends early. Then it is low: those who wait keep the
// starts that they were promised, and begin sooner only where they can at once. Whether even that takes
// too much decides how many are promised a start; others begin where they delay nobody who was.
//
// Mean waits of overloaded logs, whose jobs wait for most of their time, are .82 to 1.1 of those of the
// whole queue by 1,500 steps a job or more (TestRationLoss), and by 500 up to 2.3 times as long: a log of a
// million jobs has 1,600.
type ration struct {
	steps float64 // in all
	to    float64 // customers who are still to be served
	spent float64
	each  float64 // steps from one end to the next: a moving average
	low   bool
	depth int // how many are promised a start

	early, moved float64 // who ended early, and how often the whole queue moved up
	least        int     // promised a start when somebody was not; 0 where all were
}

// LogSteps are those of the replay of a log where Steps are 0; of drawn customers there are many runs.
const (
	LogSteps   = 1.6e9
	drawnSteps = LogSteps / 10
)

func newRation(s *Station, horizon float64) ration {
	if len(s.Jobs) == 0 {
		return ration{depth: maxServers, steps: cmp.Or(s.Steps, drawnSteps), to: s.Events(horizon) / events}
	}
	return ration{depth: maxServers, steps: cmp.Or(s.Steps, LogSteps), to: float64(len(s.Jobs))}
}

// follow is told at each end what was spent so far, and how many are promised a start.
func (r *ration) follow(spent uint64, promised int) {
	cost := float64(spent) - r.spent
	r.spent = float64(spent)
	if r.to--; !r.low {
		r.low = r.spent > r.steps/2
		return
	}
	r.each += (cost - r.each) / 64
	switch allowed := (r.steps - r.spent) / max(1, r.to); {
	case r.each > allowed:
		r.depth = max(1, min(r.depth, promised)-1-promised/64)
	case r.each < allowed/2 && r.depth < maxServers:
		r.depth += 1 + r.depth/256
	}
}

// short notes that somebody waits behind so many who are promised a start.
func (r *ration) short(promised int) {
	if r.least == 0 || promised < r.least {
		r.least = max(1, promised)
	}
}

// figures hands over how far the queue was planned.
func (r *ration) figures(to *sim.Replication, first int) {
	share := 1.0
	if r.early > 0 {
		share = r.moved / r.early
	}
	to.Add(first, share, 1)
	to.Add(first+1, float64(r.least), 1)
}
