package queues

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// Each field of a question either changes the figures of a queue or is refused. A patience left those of
// mmck as they were, and so did a capacity those of erlang-c, where the question came without flags.
func TestFieldsOfQueuesCount(t *testing.T) {
	number, second, count := new(units.Number(0.5)), new(units.Duration(7)), new(units.Count(30))
	load := sizing.Traffic{OfferedLoad: units.Exactly[units.Erlang](8), ServiceTime: units.Exactly[units.Duration](10)}
	of := func(q QueueQuestion) *QueueQuestion { q.Servers = max(q.Servers, 10); return &q }
	less := sizing.Traffic{OfferedLoad: units.Exactly[units.Erlang](0.6), ServiceTime: units.Exactly[units.Duration](10)}
	bases := []*QueueQuestion{
		of(QueueQuestion{Queue: ErlangB, Traffic: load}), of(QueueQuestion{Queue: ErlangC, Traffic: load}),
		of(QueueQuestion{Queue: MMCK, Traffic: load, Capacity: new(units.Count(20))}),
		of(QueueQuestion{Queue: Engset, Sources: new(units.Count(40)), LoadPerSource: new(units.Erlang(0.1))}),
		of(QueueQuestion{Queue: Finite, Sources: new(units.Count(40)), ThinkTime: new(units.Duration(60)),
			Traffic: sizing.Traffic{ServiceTime: units.Exactly[units.Duration](10)}}),
		of(QueueQuestion{Queue: Hayward, Traffic: load, Peakedness: new(units.Number(2))}),
		{Queue: MG1, Traffic: less}, {Queue: GIM1, Traffic: less, ArrivalLaw: "exponential"},
		of(QueueQuestion{Queue: MDC, Traffic: load}), of(QueueQuestion{Queue: PS, Traffic: load}),
		of(QueueQuestion{Queue: Backed, Traffic: load, PublicMachines: PublicMachines{PublicSpeed: new(units.Number(0.3))}}),
	}
	fields := map[string]func(*QueueQuestion){
		"growth":       func(q *QueueQuestion) { q.Growth = &growth.Growth{Times: new(units.Number(1.1))} },
		"patience":     func(q *QueueQuestion) { q.Patience = second },
		"capacity":     func(q *QueueQuestion) { q.Capacity = count },
		"arrival_scv":  func(q *QueueQuestion) { q.ArrivalSCV = number },
		"service_scv":  func(q *QueueQuestion) { q.ServiceSCV = number },
		"sources":      func(q *QueueQuestion) { q.Sources = count },
		"think_time":   func(q *QueueQuestion) { q.ThinkTime = second },
		"peakedness":   func(q *QueueQuestion) { q.Peakedness = number },
		"service_law":  func(q *QueueQuestion) { q.ServiceLaw = "deterministic" },
		"arrival_law":  func(q *QueueQuestion) { q.ArrivalLaw = "deterministic" },
		"preemptive":   func(q *QueueQuestion) { q.Preemptive = true },
		"class":        func(q *QueueQuestion) { q.JobClasses = []JobClass{{Name: "a", Load: new(units.Erlang(1))}} },
		"public_speed": func(q *QueueQuestion) { q.PublicSpeed = number },
		"replicas":     func(q *QueueQuestion) { q.Replicas = new(units.Count(2)) },
		"max_wait":     func(q *QueueQuestion) { q.MaxWait = second },
		"load":         func(q *QueueQuestion) { q.OfferedLoad = units.Exactly[units.Erlang](0.3) },
	}
	figures := func(q *QueueQuestion) (string, error) {
		a, err := Queue(context.Background(), q)
		if err != nil {
			return "", err
		}
		out, err := json.Marshal(a)
		return string(out), err
	}
	for _, base := range bases {
		plain, err := figures(base)
		if err != nil {
			t.Fatalf("%s: %v", base.Queue, err)
		}
		for field, set := range fields {
			q := *base
			set(&q)
			got, err := figures(&q)
			if e := (*ask.InputError)(nil); err != nil && !errors.As(err, &e) || err == nil && got == plain {
				t.Errorf("%s: %s changes nothing: %v", base.Queue, field, err)
			}
		}
	}
}
