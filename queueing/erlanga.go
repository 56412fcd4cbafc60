package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// ErlangA is the M/M/n+M queue: those who wait give up after an exponential
// patience. It is always stable.
type ErlangA struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // 1/μ > 0, s
	Patience    float64 // mean 1/θ > 0, s
}

// At returns the figures with real servers n ≥ 0. With the virtual wait V,
//
//	P(V > 0) = λJ/(E + λJ),  J = ∫₀^∞ exp(λ(1 − e^(−θx))/θ − nμx) dx,
//	E = 1/B(n−1, a),  P(abandon) = θ·E[W],
//	E[W] = λ/(E + λJ) ∫ (1 − e^(−θx))/θ · exp(…) dx
//
// every integrand positive, so that small chances to abandon keep their
// accuracy (about 1e-12). MeanWait counts all arrivals, those who gave up
// included; MeanResponse is wait and service of those served. Time is
// independent of n. Source: Zeltyn, Mandelbaum, Queueing Systems 51, 2005,
// section 3; Garnett, Mandelbaum, Reiman, M&SOM 4, 2002.
func (m ErlangA) At(servers float64) (Figures, error) {
	f, err := figures("ErlangA", servers, m.ArrivalRate, m.ServiceTime)
	if err != nil {
		return Figures{}, err
	}
	c := Domain{Func: "ErlangA"}
	c.Positive("patience", m.Patience)
	y, b := m.ArrivalRate*m.Patience, servers*(m.Patience/m.ServiceTime)
	if c.Err == nil && (y > mostPatient || b > mostPatient) {
		c.Fail("patience", m.Patience,
			"at most 1e18 arrivals and services within the mean patience; longer is no different from unlimited: use M/M/c")
	}
	if c.Err != nil {
		return Figures{}, c.Err
	}
	f.service.law = Exponential{m.ServiceTime}
	if f.OfferedLoad == 0 {
		f.MeanResponse = m.ServiceTime
		return f, nil
	}
	if servers == 0 {
		f.WaitProbability, f.Abandonment = 1, 1
		f.MeanWait = m.Patience
		f.MeanQueueLength = m.ArrivalRate * m.Patience
		f.law = nobodyServes{exponentialTail{1, 1 / m.Patience}}
		return f, nil
	}
	law := m.law(f, y, b)
	f.law = law
	f.WaitProbability = law.wait
	f.Abandonment = law.wait * law.whole.Spent
	f.MeanWait = f.Abandonment * m.Patience
	f.MeanQueueLength = m.ArrivalRate * f.MeanWait
	served := 1 - law.wait + law.wait*law.whole.Left
	f.MeanResponse = m.ServiceTime + law.wait*law.whole.WLeft*m.Patience/served
	f.Throughput = m.ArrivalRate * served
	if f.Utilization = f.OfferedLoad * served / servers; f.Utilization > 0.9 {
		// P(N < n) = P(N ≤ n)·(1 − B(n, a)).
		f.Utilization = erlang.QueueUtilization(servers, f.OfferedLoad, law.idle/erlang.Carried(servers, f.OfferedLoad))
	}
	return f, nil
}

// mostPatient bounds λ/θ and nμ/θ.
const mostPatient = 1e18

// Floor returns 0: those who wait too long leave.
func (m ErlangA) Floor() float64 { return 0 }

// ServedWithin returns the chance that an arrival is served and has waited no
// longer than t ≥ 0 seconds. Unlike [Figures.ServiceLevel] it does not count
// those who gave up early.
func (m ErlangA) ServedWithin(servers, t float64) (float64, error) {
	f, err := m.At(servers)
	if err != nil {
		return 0, err
	}
	if !(t >= 0) {
		return 0, &DomainError{"ErlangA.ServedWithin", "t", t, "t >= 0"}
	}
	law, ok := f.law.(*patientWait)
	if !ok { // nobody arrives, or nobody serves
		return 1 - f.Abandonment, nil
	}
	return 1 - law.wait + law.wait*law.whole.Left - law.servedLate(t), nil
}

// patientWait is the law of the actual wait in M/M/n+M.
type patientWait struct {
	y, b, patience float64
	wait, idle     float64 // P(V > 0) and P(V = 0)
	whole          numeric.Decay
	decay          decaying
}

func (m ErlangA) law(f Figures, y, b float64) *patientWait {
	whole := numeric.DecayIntegrals(b, y, 0)
	// ln E = ln 1/B(n−1) = ln((1/B(n) − 1)·a/n).
	logU, excess := numeric.LogUpperRatio(f.Servers, f.OfferedLoad)
	logE := logU
	if !math.IsInf(excess, 1) {
		logE = math.Log(excess)
	}
	logE += math.Log(f.OfferedLoad / f.Servers)
	logJ := math.Log(y) + whole.Log
	return &patientWait{y, b, m.Patience, 1 / (1 + math.Exp(logE-logJ)), 1 / (1 + math.Exp(logJ-logE)), whole,
		numeric.DecayIntegrals}
}

// tail: P(W > t) = e^(−θt) P(V > t).
func (l *patientWait) tail(t float64) float64 {
	w := t / l.patience
	late := l.decay(l.b, l.y, w)
	return l.wait * math.Exp(late.Log-l.whole.Log-w)
}

func (l *patientWait) servedAtOnce() float64 { return l.idle }

// servedDensity is that of V, of those whom it does not drive away: e^(−θt)·v(t).
func (l *patientWait) servedDensity(t float64) float64 {
	w := t / l.patience
	return l.wait / l.patience * l.whole.Density(l.b, l.y, w) * math.Exp(-w)
}

func (l *patientWait) servedPeak() (at, width float64) {
	width = l.patience / (1 + math.Max(math.Abs(l.b-l.y), math.Sqrt(l.b)))
	if l.y > l.b {
		at = l.patience * math.Log(l.y/l.b)
		width = l.patience / math.Sqrt(1+l.b)
	}
	return at, width
}

func (l *patientWait) quantile(p float64) float64 {
	if 1-p >= l.wait {
		return 0
	}
	limit := math.Log1p(-p)
	over := func(t float64) float64 { return math.Log(l.tail(t)) - limit }
	// The wait is below the patience law's own percentile.
	hi := -limit * l.patience
	fhi := over(hi)
	if fhi >= 0 {
		return hi
	}
	t, _ := numeric.Bracket(over, 0, math.Log(l.wait)-limit, hi, fhi)
	return t
}
