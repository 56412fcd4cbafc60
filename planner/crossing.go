package planner

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/reliability"
)

// A crossing is what the public machines of a mix ask for beside their price:
// jobs and swaps over the link, and an epoch at which recoveries and migrations
// are stable. It depends on how much of the work stands on public machines, so
// that it can be told only of a mix.
type crossing struct {
	types []crossingType
	rate  float64 // λ, jobs that arrive per second; NaN: not known
	load  float64 // a, in erlangs; 0: not known
	// The link; nil bandwidths carry anything.
	footprint float64  // m, bit; 0: there is no link
	up, down  float64  // bit/s; 0: not given
	dedicated *float64 // that swap jobs over the link; nil: all of the mix
	delta     float64  // δ of the link, s; 0: the best epoch of the mix
	epoch     *crossingEpoch
}

// A crossingType is a type of machine as the link and the epoch see it.
type crossingType struct {
	public   bool
	replicas float64 // k, copies of a job over the link
	places   float64 // Pav/k, jobs that one public machine holds at a time
	outages  float64 // rate at which a job on the type loses all its replicas, per s
}

// A crossingEpoch is what the part epoch says of migrations.
type crossingEpoch struct {
	migrations, time float64
	failures         float64 // y, given; 0: from the public jobs
	jobs             float64 // public jobs, given; 0: from the mix
	model            reliability.EpochModel
	length           float64 // s; 0: the best
	any              bool    // recoveries and migrations need not be stable
}

// A crossed is what one mix comes to.
type crossed struct {
	share      float64 // of the work on public machines
	copies     float64 // k, mean replicas of a job there
	places     float64 // jobs that public machines hold
	jobs       float64 // jobs on public machines at a time
	dedicated  float64
	failures   float64 // y, jobs that lose all replicas, per s
	migrations float64 // x of the epoch, at most one for each dedicated machine
	epoch      float64 // δ of the link, s; +Inf: nothing is swapped
	stable     bool    // there is an epoch for recoveries and migrations
	carried    bool    // the link carries it
	up, down   float64 // bit/s
}

// at returns what counts of machines of the given worth come to.
//
//	s = Σ_public wᵢnᵢ/Σ wᵢnᵢ,  k = Σ_public kᵢwᵢnᵢ/Σ_public wᵢnᵢ,  P = Σ_public nᵢPavᵢ/kᵢ
//
// Public jobs are J = P·min(1, a/W): machines are as busy as the mix. The rate
// at which they lose all replicas is y = Σ Jᵢyᵢ.
func (c *crossing) at(items []cover.Item, counts []int64) crossed {
	x := crossed{copies: 1, stable: true, carried: true, epoch: math.Inf(1)}
	worth, public, copied, outages := 0.0, 0.0, 0.0, 0.0
	for i, n := range counts {
		t, w := &c.types[i], items[i].Worth*float64(n)
		worth += w
		if !t.public {
			x.dedicated += float64(n)
			continue
		}
		public, copied = public+w, copied+t.replicas*w
		x.places += t.places * float64(n)
		outages += t.places * float64(n) * t.outages
	}
	if c.dedicated != nil {
		x.dedicated = *c.dedicated
	}
	if public == 0 {
		return x
	}
	x.share, x.copies = public/worth, copied/public
	x.jobs = x.places
	if c.load > 0 {
		x.jobs *= math.Min(1, c.load/worth)
	}
	x.failures = outages * x.jobs / x.places
	if e := c.epoch; e != nil {
		if e.jobs > 0 {
			x.failures *= e.jobs / x.jobs
			x.jobs = e.jobs
		}
		if e.failures > 0 {
			x.failures = e.failures
		}
	}
	c.schedule(&x)
	if c.footprint > 0 {
		_, x.up, x.down = c.link(&x).Loads()
		x.carried = (c.up == 0 || x.up < c.up*(1-1e-13)) && (c.down == 0 || x.down < c.down*(1-1e-13))
	}
	return x
}

// schedule finds the epoch of a mix and whether it is stable.
func (c *crossing) schedule(x *crossed) {
	if c.delta > 0 {
		x.epoch = c.delta
	}
	e := c.epoch
	if e == nil {
		return
	}
	x.migrations = math.Min(e.migrations, x.dedicated)
	if x.migrations == 0 || x.failures == 0 {
		return // nothing is swapped, or the longest epoch is the best
	}
	best, stable := e.best(x.migrations, x.failures)
	x.stable = stable
	if e.length > 0 && stable && e.model == reliability.MM1 {
		x.stable = e.length > x.migrations*e.time && e.length < 2/x.failures-2*e.time
	}
	x.stable = x.stable || e.any
	if c.delta == 0 {
		x.epoch = best
	}
}

// best returns the best epoch; where none is stable the upper end of what
// detection of failures asks for.
func (e *crossingEpoch) best(migrations, failures float64) (epoch float64, stable bool) {
	a, err := reliability.BestEpoch(reliability.EpochParams{Migrations: migrations, MigrationTime: e.time, FailureRate: failures, Model: e.model})
	switch {
	case errors.As(err, new(*reliability.EpochError)):
		return math.Max(2/failures-2*e.time, e.time), false
	case err != nil: // failures so rare, or migrations so few, that floats cannot hold the epoch
		return math.Inf(1), true
	}
	return a.Epoch, true
}

// link states what a mix puts on the link. Bandwidths that are not given are
// left 0.
func (c *crossing) link(x *crossed) reliability.SharedLinkParams {
	rate := c.rate
	if math.IsNaN(rate) {
		rate = 0
	}
	return reliability.SharedLinkParams{
		Uplink:      c.up,
		Downlink:    c.down,
		Footprint:   c.footprint,
		Copies:      x.copies,
		Share:       x.share,
		Dedicated:   x.dedicated,
		Places:      x.places,
		Epoch:       x.epoch,
		ArrivalRate: rate,
	}
}

// unlinked returns the crossing without a link; nil where there is none.
func (c *crossing) unlinked() *crossing {
	if c == nil || c.footprint == 0 {
		return nil
	}
	out := *c
	out.footprint = 0
	return &out
}

// unscheduled returns the crossing where every epoch is as good as stable; nil
// where none is asked for.
func (c *crossing) unscheduled() *crossing {
	if c == nil || c.epoch == nil {
		return nil
	}
	out, e := *c, *c.epoch
	e.any = true
	out.epoch = &e
	return &out
}
