package lease

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
)

// A System is a gateway that dispatches external requests to clusters with local
// requests of their own. It is a [sim.Model] whose horizon is that of the run.
type System struct {
	// Workload holds the streams, their sizes, durations and gaps, and the
	// clusters. Sizes are rounded to whole nodes.
	Workload routing.Workload
	// ReferenceSpeed is that at which durations were measured, in the unit of the
	// clusters' speeds; a lease then lasts duration x reference / speed. 0: it
	// lasts as long on every cluster.
	ReferenceSpeed float64
	// LocalShare is the part of the local requests that is kept, at random; 0 is
	// all.
	LocalShare float64
	// Shares are those of the types Cancelable, Suspendable, Migratable and
	// NonPreemptable; all 0: a quarter each.
	Shares [4]float64
	// Overheads are those of a preemption; nil: those of InterGrid.
	Overheads *Overheads
	// Slack says by when a Migratable lease ends: its arrival + (1 + slack) x
	// duration; nil: 1. The paper does not say.
	Slack *float64

	Policy Policy
	// Sequence of RoundRobin, LeastRateFirst and BiggestClusterFirst.
	Sequence Sequence
	Victim   VictimRule
	// SplitAsPrinted has the policies of PAP take eq. 16 as it is printed, seconds
	// over MIPS, with which all clusters are all but idle. Otherwise durations
	// count as they are simulated.
	SplitAsPrinted bool
}

// Overheads are times of a lease's nodes that a preemption costs, in s.
//
// A local lease has its nodes at once, so a suspended lease cannot write itself
// out on them: what suspending takes stands with what resuming takes at the
// beginning of its next reservation.
type Overheads struct {
	Suspend, Resume float64 // of Suspendable leases
	Migrate         float64 // of Migratable ones, where they go on
}

// InterGridOverheads are those of InterGrid section 5.2.
var InterGridOverheads = Overheads{Suspend: 160, Resume: 126, Migrate: 372.5}

// settings are what the zero values of a System mean.
type settings struct {
	overheads Overheads
	slack     float64
	kept      float64
	share     [external]float64
	nodes     []int32
	pace      []float64 // seconds of work that pass in one, by cluster
}

const (
	mostNodes   = 1 << 24
	defaultKept = 1
	slackLength = 1
)

// resolved checks the system.
func (s *System) resolved(fn string) (settings, error) {
	o := settings{overheads: InterGridOverheads, slack: slackLength, kept: defaultKept, share: s.Shares}
	if s.Overheads != nil {
		o.overheads = *s.Overheads
	}
	if s.Slack != nil {
		o.slack = *s.Slack
	}
	if s.LocalShare != 0 {
		o.kept = s.LocalShare
	}
	if s.Shares == [external]float64{} {
		o.share = [external]float64{.25, .25, .25, .25}
	}
	sum := 0.0
	for _, v := range o.share {
		sum += v
		if !(v >= 0) {
			sum = math.NaN()
		}
	}
	for _, c := range []struct {
		ok   bool
		arg  string
		v    float64
		want string
	}{
		{least(o.overheads.Suspend), "Overheads.Suspend", o.overheads.Suspend, "finite Suspend >= 0"},
		{least(o.overheads.Resume), "Overheads.Resume", o.overheads.Resume, "finite Resume >= 0"},
		{least(o.overheads.Migrate), "Overheads.Migrate", o.overheads.Migrate, "finite Migrate >= 0"},
		{least(o.slack), "Slack", o.slack, "finite Slack >= 0"},
		{o.kept > 0 && o.kept <= 1, "LocalShare", s.LocalShare, "0 < LocalShare <= 1 (0 means 1)"},
		{least(s.ReferenceSpeed), "ReferenceSpeed", s.ReferenceSpeed, "finite ReferenceSpeed >= 0"},
		{math.Abs(sum-1) <= 1e-9, "Shares", sum, "Shares >= 0 that add up to 1"},
		{len(s.Workload.Sites) > 0, "Sites", 0, "at least one site"},
		{s.Policy < policies, "Policy", float64(s.Policy), "one of the policies of this package"},
		{s.Sequence <= Deterministic, "Sequence", float64(s.Sequence), "AsPrinted, Random or Deterministic"},
		{s.Victim <= Oldest, "Victim", float64(s.Victim), "Fewest, Youngest or Oldest"},
	} {
		if !c.ok {
			return o, &sim.DomainError{Func: fn, Arg: c.arg, Value: c.v, Want: c.want}
		}
	}
	// The laws are checked as those that clusters are made of.
	if _, _, err := s.Workload.Clusters(routing.Conversion{ReferenceSpeed: 1}); err != nil {
		return o, err
	}
	widest := widestOf(s.Workload.External.Size)
	for _, site := range s.Workload.Sites {
		name := site.Local.Name
		switch {
		case !(site.Elements >= 1 && site.Elements <= mostNodes) || site.Elements != math.Trunc(site.Elements):
			return o, &sim.DomainError{
				Func:  fn,
				Arg:   "Elements of " + name,
				Value: site.Elements,
				Want:  "a whole number of nodes within 1..16777216",
			}
		case widest > site.Elements:
			return o, &sim.DomainError{
				Func:  fn,
				Arg:   "Size of external requests",
				Value: widest,
				Want:  fmt.Sprintf("at most the %g nodes of %s", site.Elements, name),
			}
		case widestOf(site.Local.Size) > site.Elements:
			return o, &sim.DomainError{
				Func:  fn,
				Arg:   "Size of local requests of " + name,
				Value: widestOf(site.Local.Size),
				Want:  fmt.Sprintf("at most its %g nodes", site.Elements),
			}
		}
		pace := 1.0
		if s.ReferenceSpeed > 0 {
			pace = site.Speed / s.ReferenceSpeed
		}
		o.nodes, o.pace = append(o.nodes, int32(site.Elements)), append(o.pace, pace)
	}
	return o, nil
}

func least(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

// widestOf returns the greatest size of a law.
func widestOf(l routing.SizeLaw) float64 {
	if l.One >= 1 {
		return 1
	}
	return math.Exp2(math.Ceil(l.Parallel.H))
}
