package intergrid

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/lease"
)

// The experiments of InterGrid section 5.2.2, by the letters of figures 5 to 7:
// what varies, over which points.
var leaseExperiments = []leaseExperiment{
	{
		letter: "a", x: "mean size of an external request (VMs)",
		at: []float64{2.5, 2.75, 3, 3.25, 3.5}, // the knee
		setting: func(v float64) routing.DAS2Setting {
			return routing.DAS2Setting{Knee: v}
		},
		value: func(w routing.Workload) float64 {
			size, _ := w.External.Size.Mean(routing.Exact)
			return size
		},
	},
	{
		letter: "b", x: "mean duration of an external request (s)",
		at: []float64{3, 3.4, 4, 4.3, math.Log(420) - 1.7*1.7/2, 4.8, 5}, // the mean of its logarithm
		setting: func(v float64) routing.DAS2Setting {
			return routing.DAS2Setting{LogMean: v}
		},
		value: func(w routing.Workload) float64 { return w.External.Duration.Mean() },
	},
	{
		letter: "c", x: "external requests (per s)",
		at: []float64{1 / 14., 0.085, 0.1, 0.115, 0.13, 0.15},
		setting: func(float64) routing.DAS2Setting {
			return routing.DAS2Setting{}
		},
		value: func(w routing.Workload) float64 { return 1 / w.External.Gap.Mean() },
	},
	{
		letter: "d", x: "local requests of a cluster in table 2 (per s, mean of the three)",
		at: []float64{0.05, 0.1, 0.125, 0.15, 0.175, 0.2},
		setting: func(v float64) routing.DAS2Setting {
			return routing.DAS2Setting{Experiment: routing.LocalRatesVaried, LocalScale: localScaleFor(v)}
		},
		value: meanLocalRate,
	},
}

// A leaseExperiment varies one thing. at are the values that are set; value gives what is drawn
// along x for one of them.
type leaseExperiment struct {
	letter, x string
	at        []float64
	setting   func(at float64) routing.DAS2Setting
	value     func(routing.Workload) float64 // what is drawn
}

// workload is that of a point. But for the experiments on rates, external requests
// come at 0.15/s, as the text has it; the table's scales end at 0.13/s.
func (e *leaseExperiment) workload(at float64) (routing.Workload, error) {
	w, err := routing.DAS2(e.setting(at))
	if err != nil {
		return w, err
	}
	rate := interGridRate
	switch e.letter {
	case "c":
		rate = at
	case "d":
		return w, nil
	}
	// Γ(1 + 1/0.5) = Γ(3) = 2.
	w.External.Gap.Scale = 1 / rate / 2 // the mean of a Weibull law of shape 0.5 is twice its scale
	return w, nil
}

// meanLocalRate is the mean rate of local requests. It is per s and cluster.
func meanLocalRate(w routing.Workload) float64 {
	rate := 0.0
	for _, s := range w.Sites {
		rate += 1 / s.Local.Gap.Mean() / float64(len(w.Sites))
	}
	return rate
}

