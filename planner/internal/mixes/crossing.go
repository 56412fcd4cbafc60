package mixes

import (
	"errors"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/reliability"
)

// A Crossing is what the public machines of a mix ask for beside their price:
// jobs and swaps over the link, and an epoch at which recoveries and migrations
// are stable. It depends on how much of the work stands on public machines, so
// that it can be told only of a mix.
type Crossing struct {
	Types []CrossingType
	model *Model  // says how busy machines are; nil: as their worth
	Rate  float64 // λ, jobs that arrive per second; NaN: not known
	Load  float64 // a, in erlangs; 0: not known
	// The link; nil bandwidths carry anything.
	Footprint float64  // m, bit; 0: there is no link
	Up, Down  float64  // bit/s; 0: not given
	Dedicated *float64 // that swap jobs over the link; nil: all of the mix
	Delta     float64  // δ of the link, s; 0: the best epoch of the mix
	Epoch     *CrossingEpoch
	Public    *float64 // share of the worth that may stand on public machines; nil: any
}

// A CrossingType is a type of machine as the link and the epoch see it.
type CrossingType struct {
	Public   bool
	Replicas float64 // k, copies of a job over the link
	Places   float64 // m·Pav/k, jobs that one public machine holds at a time; m, those of a dedicated one
	Outages  float64 // rate at which a job on the type loses all its replicas, per s
}

// A CrossingEpoch is what the part epoch says of migrations.
type CrossingEpoch struct {
	Migrations, Time float64
	Failures         float64 // y, given; 0: from the public jobs
	Jobs             float64 // public jobs, given; 0: from the mix
	Model            reliability.EpochModel
	Length           float64 // s; 0: the best
	any              bool    // recoveries and migrations need not be stable
}

// A Crossed is what one mix comes to.
type Crossed struct {
	Share      float64 // of the served jobs, on public machines
	Copies     float64 // k, mean replicas of a job there
	Places     float64 // jobs that public machines hold
	Jobs       float64 // jobs on public machines at a time
	Dedicated  float64 // jobs that dedicated machines hold
	Failures   float64 // y, jobs that lose all replicas, per s
	Migrations float64 // x of the epoch, at most one for each dedicated machine
	Epoch      float64 // δ of the link, s; +Inf: nothing is swapped
	Stable     bool    // there is an epoch for recoveries and migrations
	Carried    bool    // the link carries it
	Up, Down   float64 // bit/s
}

// By returns the crossing where machines are as busy as in the queue of a
// figure; itself without one.
func (c *Crossing) By(figure *Model) *Crossing {
	if c == nil || figure == nil {
		return c
	}
	out := *c
	out.model = figure
	return &out
}

// At returns what counts of machines of the given worth come to. With b of the
// places of a type busy on average and speed v the type serves b·v jobs in a
// mean service,
//
//	s = Σ_public bᵢvᵢ/Σ bᵢvᵢ,  k = Σ_public kᵢbᵢvᵢ/Σ_public bᵢvᵢ,  P = Σ_public nᵢmᵢPavᵢ/kᵢ
//
// Public jobs are J = Σ_public bᵢ, and all their replicas are lost at the rate
// y = Σ_public bᵢyᵢ. Without the queue of the mix its machines are taken to be
// as busy as the mix, b = n·m·Pav/k·min(1, a/W), so that s is the share of the
// worth W.
func (c *Crossing) At(items []cover.Item, counts []int64) Crossed {
	x := Crossed{Copies: 1, Stable: true, Carried: true, Epoch: math.Inf(1)}
	busy, served := c.work(items, counts)
	all, public, copied := 0.0, 0.0, 0.0
	for i, n := range counts {
		t := &c.Types[i]
		all += served[i]
		if !t.Public {
			x.Dedicated += t.Places * float64(n)
			continue
		}
		public, copied = public+served[i], copied+t.Replicas*served[i]
		x.Places += t.Places * float64(n)
		x.Jobs += busy[i]
		x.Failures += busy[i] * t.Outages
	}
	if c.Dedicated != nil {
		x.Dedicated = *c.Dedicated
	}
	if public == 0 {
		return x
	}
	x.Share, x.Copies = public/all, copied/public
	if e := c.Epoch; e != nil {
		if e.Jobs > 0 && x.Jobs > 0 {
			x.Failures *= e.Jobs / x.Jobs
			x.Jobs = e.Jobs
		}
		if e.Failures > 0 {
			x.Failures = e.Failures
		}
	}
	c.schedule(&x)
	if c.Footprint > 0 {
		_, x.Up, x.Down = c.Link(&x).Loads()
		x.Carried = (c.Up == 0 || x.Up < c.Up*(1-1e-13)) && (c.Down == 0 || x.Down < c.Down*(1-1e-13))
	}
	return x
}

