package adversary

import (
	"context"
	"math"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/queueing/loss"
	"github.com/capplan/capplan/queueing/networks"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/smp"
)

func jackson(d *drawer) networks.Jackson {
	n := networks.Jackson{Stations: make([]networks.OpenStation, d.length), Routing: make([][]float64, d.length)}
	for i := range n.Stations {
		n.Stations[i] = networks.OpenStation{ArrivalRate: d.r.Float64(), ServiceTime: 0.1, Servers: 1 + d.r.IntN(4)}
		n.Routing[i] = make([]float64, d.length)
		for j := range n.Routing[i] {
			n.Routing[i][j] = d.r.Float64() / float64(d.length+1)
		}
	}
	return n
}

func closedNetwork(d *drawer) networks.Closed {
	n := networks.Closed{
		Stations: make([]networks.Station, max(d.length, 1)),
		Classes:  make([]networks.Class, 1+d.r.IntN(3)),
	}
	for i := range n.Stations {
		n.Stations[i] = networks.Station{Servers: 1 + d.r.IntN(3), Delay: d.chance(0.2)}
	}
	for i := range n.Classes {
		n.Classes[i] = networks.Class{Customers: 1 + d.r.IntN(10), Demands: make([]float64, len(n.Stations))}
		for j := range n.Stations {
			n.Classes[i].Demands[j] = d.r.Float64()
		}
	}
	return n
}

func cycle(d *drawer) varying.Cycle {
	var c varying.Cycle
	for i := range max(d.length, 1) {
		c.Start = append(c.Start, float64(i)*3600)
		c.Rate = append(c.Rate, d.r.Float64())
	}
	c.End = float64(len(c.Start)) * 3600
	return c
}

func lossNetwork(d *drawer) networks.Loss {
	n := networks.Loss{Links: make([]networks.Link, max(d.length, 1)), Routes: make([]networks.Route, 3)}
	for i := range n.Links {
		n.Links[i].Servers = float64(d.r.IntN(20))
	}
	for i := range n.Routes {
		n.Routes[i] = networks.Route{Load: 5 * d.r.Float64(), Links: []int{d.r.IntN(len(n.Links))}}
	}
	return n
}

func reservation(d *drawer) loss.Reservation {
	q := loss.Reservation{Capacity: 10 + d.r.IntN(10)}
	for range 1 + d.r.IntN(3) {
		s := loss.Stream{Width: 1 + d.r.IntN(3), JobLoad: d.r.Float64(), Rate: d.r.Float64()}
		q.Streams = append(q.Streams, loss.ReservedStream{Stream: s, Reserve: d.r.IntN(3)})
	}
	return q
}

func cluster(d *drawer) routing.Cluster {
	return routing.Cluster{
		Name:              "c",
		LocalRate:         0.3 * d.r.Float64(),
		LocalServiceTime:  1,
		LocalSecondMoment: 1 + d.r.Float64(),
		ServiceTime:       1 + d.r.Float64(),
		SecondMoment:      4 + d.r.Float64(),
		Servers:           float64(1 + d.r.IntN(3)),
		Power:             1,
		Price:             d.r.Float64(),
	}
}

func observations(d *drawer) law.Observations {
	o := law.Observations{Durations: make([]float64, 3+d.r.IntN(20))}
	o.Censored = make([]bool, len(o.Durations))
	for i := range o.Durations {
		o.Durations[i] = d.r.ExpFloat64() * 100
		o.Censored[i] = d.chance(0.2)
	}
	return o
}

func atoms(d *drawer) []smp.Atom {
	var all []smp.Atom
	for from := range smp.S5 + 1 {
		for range 1 + d.r.IntN(3) {
			to := (from + 1 + d.r.IntN(4)) % 5
			all = append(all, smp.Atom{From: from, To: to, Steps: 1 + d.r.IntN(20), Prob: 0.3})
		}
	}
	return all
}

