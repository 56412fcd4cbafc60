package planner

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// QueueModel names one queue of a QueueQuestion.
type QueueModel string

// The queues.
const (
	ErlangB QueueModel = "erlang-b"
	ErlangC QueueModel = "erlang-c"
	ErlangA QueueModel = "erlang-a"
	GGC     QueueModel = "ggc"
)

// A QueueQuestion asks for the figures of one queue with a given number of
// servers, which may be fractional.
type QueueQuestion struct {
	Queue   QueueModel `json:"queue"`
	Servers float64    `json:"servers"`
	Traffic
	// Percentile of the wait; nil: 0.95. MaxWait asks for the service level.
	Percentile *units.Percentile `json:"percentile,omitempty"`
	MaxWait    *units.Duration   `json:"max_wait_s,omitempty"`
	Explain    bool              `json:"explain,omitempty"`
}

// A QueueAnswer holds the figures.
type QueueAnswer struct {
	Queue   QueueModel `json:"queue"`
	Servers float64    `json:"servers"`
	Figures
	// For erlang-b only.
	Log10Blocking *float64 `json:"log10_blocking,omitempty"` // also where the probability prints as 0
	CarriedLoad   *float64 `json:"carried_load_erl,omitempty"`
	LostLoad      *float64 `json:"lost_load_erl,omitempty"`
	// Improvement is the load that one more server would carry.
	Improvement *float64     `json:"improvement_erl,omitempty"`
	ServedLevel *float64     `json:"served_within_max_wait,omitempty"` // erlang-a: served, and after no longer wait
	Warnings    []string     `json:"warnings,omitempty"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Queue answers a QueueQuestion. A queue without a steady state is an
// *InfeasibleError.
func Queue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.form(); err != nil {
		return nil, err
	}
	if q.uncertain() || q.Curve != nil || q.Log != nil {
		return nil, &InputError{"load", "a queue takes one load: values, not ranges"}
	}
	kinds := map[QueueModel]ModelKind{ErlangB: Loss, ErlangC: Wait, ErlangA: Abandon, GGC: Wait}
	kind, ok := kinds[q.Queue]
	if !ok {
		return nil, &InputError{"queue", fmt.Sprintf("%q is no queue, want erlang-b, erlang-c, erlang-a or ggc", string(q.Queue))}
	}
	switch {
	case q.Queue == GGC && (q.ArrivalSCV == nil || q.ServiceSCV == nil):
		return nil, &InputError{"arrival-scv", "ggc wants arrival-scv and service-scv, such as 1 and 0.5"}
	case q.Queue != GGC && (q.ArrivalSCV != nil || q.ServiceSCV != nil):
		return nil, &InputError{"arrival-scv", fmt.Sprintf("%s has no such parameter: use ggc", q.Queue)}
	}
	s := q.nominal()
	o := &Objectives{Percentile: q.Percentile, MaxWait: q.MaxWait}
	limits := *o
	limits.Percentile, limits.MaxWait = nil, nil
	f, err := newFleet(&q.Traffic, &limits, kind, nil, s)
	if err != nil {
		return nil, err
	}
	if kind == Loss && q.MaxWait != nil {
		return nil, &InputError{"max-wait", "in erlang-b nobody waits"}
	}
	if q.MaxWait != nil && *q.MaxWait > 0 && !s.clock {
		return nil, &InputError{"service-time", "max-wait is in seconds and the load has no time in it: give service-time beside load"}
	}
	f.objectives = o
	g, err := f.model.At(q.Servers)
	if err != nil {
		return nil, explainError("servers", err)
	}
	a := &QueueAnswer{Queue: q.Queue, Servers: q.Servers, Figures: present(g, kind, s.clock, o), Warnings: f.warnings(g)}
	switch q.Queue {
	case ErlangB:
		if err := a.loss(q.Servers, g.OfferedLoad); err != nil {
			return nil, explainError("servers", err)
		}
	case ErlangA:
		if q.MaxWait != nil {
			served, err := f.model.(queueing.ErlangA).ServedWithin(q.Servers, float64(*q.MaxWait))
			if err != nil {
				return nil, explainError("max-wait", err)
			}
			a.ServedLevel = number(served)
		}
	}
	if q.Explain {
		a.Explanation = f.explain(g)
	}
	return a, nil
}

// loss fills in what only a loss system has.
func (a *QueueAnswer) loss(servers, load float64) error {
	log, err := queueing.LogErlangB(servers, load)
	if err != nil {
		return err
	}
	a.Log10Blocking = number(log / math.Ln10)
	carried, err := queueing.CarriedLoad(servers, load)
	if err != nil {
		return err
	}
	lost, err := queueing.LostLoad(servers, load)
	if err != nil {
		return err
	}
	improvement, err := queueing.Improvement(servers, load)
	if err != nil {
		return err
	}
	a.CarriedLoad, a.LostLoad, a.Improvement = number(carried), number(lost), number(improvement)
	return nil
}
