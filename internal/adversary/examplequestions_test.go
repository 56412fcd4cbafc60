package adversary

import (
	"context"
	"strings"
	"time"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// maybe returns a pointer to v, or nil two times of three.
func maybe[T any](d *drawer, v T) *T {
	if d.chance(2.0 / 3) {
		return nil
	}
	return &v
}

// rangeOf is a point, a uniform or a triangular range of positive numbers.
func rangeOf[T units.Quantity](scale T) func(d *drawer) units.Range[T] {
	return func(d *drawer) units.Range[T] {
		low := scale * T(0.5+d.r.Float64())
		switch d.r.IntN(4) {
		case 0:
			return units.Uniform(low, 2*low)
		case 1:
			return units.Triangular(low, 2*low, 3*low)
		}
		return units.Point(low)
	}
}

func init() {
	exampled(rangeOf[units.Erlang](20))
	exampled(rangeOf[units.Rate](2))
	exampled(rangeOf[units.Duration](10))
	exampled(rangeOf[units.Price](1))
	exampled(rangeOf[units.Number](1))
	exampled(rangeOf[units.Fraction](0.3))
	exampled(loadCurve)
	exampled(loads)
	exampled(waits)
	exampled(publicPool)
	exampled(func(d *drawer) sizing.SizeQuestion {
		t, o, kind := asked(d)
		return sizing.SizeQuestion{
			Traffic:    t,
			Objectives: o,
			Model:      kind,
			Pool:       maybe(d, publicPool(d)),
			Staffing:   one(d, []sizing.StaffingMethod{"", sizing.SIPP, sizing.LaggedSIPP, sizing.MOL}),
			Samples:    one(d, []int{0, 1, 50}),
			Explain:    d.chance(0.5),
		}
	})
	exampled(func(d *drawer) sizing.CapacityQuestion {
		t, o, kind := asked(d)
		return sizing.CapacityQuestion{
			Traffic:    t,
			Objectives: o,
			Model:      kind,
			Pool:       maybe(d, publicPool(d)),
			Servers:    int64(1 + d.r.IntN(50)),
			SolveFor:   one(d, []sizing.Unknown{"", sizing.SolveLoad, sizing.SolveServiceTime, sizing.SolveObjective}),
			Explain:    d.chance(0.5),
		}
	})
	exampled(func(d *drawer) sizing.ThroughputQuestion {
		return sizing.ThroughputQuestion{
			Dedicated:   int64(d.r.IntN(50)),
			Pool:        maybe(d, publicPool(d)),
			Rate:        d.r.Float64(),
			ServiceTime: 20,
			Explain:     d.chance(0.5),
		}
	})
	exampled(queue)
	exampled(plan)
	exampled(func(d *drawer) routes.Question {
		return routes.Question{
			Clusters: []routes.Cluster{routeCluster(d, "a"), routeCluster(d, "b")},
			Types:    []routes.RequestType{{Name: "x", Share: 0.5}, {Name: "y", Share: 0.3}}[:d.r.IntN(3)],
			Rate:     maybe(d, units.Point(units.Rate(0.3))),
			Policy:   one(d, []routes.Policy{"", routes.PAP, routes.RR, routes.LRF, routes.BCF}),
			ByType:   d.chance(0.3),
			Hedge:    one(d, []routes.Hedge{"", routes.HedgeMean, routes.HedgeWorst}),
			Dispatch: int64(d.r.IntN(20)),
			Samples:  one(d, []int{0, 10}),
			Explain:  d.chance(0.5),
		}
	})
	exampled(replicas)
	exampled(checkpoint)
	exampled(func(d *drawer) survival.EpochQuestion {
		return survival.EpochQuestion{
			Migrations:    new(5 * d.r.Float64()),
			MigrationTime: new(5 * d.r.Float64()),
			FailureRate:   new(0.001 * d.r.Float64()),
			Model:         one(d, []survival.EpochModel{"", survival.EpochParallel}),
			Explain:       d.chance(0.5),
		}
	})
	exampled(func(d *drawer) survival.LinkQuestion {
		return survival.LinkQuestion{
			Uplink:    maybe(d, 1e8),
			Downlink:  maybe(d, 1e8),
			Footprint: new(1e6),
			Replicas:  new(int64(1 + d.r.IntN(3))),
			Dedicated: maybe(d, int64(10)),
			Epoch:     new(300.0),
			Explain:   d.chance(0.5),
		}
	})
	exampled(func(d *drawer) survival.LifetimeQuestion {
		o := observations(d)
		return survival.LifetimeQuestion{
			Durations:  o.Durations,
			Censored:   o.Censored,
			Fleet:      maybe(d, *upDown(d)),
			PerMachine: d.chance(0.5),
			Explain:    d.chance(0.5),
		}
	})
	exampled(func(d *drawer) *tally.UpDown { return upDown(d) })
	exampled(func(d *drawer) *tally.Fleet { return upDown(d).Fleet() })
	exampled(func(d *drawer) tally.Fleet { return *upDown(d).Fleet() })
	exampled(batchFile)
	exampled(func(d *drawer) *allocation.BatchFile { b := batchFile(d); return &b })
	exampled(func(d *drawer) allocation.Question {
		b := batchFile(d)
		return allocation.Question{
			Batch:     &b,
			Method:    one(d, []alloc.Method{"", alloc.LPRound, alloc.UnitBig, alloc.MaxBest}),
			Backup:    one(d, []alloc.BackupMode{"", alloc.Soft, alloc.Strict}),
			Losses:    d.chance(0.3),
			TimeLimit: maybe(d, units.Duration(0.05)),
			BoundOnly: d.chance(0.2),
			Explain:   d.chance(0.5),
		}
	})
	exampled(func(d *drawer) allocation.GenerateQuestion {
		return allocation.GenerateQuestion{
			Jobs:          d.r.IntN(30),
			Resources:     1 + d.r.IntN(5),
			PrimaryFactor: 0.5 + d.r.Float64(),
			BackupFactor:  d.r.Float64(),
			Mix:           [3]float64{20, 70, 10},
		}
	})
	exampled(func(d *drawer) allocation.StudyQuestion {
		return allocation.StudyQuestion{
			Figure:    one(d, allocation.StudyFigures()).Name,
			Jobs:      5,
			Resources: 2,
			Seeds:     1,
		}
	})
	exampled(func(d *drawer) allocation.ModelQuestion {
		m := model(d)
		solver, err := allocation.FindSolver("go")
		if err != nil {
			panic(err)
		}
		return allocation.ModelQuestion{Model: &m, Solver: solver, TimeLimit: maybe(d, units.Duration(1)), Explain: d.chance(0.5)}
	})
	exampled(machineTrace)
	exampled(func(d *drawer) machines.Labelling {
		return machines.Labelling{Period: maybe(d, 600.0), Light: maybe(d, 0.2), Gap: maybe(d, 1800.0), Location: time.UTC}
	})
	exampled(func(d *drawer) machines.DayWindow {
		return machines.DayWindow{
			Day:    one(d, []string{"weekday", "weekend"}),
			Start:  3600 * float64(d.r.IntN(22)),
			Window: 3600,
			Days:   d.r.IntN(10),
		}
	})
	exampled(machineKernel)
}

var modelKinds = []sizing.ModelKind{sizing.Loss, sizing.Wait, sizing.Abandon}

func loadCurve(d *drawer) traffic.Curve {
	var c traffic.Curve
	for i := range max(d.length, 1) {
		c.Start = append(c.Start, 3600*float64(i))
		c.Rate = append(c.Rate, d.r.Float64())
	}
	c.End = 3600 * float64(len(c.Start))
	return c
}

// asked are a load, objectives and a model that go together.
func asked(d *drawer) (sizing.Traffic, sizing.Objectives, sizing.ModelKind) {
	t := loads(d)
	var o sizing.Objectives
	kind := one(d, modelKinds)
	switch kind {
	case sizing.Loss:
		o.MaxBlocking = new(units.Fraction(0.05))
	case sizing.Abandon:
		t.Patience = new(units.Duration(30))
		o.MaxAbandon = new(units.Fraction(0.1))
		if d.chance(0.5) {
			o.MaxWait = new(units.Duration(20))
		}
	case sizing.Wait:
		o = waits(d)
		t.ArrivalSCV, t.ServiceSCV = maybe(d, units.Number(2*d.r.Float64())), maybe(d, units.Number(2*d.r.Float64()))
	}
	if d.chance(0.5) {
		o.MaxUtilization = new(units.Fraction(0.8))
	}
	return t, o, kind
}

// loads are in one of three forms.
func loads(d *drawer) sizing.Traffic {
	load, service := rangeOf[units.Erlang](10)(d), rangeOf[units.Duration](10)(d)
	rate, curve := rangeOf[units.Rate](1)(d), loadCurve(d)
	switch d.r.IntN(4) {
	case 0:
		return sizing.Traffic{OfferedLoad: &load, ServiceTime: &service}
	case 1:
		service = units.Point(service.Mode)
		return sizing.Traffic{Curve: &curve, ServiceTime: &service}
	}
	return sizing.Traffic{Rate: &rate, ServiceTime: &service}
}

// waits are one limit of the wait, or several.
func waits(d *drawer) sizing.Objectives {
	var o sizing.Objectives
	for range 1 + d.r.IntN(2) {
		switch d.r.IntN(3) {
		case 0:
			o.MaxWait = new(units.Duration(20))
			o.Percentile = maybe(d, units.Percentile(0.9))
		case 1:
			o.MaxMeanWait = new(units.Duration(5))
		case 2:
			o.MaxMeanResponse = new(units.Duration(30))
		}
	}
	return o
}

func publicPool(d *drawer) sizing.Pool {
	return sizing.Pool{
		Machines:     float64(d.r.IntN(100)),
		Speed:        0.1 + d.r.Float64(),
		SpeedCV:      d.r.Float64(),
		Availability: d.r.Float64(),
		Replicas:     float64(1 + d.r.IntN(3)),
	}
}

func queue(d *drawer) queues.QueueQuestion {
	q := queues.QueueQuestion{
		Queue: one(d, []queues.QueueModel{
			queues.ErlangB, queues.ErlangC, queues.ErlangA, queues.GGC, queues.Engset, queues.MMCK, queues.Finite,
			queues.Hayward, queues.MG1, queues.GIM1, queues.MDC, queues.PS, queues.Priority, queues.Classes,
		}),
		Servers:    float64(1 + d.r.IntN(30)),
		Traffic:    loads(d),
		Percentile: maybe(d, units.Percentile(0.9)),
		MaxWait:    maybe(d, units.Duration(10)),
		Explain:    d.chance(0.5),
	}
	switch q.Queue {
	case queues.MMCK:
		q.Capacity = new(units.Count(40))
	case queues.Engset:
		q.Sources, q.LoadPerSource = new(units.Count(20)), new(units.Erlang(0.5))
		q.Traffic = sizing.Traffic{}
	case queues.Finite:
		q.Sources, q.ThinkTime = new(units.Count(20)), new(units.Duration(5))
	case queues.Hayward:
		q.Peakedness = new(units.Number(2))
	case queues.MG1:
		q.Servers, q.ServiceLaw = 1, one(d, []string{"", "gamma", "lognormal", "deterministic", "empirical:1,2,30"})
	case queues.GIM1:
		q.ArrivalLaw = one(d, []string{"", "gamma", "deterministic", "uniform"})
	case queues.Priority, queues.Classes:
		q.Traffic = sizing.Traffic{}
		q.Capacity = maybe(d, units.Count(20))
		for _, name := range []string{"a", "b", "c"}[:1+d.r.IntN(3)] {
			q.JobClasses = append(q.JobClasses, queues.JobClass{
				Name:        name,
				Rate:        new(units.Rate(d.r.Float64())),
				ServiceTime: new(units.Duration(1)),
				SCV:         maybe(d, units.Number(2)),
				Servers:     maybe(d, units.Count(2)),
				Reserve:     maybe(d, units.Count(1)),
			})
		}
	}
	return q
}

// scenarioParts are what a scenario may hold, each part one of these, empty for
// none.
var scenarioParts = [][]string{
	{"load: {rate: 2/s}\nservice: {time: 10s}\n", "load: {rate: 1..2/s}\nservice: {time: 5..10..12s}\n", "load: {erlangs: 20}\n"},
	{
		"objectives: {max_blocking: 1%}\n",
		"objectives: {max_blocking: 1%, budget: 20/h, availability: 99%}\n",
		"objectives: {max_wait: 20s, percentile: 90%}\n",
		"objectives: {max_mean_wait: 5s, max_utilization: 80%}\n",
	},
	{
		"",
		"machines:\n  - {name: rack, price: 0.4/h}\n",
		"machines:\n  - {name: rack, price: 0.4/h}\n  - {name: spot, kind: public, price: 0.07..0.1/h, speed: 0.8, availability: 90%, limit: 50}\n",
		"machines:\n  - {name: rack, price: 0.4/h, slots: 4}\n  - {name: spot, kind: public, price: 0.07/h, mttf: 2h..5h..8h, mttr: 10min}\n",
	},
	{"", "costs: {shortfall: 2.5/h}\n"},
	{"", "epoch: {migrations: 2, migration_time: 30s, failure_rate: 1/h}\n"},
	{"", "link: {uplink: 1Gbps, downlink: 1Gbps, footprint: 10MB, replicas: 2, epoch: 5min}\n"},
	{"", "checkpoint: {mtbf: 5h, cost: 2min, restart: 5min, work: 1d}\n"},
	{"", "replicas: {mttf: 5min, mttr: 2min, target: 95%}\n"},
	{"", "routing: {rate: 0.5/s, clusters: [{name: north, external: {service_time: 1s}}, {name: south, external: {service_time: 2s}}]}\n"},
	{"samples: 5\n", "samples: 20\nseed: 3\n"},
}

func plan(d *drawer) planner.PlanQuestion {
	text := ""
	for _, p := range scenarioParts {
		text += one(d, p)
	}
	if !strings.Contains(text, "kind: public") { // of which alone replicas are asked
		text = strings.ReplaceAll(text, ", availability: 99%}", "}")
	}
	q, err := planner.ReadScenario(context.Background(), strings.NewReader(text))
	if err != nil {
		panic(err.Error() + " in\n" + text)
	}
	return *q
}

func routeCluster(d *drawer, name string) routes.Cluster {
	return routes.Cluster{
		Name:     name,
		Local:    &routes.LocalStream{Rate: units.Point(units.Rate(0.3 * d.r.Float64())), ServiceTime: 0.8},
		External: routes.ExternalStream{ServiceTime: units.Duration(1 + d.r.Float64()), SCV: maybe(d, units.Number(0.25))},
		Servers:  maybe(d, units.Number(2)),
	}
}

func replicas(d *drawer) survival.ReplicasQuestion {
	q := survival.ReplicasQuestion{
		MTTF:    new(300.0),
		MTTR:    new(100 * d.r.Float64()),
		Target:  0.5 + d.r.Float64()/2,
		Needed:  int64(d.r.IntN(3)),
		Crews:   maybe(d, int64(2)),
		Window:  maybe(d, 100.0),
		Start:   one(d, []survival.WindowStart{"", survival.StartAllUp, survival.StartSteadyUp, survival.StartSteady}),
		Beta:    maybe(d, 0.1),
		Explain: d.chance(0.5),
	}
	if q.Beta == nil {
		q.Groups = []survival.RiskGroup{{Name: "a", Unavailability: 0.01, Capacity: 3}, {Name: "b", Capacity: 4}}[:d.r.IntN(3)]
	}
	return q
}

func checkpoint(d *drawer) survival.CheckpointQuestion {
	return survival.CheckpointQuestion{
		MTBF:    new(36000.0),
		Cost:    new(100 * d.r.Float64()),
		Restart: maybe(d, 60.0),
		Work:    new(1e6 * d.r.Float64()),
		MTTR:    maybe(d, 600.0),
		Explain: d.chance(0.5),
	}
}

// upDown adds up two machines.
func upDown(d *drawer) *tally.UpDown {
	t := tally.NewUpDown(d.chance(0.5))
	for node, name := range []string{"a", "b"} {
		at := 0.0
		for i := range 2 * d.length {
			end := at + 1 + 1000*d.r.Float64()
			if err := t.Add(trace.Interval{Node: node, Name: name, Start: at, End: end, Up: i%2 == 0}); err != nil {
				panic(err)
			}
			at = end
		}
	}
	return t
}

func batchFile(d *drawer) allocation.BatchFile {
	b := allocation.BatchFile{
		Dependencies: []string{"cpu"},
		Resources: []allocation.BatchResource{
			{ID: "r1", Dependency: "cpu", PrimaryCapacity: 100, BackupCapacity: new(units.Count(50))},
			{ID: "r2", Dependency: "cpu", PrimaryCapacity: 80, RiskGroup: one(d, []string{"", "g"})},
		},
	}
	for i := range d.length {
		b.Jobs = append(b.Jobs, allocation.BatchJob{
			ID:        string(rune('a' + i)),
			Admission: one(d, []string{"", "optional", "required"}),
			Levels: allocation.ByDependency[[]allocation.BatchLevel]{{
				Dependency: "cpu",
				Value: []allocation.BatchLevel{
					{Demand: 10, Revenue: 20},
					{Demand: units.Count(20 + d.r.IntN(20)), Revenue: 35},
				},
			}},
		})
	}
	return b
}

// machineTrace is of a fortnight, in samples or in times up and down.
func machineTrace(d *drawer) machines.Trace {
	begin := float64(plainTimes[0].Unix())
	t := machines.Trace{Name: one(d, []string{"", "a", "b"})}
	if d.chance(0.3) {
		for i := range 20 {
			start := begin + 60_000*float64(i)
			t.Spells = append(t.Spells, machines.Spell{Start: start, End: start + 60_000, Up: i%2 == 0})
		}
		return t
	}
	for i := range 14 * 24 * 3 {
		t.Samples = append(t.Samples, smp.Sample{
			Time:       begin + 1200*float64(i),
			Load:       d.r.Float64(),
			FreeMemory: 1000 * d.r.Float64(),
			Down:       d.chance(0.05),
		})
	}
	return t
}

func machineKernel(d *drawer) machines.Kernel {
	return machines.Kernel{
		Step:    6,
		States:  []string{"S1", "S2", "S3"},
		Failure: []string{"S3"},
		Initial: "S1",
		Kernel: map[string]map[string][]float64{
			"S1": {"S2": {0.1, 0.2 * d.r.Float64()}, "S3": {0.05}},
			"S2": {"S1": {0.5}, "S3": {0, 0.5}},
		},
	}
}
