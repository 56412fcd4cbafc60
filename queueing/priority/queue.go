package priority

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// A Class is one of the classes of a [Queue] queue.
type Class struct {
	Name        string
	ArrivalRate float64 // λ ≥ 0, per s, Poisson
	ServiceTime float64 // E[S] > 0, s
	ServiceSCV  float64 // ≥ 0; 1 for exponential
}

// Queue is a queue whose classes have fixed priorities, the first class
// the highest. Within a class the order is that of arrival.
type Queue struct {
	Classes []Class
	// Preemptive: a higher class interrupts a lower one, which later resumes
	// where it left off. Otherwise nobody is interrupted.
	Preemptive bool
	Servers    int // c ≥ 1; 0 stands for 1
}

// ClassFigures are the steady-state figures of one class. Of a saturated class
// only name, load and throughput are given.
type ClassFigures struct {
	Name            string
	ArrivalRate     float64 // per s
	OfferedLoad     float64 // erlang
	Utilization     float64 // busy share of all servers due to this class
	MeanWait        float64 // MeanResponse − E[S], interruptions included, s; see [Queue.Figures]
	MeanResponse    float64 // s
	MeanQueueLength float64 // waiting or interrupted
	Throughput      float64 // per s
	Saturated       bool
}

// PriorityFigures are the figures of all classes, in order of priority.
type PriorityFigures struct {
	Classes     []ClassFigures
	Utilization float64           // of a server, ≤ 1
	MeanWait    float64           // over all classes, s; 0 when a class is saturated
	Warning     *queueing.Warning // where the figures are an approximation, else nil
	// Approximation goes with Warning: the measured errors of the mean waits.
	Approximation *queueing.Approximation
	// Chained: some waits are those of an exact chain of the numbers of jobs.
	Chained bool
}

// Figures returns the means of every class. One server (Cobham; Phipps), with
// σ_k = ρ₁ + … + ρ_k and residual work R_k = ½ Σ_{i≤k} λᵢE[Sᵢ²],
//
//	non-preemptive:     W_k = R_K/((1−σ_{k−1})(1−σ_k))
//	preemptive-resume:  T_k = E[S_k]/(1−σ_{k−1}) + R_k/((1−σ_{k−1})(1−σ_k))
//
// The response of external requests in InterGrid eq. 4 is T₂ of two classes.
// Every 1−σ_k is computed in twice the working precision.
//
// Several servers: exact when all classes are exponential with one mean: with
// load a_k and ErlangC C, non-preemptive W_k = C(c, a_K)·E[S]/c/((1−σ_{k−1})(1−σ_k));
// preemptive by levels, classes 1..k together being M/M/c. Exponential classes
// of unlike means are exact too, by the chain of their numbers (two classes,
// preemptively also three, on so few servers that its matrices stay below some
// 400 states). Otherwise the figures of one server of c-fold speed are scaled
// in the manner of Bondi and Buzen by M/M/c over M/M/1, C(c, a)/(a/c); the
// preemptive ones by levels. That is an approximation and Warning says so, with
// the errors found against exact chains (TestPriorityErrorsAreMeasured).
//
// A class of rate 0 is not there for the others. Its own wait is that of who would
// come alone, NaN where the others' are exact and no such form gives it.
//
// A chain of more than 2.5e8 multiplications a step of its reduction is not begun,
// and scaled instead. Figures ends early with the error of ctx.
//
// If σ_k ≥ 1 for some k, or below it by k·2^-52 at most, the classes above it keep
// their steady state, are returned, and suffer non-preemptively from a server that
// is never idle; the error is a *SaturatedError that names the first saturated
// class. Other errors: *DomainError. Sources: Cobham, Oper. Res. 2, 1954; Kella, Yechiali,
// Naval Res. Logist. 32, 1985; Bondi, Buzen, Performance Eval. Rev. 12, 1984.
func (q Queue) Figures(ctx context.Context) (PriorityFigures, error) {
	return q.figures(given.Context(ctx), true)
}

// Scaled returns the figures without exact chains, by scaling alone where several
// servers have classes of unlike laws: what the errors in Approximation are of.
// Otherwise as [Queue.Figures].
func (q Queue) Scaled() (PriorityFigures, error) { return q.figures(context.Background(), false) }

func (q Queue) figures(ctx context.Context, chained bool) (PriorityFigures, error) {
	servers, err := q.validate()
	if err != nil {
		return PriorityFigures{}, err
	}
	c := float64(servers)
	p := prioritySums{c: c, exact: q.oneRate()}
	p.run(q.Classes)
	if there, at, ok := q.present(); ok && servers > 1 && !p.exact {
		return q.withAbsent(ctx, there, at, p, chained)
	}
	var chain []float64
	if chained {
		chain = q.chains(ctx, servers, p)
		if err := ctx.Err(); err != nil {
			return PriorityFigures{}, err
		}
	}
	out := PriorityFigures{Classes: make([]ClassFigures, len(q.Classes)), Chained: chain != nil}
	var saturated error
	approximate := servers > 1 && !p.exact && chain == nil
	for k, class := range q.Classes {
		f := &out.Classes[k]
		f.Name, f.ArrivalRate = class.Name, class.ArrivalRate
		f.OfferedLoad = class.ArrivalRate * class.ServiceTime
		f.Throughput = class.ArrivalRate
		before, after := p.gap[k], p.gap[k+1]
		if after <= 0 {
			f.Saturated = true
			f.Throughput = math.Max(0, before) * c / class.ServiceTime
			f.Utilization = math.Max(0, before)
			if saturated == nil {
				saturated = &queueing.SaturatedError{Func: "priority.Queue", Part: "class", Name: class.Name, Index: k, Utilization: 1 - after}
			}
			continue
		}
		f.Utilization = f.OfferedLoad / c
		f.MeanWait = p.wait(k, class, q.Preemptive)
		if chain != nil && !math.IsNaN(chain[k]) {
			f.MeanWait = chain[k]
		}
		f.MeanResponse = f.MeanWait + class.ServiceTime
		f.MeanQueueLength = class.ArrivalRate * f.MeanWait
		if math.IsInf(f.MeanQueueLength, 1) || math.IsInf(f.MeanResponse, 1) {
			return PriorityFigures{}, &queueing.DomainError{Func: "priority.Queue", Arg: "service SCV of " + fault.Part("class", class.Name, k),
				Value: class.ServiceSCV, Want: "a mean wait within the range of numbers"}
		}
	}
	total, queue := 0.0, 0.0
	for _, f := range out.Classes {
		total += f.ArrivalRate
		queue += f.MeanQueueLength
	}
	out.Utilization = 1 // by a saturated class, if by no other
	if saturated == nil {
		out.Utilization = 1 - p.gap[len(q.Classes)]
	}
	if saturated == nil && total > 0 {
		out.MeanWait = queue / total
	}
	if approximate {
		out.Approximation, out.Warning = q.priorityApproximation(out.Classes)
	}
	return out, saturated
}

