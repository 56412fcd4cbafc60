package adversary

import (
	"reflect"
	"time"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/ranking"
	"github.com/capplan/capplan/units"
)

// examples are values that a model accepts, for types that chance would not
// make whole; what is drawn from them is then spoiled.
var examples = map[reflect.Type]func(d *drawer) any{}

// exampled adds an example.
func exampled[T any](of func(d *drawer) T) {
	examples[reflect.TypeFor[T]()] = func(d *drawer) any { return of(d) }
}

func init() {
	exampled(jackson)
	exampled(closedNetwork)
	exampled(cycle)
	exampled(lossNetwork)
	exampled(reservation)
	exampled(cluster)
	exampled(func(d *drawer) []routing.Cluster {
		c := make([]routing.Cluster, max(d.length, 1))
		for i := range c {
			c[i] = cluster(d)
			c[i].Name = string(rune('a' + i))
		}
		return c
	})
	exampled(func(d *drawer) []routing.Type {
		n := max(min(d.length, 3), 1)
		t := make([]routing.Type, n)
		for i := range t {
			t[i] = routing.Type{
				Name:              string(rune('a' + i)),
				Share:             1 / float64(n),
				Weight:            1 + d.r.Float64(),
				ServiceRatio:      1,
				SecondMomentRatio: 1,
			}
		}
		return t
	})
	exampled(observations)
	exampled(func(*drawer) smp.Space { return smp.FiveStates() })
	exampled(func(d *drawer) smp.Window {
		return smp.Window{Clock: time.Duration(d.r.IntN(23)) * time.Hour, Steps: 1 + d.r.IntN(50)}
	})
	exampled(func(d *drawer) smp.Thresholds {
		return smp.Thresholds{Period: 60, Light: 0.2, Heavy: 0.6, Grace: 60, WorkingSet: 1e8, Gap: 300}
	})
	exampled(atoms)
	exampled(func(d *drawer) *smp.Kernel {
		k, err := smp.NewKernel(smp.FiveStates(), atoms(d))
		if err != nil {
			panic(err)
		}
		return k
	})
	exampled(func(d *drawer) smp.Kernel {
		k, err := smp.NewKernel(smp.FiveStates(), atoms(d))
		if err != nil {
			panic(err)
		}
		return *k
	})
	exampled(history)
	exampled(func(d *drawer) smp.History { return *history(d) })
	exampled(samples)
	exampled(days)
	exampled(windows)
	exampled(func(d *drawer) []ranking.Host {
		hosts := make([]ranking.Host, max(d.length, 1))
		for i := range hosts {
			hosts[i] = ranking.Host{Name: string(rune('a' + i)), Rate: 1 + float64(i), History: history(d)}
		}
		return hosts
	})
	exampled(func(d *drawer) []ranking.Submission {
		jobs := make([]ranking.Submission, d.length)
		for i := range jobs {
			jobs[i] = ranking.Submission{Step: int64(60 * i), Length: 100 * d.r.Float64()}
		}
		return jobs
	})
	exampled(func(d *drawer) smp.Laboratory {
		return smp.Laboratory{Machines: 2, Days: 2, Period: 60, Begin: plainTimes[0], Seed: 1}
	})
	exampled(model)
	exampled(func(d *drawer) *lp.Model { m := model(d); return &m })
	exampled(func(d *drawer) lp.Kind { return one(d, []lp.Kind{lp.HiGHS, lp.GLPK, lp.CBC}) })
	exampled(func(d *drawer) lp.Status { return one(d, []lp.Status{lp.Optimal, lp.Feasible, lp.Infeasible}) })
	exampled(func(d *drawer) *alloc.Batch { return batch(d) })
	exampled(func(d *drawer) alloc.Batch { return *batch(d) })
	exampled(func(d *drawer) *alloc.System { return system(d) })
	exampled(func(d *drawer) alloc.System { return *system(d) })
	exampled(choices)
	exampled(func(d *drawer) alloc.Method {
		return one(d, []alloc.Method{"", alloc.LPRound, alloc.LPRoundPaper, alloc.UnitBig, alloc.MaxBest, alloc.Exact})
	})
	exampled(aChart)
	exampled(func(d *drawer) chart.Size { return chart.Size{Width: 400, Height: 300} })
	exampled(func(d *drawer) units.Range[units.Rate] { return units.Triangular[units.Rate](1, 2, 3) })
}