// localScaleFor returns the place in the ranges of table 2 at which clusters have
// that many local requests per second on average. Sixty halvings of [0, 1] reach the last digit of
// a float64.
func localScaleFor(rate float64) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		mid := (low + high) / 2
		w, err := routing.DAS2(routing.DAS2Setting{Experiment: routing.LocalRatesVaried, LocalScale: mid})
		if err != nil {
			return math.NaN()
		}
		if meanLocalRate(w) < rate {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// leasePolicies are those of the paper, and leaseBeyond others.
var (
	leasePolicies = []lease.Policy{lease.PAPRTDP, lease.PAPRND, lease.BiggestClusterFirst, lease.LeastRateFirst,
		lease.RoundRobin}
	leaseBeyond = []lease.Policy{lease.LeastWorkLeft, lease.PAPServersRTDP, lease.PAPServersRND}
)

// leaseHorizon is two days. The paper simulates so long as well.
const leaseHorizon = 2 * 86400

// The names of two quantities as they are stored and shown; those of their simulation end in a unit.
const (
	awrt     = "awrt"
	response = "response"
)

// leaseFigures are those that are kept of a run, by the names of the quantity and of the simulation, and
// by what they are shown.
var leaseFigures = []struct {
	name, figure string
	unit         string
	by           float64
}{
	{lease.VMsPreempted, lease.VMsPreempted, "VMs", 1},
	{lease.UtilizationPrinted, lease.UtilizationPrinted, "%", 100},
	{awrt, lease.AWRT, "s", 1},
	{lease.MigrationRate, lease.MigrationRate, "%", 100},
	{lease.RejectionRate, lease.RejectionRate, "%", 100},
	{response, lease.Response, "s", 1},
	{lease.Utilization, lease.Utilization, "%", 100},
	{lease.LocalRejection, lease.LocalRejection, "%", 100},
}

// figureUnit is the unit of a figure, empty of one that is not kept.
func figureUnit(of string) string {
	for _, f := range leaseFigures {
		if f.name == of {
			return f.unit
		}
	}
	return ""
}

// leaseRuns are the values of a policy at a point: by figure and seed, NaN where a
// run has none. A run without a lease of the kind has no value.
type leaseRuns map[string][]float64

// runLeases simulates one policy at one point. The same seeds are given to every policy, so that
// differences can be paired. Errors: those of the simulation, and that of the context where it was
// cut short.
func runLeases(ctx context.Context, s *lease.System, seeds int, seed uint64) (leaseRuns, error) {
	r, err := lease.Simulate(ctx, s, sim.Options{Seed: seed, Horizon: leaseHorizon, Replications: seeds})
	if err != nil {
		return nil, err
	}
	if r.Interrupted {
		return nil, context.Cause(ctx)
	}
	out := leaseRuns{}
	for _, f := range leaseFigures {
		e, ok := r.Figure(f.figure)
		if !ok {
			return nil, fmt.Errorf("papers: no figure %s of leases", f.figure)
		}
		values := make([]float64, seeds)
		for i := range values {
			if v, ok := e.Value(i); ok {
				values[i] = f.by * v
			} else {
				values[i] = math.NaN()
			}
		}
		out[f.name] = values
	}
	return out, nil
}

// A leaseRunner runs a system, or knows what the same one came to. Tests give one that does not
// simulate.
type leaseRunner func(ctx context.Context, s *lease.System, seeds int, seed uint64) (leaseRuns, error)

// remembered runs no system twice: the experiments share their middle point. A run that a shard has
// kept is remembered as well, with its error.
func remembered(run leaseRunner) leaseRunner {
	known := map[string]func() (leaseRuns, error){}
	return func(ctx context.Context, s *lease.System, seeds int, seed uint64) (leaseRuns, error) {
		key := leaseKey(s, seeds, seed)
		if again := known[key]; again != nil {
			return again()
		}
		r, err := run(ctx, s, seeds, seed)
		if err == nil || errors.Is(err, pieces.ErrKept) {
			known[key] = func() (leaseRuns, error) { return r, err }
		}
		return r, err
	}
}

// leaseKey says all that the runs of a system depend on. The system is a struct of values, so that
// its text tells it from any other.
func leaseKey(s *lease.System, seeds int, seed uint64) string {
	return fmt.Sprintf("%d seeds from %d: %+v", seeds, seed, *s)
}

// A leaseReading is how the workload of table 2 is taken. Two readings of one table are compared:
// with room for external requests, and at face value.
type leaseReading struct {
	name  string
	apply func(*lease.System)
}

// roomy leaves room for external requests, as the text speaks of: the reading of
// intergrid-sizes and its like. faceValue takes the table as it stands.
func roomy(speed float64) leaseReading {
	return leaseReading{"room", func(s *lease.System) {
		s.ReferenceSpeed, s.LocalShare = speed, keptLocalShare
	}}
}

var faceValue = leaseReading{"face value", func(s *lease.System) { s.SplitAsPrinted = true }}

func (r leaseReading) system(w routing.Workload, p lease.Policy) *lease.System {
	s := &lease.System{Workload: w, Policy: p}
	r.apply(s)
	return s
}
