package queues

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
)

// A QueueCurve is what a drawing of one queue shows: blocking against the
// load, or the chance to wait longer than t.
type QueueCurve struct {
	Tail bool      // X is a time, in seconds or, without a clock, mean services
	Unit string    // of X: "erlang", "s" or "mean services"
	X, Y []float64 // Y is a probability
	At   float64   // X of the question itself: its load, or its max-wait
}

// Drawn returns the curve of a question that [Queue] has answered.
func (q *QueueQuestion) Drawn() (*QueueCurve, error) {
	switch q.Queue {
	case ErlangB, ErlangC, ErlangA, GGC:
	default:
		return nil, ask.Inputf("plot", "there is no drawing of %s", q.Queue)
	}
	if q.Queue == ErlangA && q.Patience == nil {
		return nil, ask.Missing("patience", "a mean patience such as 2min")
	}
	kind, s := q.kind(), q.Nominal()
	model := func(s sizing.Load) (queueing.Model, error) { return q.refine(q.ModelOf(kind, s)) }
	m, err := model(s)
	if err != nil {
		return nil, err
	}
	g, err := m.At(q.Servers)
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	const points = 120
	if kind == sizing.Loss {
		c := &QueueCurve{Unit: "erlang", At: g.OfferedLoad}
		top := math.Max(2*g.OfferedLoad, q.Servers)
		for i := 1; i <= points; i++ {
			load := top * float64(i) / points
			f, err := q.ModelOf(kind, sizing.Load{Rate: load, Service: 1, Clock: true}).At(q.Servers)
			if err != nil {
				return nil, ask.FromQueueing("load", err)
			}
			c.X, c.Y = append(c.X, load), append(c.Y, f.Blocking)
		}
		return c, nil
	}
	c := &QueueCurve{Tail: true, Unit: "s"}
	if !s.Clock {
		c.Unit = "mean services"
	}
	if q.MaxWait != nil {
		c.At = float64(*q.MaxWait)
	}
	top := math.Max(g.WaitPercentile(1-1e-3*g.WaitProbability), 1.2*c.At)
	if top == 0 || math.IsInf(top, 1) { // hardly anybody waits
		top = s.Service
	}
	of, err := q.ServiceLevelOf.Meaning()
	if err != nil {
		return nil, err
	}
	for i := range points + 1 {
		t := top * float64(i) / points
		c.X, c.Y = append(c.X, t), append(c.Y, g.Late(of, t))
	}
	return c, nil
}
