package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
	"github.com/capplan/capplan/queueing/internal/waits"
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
	if c.Err == nil && (y > waits.MostPatient || b > waits.MostPatient) {
		c.Fail("patience", m.Patience,
			"at most 1e18 arrivals and services within the mean patience; longer is no different from unlimited: use M/M/c")
	}
	const least = 0x1p-1022 // below which floats lose their digits
	if c.Err == nil && f.OfferedLoad > 0 && m.Patience/m.ServiceTime < least {
		c.Fail("patience", m.Patience,
			"at least 2.3e-308 mean service times; less is no different from loss")
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
		f.law = nobodyServes{waits.Exponential{Wait: 1, Rate: 1 / m.Patience}}
		return f, nil
	}
	law := m.law(f, y, b)
	f.law = law
	f.WaitProbability = law.Wait
	f.Abandonment = law.Wait * law.Whole.Spent
	f.MeanWait = f.Abandonment * m.Patience
	f.MeanQueueLength = m.ArrivalRate * f.MeanWait
	served := 1 - law.Wait + law.Wait*law.Whole.Left
	f.MeanResponse = m.ServiceTime + law.Wait*law.Whole.WLeft*m.Patience/served
	f.Throughput = m.ArrivalRate * served
	if f.Utilization = f.OfferedLoad * served / servers; f.Utilization > 0.9 {
		// P(N < n) = P(N ≤ n)·(1 − B(n, a)).
		f.Utilization = erlang.QueueUtilization(servers, f.OfferedLoad, law.Idle/erlang.Carried(servers, f.OfferedLoad))
	}
	return f, nil
}

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
	law, ok := f.law.(*waits.Patient)
	if !ok { // nobody arrives, or nobody serves
		return 1 - f.Abandonment, nil
	}
	return 1 - law.Wait + law.Wait*law.Whole.Left - law.ServedLate(t), nil
}

func (m ErlangA) law(f Figures, y, b float64) *waits.Patient {
	whole := numeric.DecayIntegrals(b, y, 0)
	// ln E = ln 1/B(n−1) = ln((1/B(n) − 1)·a/n).
	logU, excess := numeric.LogUpperRatio(f.Servers, f.OfferedLoad)
	logE := logU
	if !math.IsInf(excess, 1) {
		logE = math.Log(excess)
	}
	logE += math.Log(f.OfferedLoad / f.Servers)
	logJ := math.Log(y) + whole.Log
	return &waits.Patient{Y: y, B: b, Patience: m.Patience, Wait: 1 / (1 + math.Exp(logE-logJ)), Idle: 1 / (1 + math.Exp(logJ-logE)), Whole: whole,
		Decay: numeric.DecayIntegrals}
}
