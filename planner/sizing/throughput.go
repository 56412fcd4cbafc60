package sizing

import (
	"context"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
)

// A ThroughputQuestion asks what dedicated servers and a public pool deliver
// at a given arrival rate. It is the question of PCU section 4.6, in which nobody
// waits.
type ThroughputQuestion struct {
	Dedicated   int64   `json:"dedicated_servers" as:"dedicated"`
	Pool        *Pool   `json:"pool,omitempty"`
	Rate        float64 `json:"arrival_rate_per_s" as:"rate"`
	ServiceTime float64 `json:"service_time_s"`
	Explain     bool    `json:"explain,omitempty"`
}

// A ThroughputAnswer is what the fleet delivers.
type ThroughputAnswer struct {
	Throughput  float64 `json:"throughput_per_s"`
	Equivalent  float64 `json:"equivalent_servers"`
	Blocking    float64 `json:"blocking_probability"`
	OfferedLoad float64 `json:"offered_load_erl"`
	// Utilization is of the equivalent servers.
	Utilization *float64         `json:"utilization"`
	Dedicated   int64            `json:"dedicated_servers"`
	Public      float64          `json:"public_servers"`
	Rate        float64          `json:"arrival_rate_per_s"`
	PublicCount PublicCount      `json:"public_count,omitempty"` // how the public machines entered
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	asked *ThroughputQuestion // for the plots
}

// Throughput answers λ(1 − B): with B(N, λ·E[S]) and N of
// [queueing.EquivalentServers] where the pool counts by its mean, else with B
// averaged over the machines up ([unlike.Varying]). The queue is a loss system:
// what arrives when all are busy goes elsewhere.
func Throughput(_ context.Context, q *ThroughputQuestion) (*ThroughputAnswer, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if q.Dedicated < 0 || q.Dedicated > mostServers {
		return nil, ask.Inputf("dedicated", "%d is not a fleet size, want 0 to 1e12", q.Dedicated)
	}
	f := &Fleet{Kind: Loss, Clock: true}
	s := Load{Rate: q.Rate, Service: q.ServiceTime, Clock: true}
	a := &ThroughputAnswer{Dedicated: q.Dedicated, Rate: q.Rate, Equivalent: float64(q.Dedicated), asked: new(*q)}
	var err error
	// A pool by its mean is added to the servers, and one that is averaged is
	// part of the model.
	if q.Pool != nil {
		if f.pool, err = q.Pool.counted(nil, s); err != nil {
			return nil, err
		}
		if f.worth, err = q.Pool.equivalent(0); err != nil {
			return nil, err
		}
		if a.Equivalent, err = q.Pool.equivalent(float64(q.Dedicated)); err != nil {
			return nil, err
		}
		if a.Public, a.PublicCount = q.Pool.Machines, f.pool.Count; a.PublicCount == CountMean {
			f.others = f.worth
		}
	}
	if f.Model, err = new(Traffic).beside(Loss, s, f.pool); err != nil {
		return nil, err
	}
	g, err := f.Model.At(float64(q.Dedicated) + f.others)
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	if q.Rate == 0 { // nobody arrives, so nobody is lost
		g.Blocking = 0
	}
	// By rounding alone more would be served than come.
	a.Throughput, a.Blocking, a.OfferedLoad = min(g.Throughput, q.Rate), g.Blocking, g.OfferedLoad
	if a.Equivalent > 0 {
		a.Utilization = ask.Figure(g.Utilization)
	}
	if q.Explain {
		a.Explanation = f.Explain(g)
		a.Explanation.Step("throughput", "λ(1 − B)",
			ask.Sprintf("%v/s · (1 − %v) = %v/s", q.Rate, g.Blocking, a.Throughput),
			"PCU section 4.6, with the sum from 0")
	}
	return a, nil
}

// ThroughputCurve returns the throughput of the fleet at each of the rates,
// and of the dedicated servers alone (PCU figure 6). They are asked point by
// point, two questions at each, and the context is looked at between them.
func ThroughputCurve(ctx context.Context, q *ThroughputQuestion,
	rates []float64) (both, dedicated []float64, err error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, nil, ask.NoQuestion()
	}
	alone := *q
	alone.Pool = nil
	for _, r := range rates {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
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
