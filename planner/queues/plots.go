package queues

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// curvePoints is how many points a curve of a queue has.
const curvePoints = 120

// Plots returns blocking against the load, or the chance to wait longer than t.
// Curves are drawn of the Erlang queues and of ggc, whose figures at another load
// cost next to nothing.
func (a *QueueAnswer) Plots(context.Context) ([]ask.Plot, error) {
	q := a.asked
	if q == nil {
		return nil, ask.NotDrawn("there is no drawing of %s", a.Queue)
	}
	// The patience is looked for before the model is made, whose own words would
	// speak of a parameter that nobody named.
	if q.Queue == ErlangA && q.Patience == nil {
		return nil, ask.Missing("patience", "a mean patience such as 2min")
	}
	kind, s := q.kind(), q.Nominal()
	m, err := q.refine(q.ModelOf(kind, s))
	if err != nil {
		return nil, err
	}
	g, err := m.At(q.Servers)
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	servers := units.FormatNumber(a.Servers, 7) + " servers"
	if kind == sizing.Loss {
		c := ask.Curve{Name: "blocking probability"}
		// The load goes to twice the one asked about, and at least to that of
		// full servers, so that the bend of the curve is in the picture. The
		// least load is above 0, where a curve of loads begins to have a
		// blocking.
		top := math.Max(2*g.OfferedLoad, q.Servers)
		for i := 1; i <= curvePoints; i++ {
			load := top * float64(i) / curvePoints
			// Each point is asked in units of the service time, where rate and
			// load are the same number.
			f, err := q.ModelOf(kind, sizing.Load{Rate: load, Service: 1, Clock: true}).At(q.Servers)
			if err != nil {
				return nil, ask.FromQueueing("load", err)
			}
			c.Add(load, f.Blocking)
		}
		return []ask.Plot{{
			Title:    "Blocking against load",
			Subtitle: servers + ", " + kind.Words(),
			X:        ask.Axis{Name: "offered load", Unit: "erl"},
			Y:        ask.Axis{Name: "blocking probability", Unit: "fraction"},
			Curves:   []ask.Curve{c},
			Marks:    []ask.Mark{{X: g.OfferedLoad, Y: *a.Blocking}},
		}}, nil
	}
	of, err := q.ServiceLevelOf.Meaning()
	if err != nil {
		return nil, err
	}
	return []ask.Plot{q.tail(a, g, of, servers, s)}, nil
}

// tail returns the chance to wait longer than t, up to where it has fallen to a
// thousandth, and beyond the wait asked about. A thousandth of those who wait at
// all, so that a queue with few waits has its tail in the picture too.
func (q *QueueQuestion) tail(a *QueueAnswer, g queueing.Figures, of queueing.ServiceLevelOf, servers string,
	s sizing.Load) ask.Plot {
	p := ask.Plot{
		Title:    "Law of the wait",
		Subtitle: fmt.Sprintf("%s, %s, %s erl", a.Queue, servers, units.FormatNumber(a.OfferedLoad, 5)),
		X:        ask.Axis{Name: "t", Unit: "s"},
		Y:        ask.Axis{Name: "probability to wait longer than t", Unit: "fraction"},
	}
	// Without a service time the mean service is the unit of time.
	if !s.Clock {
		p.X.Unit = "mean services"
	}
	at := float64(ask.Value(q.MaxWait))
	top := math.Max(g.WaitPercentile(1-1e-3*g.WaitProbability), 1.2*at)
	// With no wait there is no quantile to end at, and an axis of length 0 cannot
	// be drawn.
	if top == 0 || math.IsInf(top, 1) { // hardly anybody waits
		top = s.Service
	}
	c := ask.Curve{Name: "P(wait > t)"}
	for i := range curvePoints + 1 {
		t := top * float64(i) / curvePoints
		c.Add(t, g.Late(of, t))
	}
	p.Curves = []ask.Curve{c}
	if a.ServiceLevel != nil {
		p.Upright = []ask.Rule{{Value: at, Name: "max-wait"}}
		p.Marks = []ask.Mark{{X: at, Y: 1 - *a.ServiceLevel}}
	}
	return p
}