// work returns by type the busy places, and what they serve in any unit.
func (c *Crossing) work(items []cover.Item, counts []int64) (busy, served []float64) {
	busy, served = make([]float64, len(counts)), make([]float64, len(counts))
	if c.model != nil {
		if b := c.model.busy(counts); b != nil {
			for i := range counts {
				busy[i], served[i] = b[i], b[i]*c.model.Kinds[i].Speed
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
	if c.Load > 0 {
		part = math.Min(1, c.Load/worth)
	}
	for i, n := range counts {
		if busy[i] = c.Types[i].Places * float64(n); c.model == nil {
			busy[i] *= part
			continue
		}
		// Where hardly a job comes, each finds all idle and takes any of them.
		busy[i], served[i] = 0, busy[i]
	}
	return busy, served
}

// schedule finds the epoch of a mix and whether it is stable.
func (c *Crossing) schedule(x *Crossed) {
	if c.Delta > 0 {
		x.Epoch = c.Delta
	}
	e := c.Epoch
	if e == nil {
		return
	}
	x.Migrations = math.Min(e.Migrations, x.Dedicated)
	if x.Migrations == 0 || x.Failures == 0 {
		return // nothing is swapped, or the longest epoch is the best
	}
	best, stable := e.best(x.Migrations, x.Failures)
	x.Stable = stable
	if e.Length > 0 && stable && e.Model == reliability.MM1 {
		x.Stable = e.Length > x.Migrations*e.Time && e.Length < 2/x.Failures-2*e.Time
	}
	x.Stable = x.Stable || e.any
	if c.Delta == 0 {
		x.Epoch = best
	}
}

// best returns the best epoch; where none is stable the upper end of what
// detection of failures asks for.
func (e *CrossingEpoch) best(migrations, failures float64) (epoch float64, stable bool) {
	a, err := reliability.BestEpoch(reliability.EpochParams{
		Migrations:    migrations,
		MigrationTime: e.Time,
		FailureRate:   failures,
		Model:         e.Model,
	})
	switch {
	case errors.As(err, new(*reliability.EpochError)):
		return math.Max(2/failures-2*e.Time, e.Time), false
	case err != nil: // failures so rare, or migrations so few, that floats cannot hold the epoch
		return math.Inf(1), true
	}
	return a.Epoch, true
}

// Link states what a mix puts on the link. Bandwidths that are not given are
// left 0.
func (c *Crossing) Link(x *Crossed) reliability.SharedLinkParams {
	rate := c.Rate
	if math.IsNaN(rate) {
		rate = 0
	}
	return reliability.SharedLinkParams{
		Uplink:      c.Up,
		Downlink:    c.Down,
		Footprint:   c.Footprint,
		Copies:      x.Copies,
		Share:       x.Share,
		Dedicated:   x.Dedicated,
		Places:      x.Places,
		Epoch:       x.Epoch,
		ArrivalRate: rate,
	}
}

// Unlinked returns the crossing without a link; nil where there is none.
func (c *Crossing) Unlinked() *Crossing {
	if c == nil || c.Footprint == 0 {
		return nil
	}
	out := *c
	out.Footprint = 0
	return &out
}

// Names lists what may forbid a mix that is enough.
func (c *Crossing) Names() string {
	var all []string
	if c.Public != nil {
		all = append(all, "max_public_share")
	}
	if c.Footprint > 0 {
		all = append(all, "link")
	}
	if c.Epoch != nil {
		all = append(all, "epoch")
	}
	return strings.Join(all, " or ")
}

// Unshared returns the crossing where any share of the worth may be public; nil
// where none is limited.
func (c *Crossing) Unshared() *Crossing {
	if c == nil || c.Public == nil {
		return nil
	}
	out := *c
	out.Public = nil
	return &out
}

// Unscheduled returns the crossing where every epoch is as good as stable; nil
// where none is asked for.
func (c *Crossing) Unscheduled() *Crossing {
	if c == nil || c.Epoch == nil {
		return nil
	}
	out, e := *c, *c.Epoch
	e.any = true
	out.Epoch = &e
	return &out
}

// ForCase returns the crossing of another case of the load. Replicas, places
// and what is given of the epoch stay those of the most likely figures.
func (c *Crossing) ForCase(rate, load float64) *Crossing {
	if c == nil {
		return nil
	}
	out := *c
	out.Rate, out.Load = rate, load
	return &out
}
