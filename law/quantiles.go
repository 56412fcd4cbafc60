package law

import (
	"math"
	"sync"
)

// Quantiles are those of a law of which many are asked for, as by simulations that draw by them. [Quantiles.Tabled]
// has a table for gamma laws, of which one takes a hundred times as long without (BenchmarkQuantiles). They are then
// those of [Law.Quantile] to 1e-5 of themselves for shapes from 0.02 on, and to 5e-7 from 0.2 on
// (TestQuantilesOfTables). The zero value has none.
type Quantiles struct {
	law      Law
	covering bool // they are those of [LengthBiasedQuantile]
	// They are scale·X^power, X of a gamma law of scale 1, of which logs is the table; nil: there is none.
	logs        []float64
	power, lift float64 // lift = ln scale
}

// The table is for chances from leastTold to mostTold, in steps of 1/tableSteps of ln(p/(1 − p)) from
// tableFrom on. Both ends of a gamma law are nearly straight lines in it: ln p over the shape below, and
// the logarithm of −ln(1 − p) above.
const (
	leastTold  = 1e-3
	mostTold   = 1 - 1e-6
	tableSteps = 16.0
	tableFrom  = -7.0
	tableTo    = 14.0
)

// QuantilesOf returns those of a law.
func QuantilesOf(l Law) Quantiles { return Quantiles{law: l} }

// LengthBiasedQuantiles returns those of [LengthBiasedQuantile].
func LengthBiasedQuantiles(l Law) Quantiles { return Quantiles{law: l, covering: true} }

// Tabled returns them with a table, which takes as long to make as some forty quantiles (BenchmarkQuantiles) and is
// kept for the laws that were asked for last, or as they are if they need none.
func (q Quantiles) Tabled() Quantiles {
	switch l := q.law.(type) {
	case Weibull:
		if q.covering { // see LengthBiasedQuantile
			q.tabulate(1+1/l.Shape, 1/l.Shape, l.Scale)
		}
	case Gamma:
		if q.covering {
			l.Shape++
		}
		q.tabulate(l.Shape, 1, l.Scale)
	}
	return q
}

// tabulate takes the table of scale·X^power, X of the gamma law of a shape, if there is one.
func (q *Quantiles) tabulate(shape, power, scale float64) {
	if !(scale > 0) || math.IsInf(scale, 1) {
		return
	}
	q.logs, q.power, q.lift = tables.of(shape), power, math.Log(scale)
}

// tables are those of the shapes that were asked for last: each run of a simulation asks anew.
var tables latest

type latest struct {
	mu    sync.Mutex
	known [8]struct {
		shape float64 // 0: none yet
		logs  []float64
	}
	oldest int
}

func (t *latest) of(shape float64) []float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.known {
		if k.shape == shape {
			return k.logs
		}
	}
	k := &t.known[t.oldest]
	t.oldest = (t.oldest + 1) % len(t.known)
	k.shape, k.logs = shape, table(Gamma{shape, 1})
	return k.logs
}

// table makes the table of a gamma law of scale 1: ln of the quantiles at even steps of ln(p/(1 − p)). It goes from
// one step to the next by what the four before foretell. Where that does not settle there is no table.
func table(l Gamma) []float64 {
	if !l.stands() || !(l.Shape >= 0.02 && l.Shape <= 1e3) {
		return nil
	}
	lg, _ := math.Lgamma(l.Shape)
	logs := make([]float64, 0, int((tableTo-tableFrom)*tableSteps)+4)
	for i := range cap(logs) {
		u := tableFrom + float64(i-1)/tableSteps
		p, above := 1/(1+math.Exp(-u)), 1/(1+math.Exp(u))
		x := (math.Log(p*l.Shape) + lg) / l.Shape // of the first term of the chance
		switch {
		case i >= 4:
			x = 4*(logs[i-1]+logs[i-3]) - 6*logs[i-2] - logs[i-4]
		case l.Shape >= 1:
			z, err := l.Quantile(p)
			if err != nil {
				return nil
			}
			x = math.Log(z)
		}
		x, ok := l.settle(x, p, above, lg)
		if !ok {
			return nil
		}
		logs = append(logs, x)
	}
	return logs
}

// At returns the quantile for p. Errors: those of [Law.Quantile], and a *DomainError without a law.
func (q *Quantiles) At(p float64) (float64, error) {
	if q.logs == nil || !(p >= leastTold && p <= mostTold) {
		switch {
		case q.law == nil:
			return 0, &DomainError{"Quantiles.At", "law", math.NaN(), "those of a law"}
		case q.covering:
			return LengthBiasedQuantile(q.law, p)
		}
		return q.law.Quantile(p)
	}
	at := (math.Log(p/(1-p)) - tableFrom) * tableSteps
	i := int(at)
	t := at - float64(i)
	y := q.logs[i : i+4] // at −1, 0, 1 and 2 steps
	x := y[1] + t*((y[2]-y[1])+(1-t)*((t-2)*(y[2]-2*y[1]+y[0])-(1+t)*(y[3]-2*y[2]+y[1]))/6)
	return math.Exp(q.power*x + q.lift), nil
}