// history is of a fortnight, in steps of ten minutes.
func history(d *drawer) *smp.History {
	h := &smp.History{Period: 600}
	at := plainTimes[0].Unix() / 600
	for at < plainTimes[0].Unix()/600+14*144 {
		steps := int64(1 + d.r.IntN(100))
		h.Runs = append(h.Runs, smp.Run{State: d.r.IntN(5), First: at, Steps: steps})
		at += steps
		if d.chance(0.1) {
			at += int64(d.r.IntN(50))
		}
	}
	return h
}

func samples(d *drawer) []smp.Sample {
	all := make([]smp.Sample, 20*d.length)
	for i := range all {
		all[i] = smp.Sample{Time: float64(60 * i), Load: d.r.Float64(), FreeMemory: 2e8 * d.r.Float64(), Down: d.chance(0.1)}
	}
	return all
}

func windows(d *drawer) []smp.Sequence {
	all := make([]smp.Sequence, max(d.length, 1))
	for i := range all {
		path := make([]int, 1+d.r.IntN(40))
		for j := range path {
			path[j] = d.r.IntN(5)
			if j > 0 && d.chance(0.7) {
				path[j] = path[j-1]
			}
		}
		all[i] = smp.SequenceOf(path)
	}
	return all
}

func days(d *drawer) []smp.Day {
	all := make([]smp.Day, 2*d.length)
	for i, parts := range windows(d) {
		if i < len(all) {
			all[i] = smp.Day{Date: smp.Date{Year: 2024, Month: 3, Day: 1 + i}, Parts: []smp.Sequence{parts}, Whole: true, Known: 1}
		}
	}
	return all
}

func model(d *drawer) lp.Model {
	m := lp.Model{Maximize: d.chance(0.5)}
	for range max(d.length, 1) {
		v := lp.Variable{Cost: d.r.NormFloat64(), Upper: 10, Integer: d.chance(0.3)}
		m.Variables = append(m.Variables, v)
	}
	for range d.length {
		r := lp.Row{Lower: math.Inf(-1), Upper: 5 + d.r.Float64()}
		for i := range m.Variables {
			if d.chance(0.7) {
				r.Terms = append(r.Terms, lp.Term{Variable: i, Coefficient: d.r.Float64()})
			}
		}
		m.Rows = append(m.Rows, r)
	}
	return m
}

func batch(d *drawer) *alloc.Batch {
	b, err := alloc.Generate(context.Background(), alloc.GeneratorOptions{
		Dependencies:  []string{"compute", "storage"}[:1+d.r.IntN(2)],
		Jobs:          1 + d.r.IntN(20),
		Resources:     1 + d.r.IntN(5),
		PrimaryFactor: 0.9,
		BackupFactor:  0.5,
		OptionalShare: one(d, []float64{0, 0.5}),
		PriceFactor:   one(d, []float64{0, 0.5}),
		Seed:          d.r.Uint64(),
	})
	if err != nil {
		panic(err)
	}
	return b
}

func system(d *drawer) *alloc.System {
	s, err := alloc.New(batch(d))
	if err != nil {
		panic(err)
	}
	return s
}

func choices(d *drawer) alloc.Choices {
	c := make(alloc.Choices, 1+d.r.IntN(2))
	for i := range c {
		c[i] = make([]alloc.Choice, 1+d.r.IntN(20))
		for j := range c[i] {
			c[i][j] = alloc.Choice{Resource: int32(d.r.IntN(4) - 1), Level: int32(d.r.IntN(3))}
		}
	}
	return c
}

func aChart(d *drawer) chart.Chart {
	c := chart.Chart{Title: "t", XLog: d.chance(0.2), YLog: d.chance(0.2)}
	for range 1 + d.r.IntN(3) {
		s := chart.Series{Name: "s", X: make([]float64, max(d.length, 1)), Style: chart.Style(d.r.IntN(4))}
		s.Y = make([]float64, len(s.X))
		for i := range s.X {
			s.X[i], s.Y[i] = float64(i+1), d.r.Float64()
		}
		c.Series = append(c.Series, s)
	}
	return c
}
