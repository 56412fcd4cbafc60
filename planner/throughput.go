package planner

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/queueing"
)

// A ThroughputQuestion asks what dedicated servers and a public pool deliver
// at a given arrival rate.
type ThroughputQuestion struct {
	Dedicated   int64   `json:"dedicated_servers"`
	Pool        *Pool   `json:"pool,omitempty"`
	Rate        float64 `json:"arrival_rate_per_s"`
	ServiceTime float64 `json:"service_time_s"`
	Explain     bool    `json:"explain,omitempty"`
}

// A ThroughputAnswer is what the fleet delivers.
type ThroughputAnswer struct {
	Throughput  float64      `json:"throughput_per_s"`
	Equivalent  float64      `json:"equivalent_servers"`
	Blocking    float64      `json:"blocking_probability"`
	OfferedLoad float64      `json:"offered_load_erl"`
	Utilization *float64     `json:"utilization"`
	Dedicated   int64        `json:"dedicated_servers"`
	Public      float64      `json:"public_servers"`
	Rate        float64      `json:"arrival_rate_per_s"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Throughput answers λ(1 − B(N, λ·E[S])) with N of [queueing.EquivalentServers].
func Throughput(_ context.Context, q *ThroughputQuestion) (*ThroughputAnswer, error) {
	if err := wholeServers(q.Dedicated); err != nil {
		return nil, err
	}
	n := float64(q.Dedicated)
	a := &ThroughputAnswer{Dedicated: q.Dedicated, Rate: q.Rate}
	if q.Pool != nil {
		var err error
		if n, err = q.Pool.equivalent(n); err != nil {
			return nil, err
		}
		a.Public = q.Pool.Machines
	}
	g, err := queueing.Loss{ArrivalRate: q.Rate, ServiceTime: q.ServiceTime}.At(n)
	if err != nil {
		return nil, explainError("servers", err)
	}
	if q.Rate == 0 { // nobody arrives, so nobody is lost
		g.Blocking = 0
	}
	a.Throughput, a.Equivalent, a.Blocking, a.OfferedLoad = g.Throughput, n, g.Blocking, g.OfferedLoad
	if n > 0 {
		a.Utilization = number(g.Utilization)
	}
	if q.Explain {
		f := &fleet{kind: Loss, clock: true, others: n - float64(q.Dedicated)}
		a.Explanation = f.explain(g)
		a.Explanation.step("throughput", "λ(1 − B)", fmt.Sprintf("%s/s · (1 − %s) = %s/s", num(q.Rate), num(g.Blocking), num(g.Throughput)), "PCU section 4.6, with the sum from 0")
	}
	return a, nil
}

// ThroughputCurve returns the throughput of the fleet at each of the rates,
// and of the dedicated servers alone (PCU figure 6).
func ThroughputCurve(ctx context.Context, q *ThroughputQuestion, rates []float64) (both, dedicated []float64, err error) {
	alone := *q
	alone.Pool = nil
	for _, r := range rates {
		for _, c := range []struct {
			question ThroughputQuestion
			into     *[]float64
		}{{*q, &both}, {alone, &dedicated}} {
			c.question.Rate, c.question.Explain = r, false
			a, err := Throughput(ctx, &c.question)
			if err != nil {
				return nil, nil, err
			}
			*c.into = append(*c.into, a.Throughput)
		}
	}
	return both, dedicated, nil
}