func (q Queue) validate() (servers int, err error) {
	c := queueing.Domain{Func: "priority.Queue"}
	if len(q.Classes) == 0 {
		c.Fail("classes", 0, "at least one class")
	}
	servers = q.Servers
	if servers == 0 {
		servers = 1
	}
	if servers < 0 || float64(servers) > queueing.MaxServers {
		c.Fail("servers", float64(servers), "1 <= servers <= 1e12")
	}
	load := 0.0
	for k, class := range q.Classes {
		of := " of " + fault.Part("class", class.Name, k)
		c.AtLeastZero("arrival rate"+of, class.ArrivalRate)
		c.Positive("service time"+of, class.ServiceTime)
		c.AtLeastZero("service SCV"+of, class.ServiceSCV)
		load += class.ArrivalRate * class.ServiceTime
		c.AtLeastZero("load"+of, load)
		c.Magnitude("load"+of, load)
	}
	return servers, c.Err
}

// oneRate reports whether all classes are exponential with the same mean.
func (q Queue) oneRate() bool {
	return !slices.ContainsFunc(q.Classes, func(class Class) bool {
		return class.ServiceSCV != 1 || class.ServiceTime != q.Classes[0].ServiceTime
	})
}

// prioritySums are the sums over classes, for c servers.
type prioritySums struct {
	c        float64
	exact    bool
	gap      []float64 // 1 − σ_k, k = 0..K
	load     []float64 // a_k in erlangs
	own      []float64 // R_k of a server of c-fold speed
	behind   []float64 // Σ_{i≤k} λᵢWᵢ there, preemptive
	residual float64   // of the service found on arrival, non-preemptive
}

func (p *prioritySums) run(classes []Class) {
	n := len(classes)
	for _, sums := range []*[]float64{&p.gap, &p.load, &p.own, &p.behind} {
		*sums = make([]float64, n+1)
	}
	sum := numeric.NewGapSum(p.c)
	p.gap[0] = 1
	for k, class := range classes {
		sum = sum.Minus(class.ArrivalRate, class.ServiceTime)
		p.gap[k+1] = sum.Value() / p.c
		// Rates and times typed in decimals are rounded: 0.1/s of 3 s and 0.7/s of 1 s are 3e-17 short
		// of the whole server, which is no room to settle in after 2e9 years of waiting.
		if p.gap[k+1] <= float64(k+1)*0x1p-52 {
			p.gap[k+1] = min(p.gap[k+1], 0)
		}
		p.load[k+1] = p.load[k] + class.ArrivalRate*class.ServiceTime
		half := class.ServiceTime / p.c / 2 * (1 + class.ServiceSCV)
		p.own[k+1] = p.own[k] + class.ArrivalRate*class.ServiceTime/p.c*half
		if p.gap[k+1] <= 0 && p.gap[k] > 0 {
			// From here on there is always somebody to serve.
			p.residual = p.own[k] + p.gap[k]*half
			return
		}
		p.behind[k+1] = p.behind[k] + class.ArrivalRate*p.singleWait(k, class)
	}
	if a := p.load[n]; a > 0 && p.c > 1 {
		p.residual = p.own[n] * erlang.C(p.c, a) * p.c / a
	} else {
		p.residual = p.own[n]
	}
}

// singleWait returns T_k − E[S_k] behind one server of c-fold speed.
func (p *prioritySums) singleWait(k int, class Class) float64 {
	before, after := p.gap[k], p.gap[k+1]
	return class.ServiceTime/p.c*(1-before)/before + p.own[k+1]/(before*after)
}

// wait returns T_k − E[S_k] of a class that is not saturated.
func (p *prioritySums) wait(k int, class Class, preemptive bool) float64 {
	if preemptive {
		return p.preemptiveWait(k, class)
	}
	return p.residual / (p.gap[k] * p.gap[k+1])
}

// preemptiveWait returns T_k − E[S_k].
func (p *prioritySums) preemptiveWait(k int, class Class) float64 {
	wait := p.singleWait(k, class)
	if p.c == 1 {
		return wait
	}
	if p.exact {
		return (levelRise(p.c, p.load[k], p.load[k+1]) - 1) * class.ServiceTime
	}
	if class.ArrivalRate == 0 || p.load[k+1] == 0 {
		return wait * p.scale(k+1)
	}
	// Σ_{i≤k} λᵢWᵢ is scaled at each level; what level k adds is its own.
	up := p.scale(k+1) - p.scale(k)
	return p.scale(k+1)*wait + up*p.behind[k]/class.ArrivalRate
}
