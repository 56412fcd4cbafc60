package planner

import (
	"errors"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/reliability"
)

// A crossing is what the public machines of a mix ask for beside their price:
// jobs and swaps over the link, and an epoch at which recoveries and migrations
// are stable. It depends on how much of the work stands on public machines, so
// that it can be told only of a mix.
type crossing struct {
	types  []crossingType
	figure *mixFigure // says how busy machines are; nil: as their worth
	rate   float64    // λ, jobs that arrive per second; NaN: not known
	load   float64    // a, in erlangs; 0: not known
	// The link; nil bandwidths carry anything.
	footprint float64  // m, bit; 0: there is no link
	up, down  float64  // bit/s; 0: not given
	dedicated *float64 // that swap jobs over the link; nil: all of the mix
	delta     float64  // δ of the link, s; 0: the best epoch of the mix
	epoch     *crossingEpoch
	public    *float64 // share of the worth that may stand on public machines; nil: any
}

// A crossingType is a type of machine as the link and the epoch see it.
type crossingType struct {
	public   bool
	replicas float64 // k, copies of a job over the link
	places   float64 // m·Pav/k, jobs that one public machine holds at a time; m, those of a dedicated one
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
	share      float64 // of the served jobs, on public machines
	copies     float64 // k, mean replicas of a job there
	places     float64 // jobs that public machines hold
	jobs       float64 // jobs on public machines at a time
	dedicated  float64 // jobs that dedicated machines hold
	failures   float64 // y, jobs that lose all replicas, per s
	migrations float64 // x of the epoch, at most one for each dedicated machine
	epoch      float64 // δ of the link, s; +Inf: nothing is swapped
	stable     bool    // there is an epoch for recoveries and migrations
	carried    bool    // the link carries it
	up, down   float64 // bit/s
}

// by returns the crossing where machines are as busy as in the queue of a
// figure; itself without one.
func (c *crossing) by(figure *mixFigure) *crossing {
	if c == nil || figure == nil {
		return c
	}
	out := *c
	out.figure = figure
	return &out
}

// at returns what counts of machines of the given worth come to. With b of the
// places of a type busy on average and speed v the type serves b·v jobs in a
// mean service,
//
//	s = Σ_public bᵢvᵢ/Σ bᵢvᵢ,  k = Σ_public kᵢbᵢvᵢ/Σ_public bᵢvᵢ,  P = Σ_public nᵢmᵢPavᵢ/kᵢ
//
// Public jobs are J = Σ_public bᵢ, and all their replicas are lost at the rate
// y = Σ_public bᵢyᵢ. Without the queue of the mix its machines are taken to be
// as busy as the mix, b = n·m·Pav/k·min(1, a/W), so that s is the share of the
// worth W.
func (c *crossing) at(items []cover.Item, counts []int64) crossed {
	x := crossed{copies: 1, stable: true, carried: true, epoch: math.Inf(1)}
	busy, served := c.work(items, counts)
	all, public, copied := 0.0, 0.0, 0.0
	for i, n := range counts {
		t := &c.types[i]
		all += served[i]
		if !t.public {
			x.dedicated += t.places * float64(n)
			continue
		}
		public, copied = public+served[i], copied+t.replicas*served[i]
		x.places += t.places * float64(n)
		x.jobs += busy[i]
		x.failures += busy[i] * t.outages
	}
	if c.dedicated != nil {
		x.dedicated = *c.dedicated
	}
	if public == 0 {
		return x
	}
	x.share, x.copies = public/all, copied/public
	if e := c.epoch; e != nil {
		if e.jobs > 0 && x.jobs > 0 {
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

// work returns by type the busy places, and what they serve in any unit.
func (c *crossing) work(items []cover.Item, counts []int64) (busy, served []float64) {
	busy, served = make([]float64, len(counts)), make([]float64, len(counts))
	if c.figure != nil {
		if b := c.figure.busy(counts); b != nil {
			for i := range counts {
				busy[i], served[i] = b[i], b[i]*c.figure.kinds[i].Speed
			}
			return busy, served
		}
	}
	worth := 0.0
	for i, n := range counts {
		served[i] = items[i].Worth * float64(n)
		worth += served[i]
	}
	part := 1.0
	if c.load > 0 {
		part = math.Min(1, c.load/worth)
	}
	for i, n := range counts {
		if busy[i] = c.types[i].places * float64(n); c.figure == nil {
			busy[i] *= part
			continue
		}
		// Where hardly a job comes, each finds all idle and takes any of them.
		busy[i], served[i] = 0, busy[i]
	}
	return busy, served
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
	a, err := reliability.BestEpoch(reliability.EpochParams{
		Migrations:    migrations,
		MigrationTime: e.time,
		FailureRate:   failures,
		Model:         e.model,
	})
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

// names lists what may forbid a mix that is enough.
func (c *crossing) names() string {
	var all []string
	if c.public != nil {
		all = append(all, "max_public_share")
	}
	if c.footprint > 0 {
		all = append(all, "link")
	}
	if c.epoch != nil {
		all = append(all, "epoch")
	}
	return strings.Join(all, " or ")
}

// unshared returns the crossing where any share of the worth may be public; nil
// where none is limited.
func (c *crossing) unshared() *crossing {
	if c == nil || c.public == nil {
		return nil
	}
	out := *c
	out.public = nil
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
