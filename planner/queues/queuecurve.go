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
func (a *QueueAnswer) Plots(context.Context) ([]ask.Plot, error) {
	q := a.asked
	if q == nil {
		return nil, ask.NotDrawn("there is no drawing of %s", a.Queue)
	}
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
		top := math.Max(2*g.OfferedLoad, q.Servers)
		for i := 1; i <= curvePoints; i++ {
			load := top * float64(i) / curvePoints
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
// thousandth, and beyond the wait asked about.
func (q *QueueQuestion) tail(a *QueueAnswer, g queueing.Figures, of queueing.ServiceLevelOf, servers string,
	s sizing.Load) ask.Plot {
	p := ask.Plot{
		Title:    "Law of the wait",
		Subtitle: fmt.Sprintf("%s, %s, %s erl", a.Queue, servers, units.FormatNumber(a.OfferedLoad, 5)),
		X:        ask.Axis{Name: "t", Unit: "s"},
		Y:        ask.Axis{Name: "probability to wait longer than t", Unit: "fraction"},
	}
	if !s.Clock {
		p.X.Unit = "mean services"
	}
	at := 0.0
	if q.MaxWait != nil {
		at = float64(*q.MaxWait)
	}
	top := math.Max(g.WaitPercentile(1-1e-3*g.WaitProbability), 1.2*at)
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
