package queueing

import "math"

// A WaitLaw is the law of a time W ≥ 0 in seconds: of the wait of those let in, or
// of wait and service together.
type WaitLaw interface {
	Tail(t float64) float64     // P(W > t), t ≥ 0
	Quantile(p float64) float64 // least t with P(W ≤ t) ≥ p, 0 ≤ p < 1
}

// A PatientLaw is the wait where some give up.
type PatientLaw interface {
	WaitLaw
	ServedLate(t float64) float64 // P(served, W > t)
}

// Laws are what stands behind the means of [Figures]: percentiles and shares come
// from them. A model of one's own says them by [Figures.With].
type Laws struct {
	Wait        WaitLaw  // nil: nobody waits
	Response    WaitLaw  // of wait and service, where it is known as such
	Service     Law      // nil: not known, or customers are not served in order of arrival
	ServiceUnit float64  // s, in which Service counts; 0 is 1
	LogBlocking float64  // ln B, for a blocking below 1e-308; 0: that of the figures
	Warning     *Warning // on an approximation outside its regime
	// Approximation is how the figures were approximated; nil: as those are, to which the laws belong.
	Approximation *Approximation
}

// Laws returns what stands behind the figures.
func (f Figures) Laws() Laws {
	return Laws{
		Wait:          f.law,
		Response:      f.response,
		Service:       f.service.law,
		ServiceUnit:   f.service.unit,
		LogBlocking:   f.logBlocking,
		Warning:       f.Warning(),
		Approximation: f.approximation,
	}
}

// With returns the figures with these laws behind them. A law of service outside
// its domain, or in a unit that is none, counts as not known.
func (f Figures) With(l Laws) Figures {
	f.law, f.response, f.logBlocking, f.remark = l.Wait, l.Response, l.LogBlocking, remark{said: l.Warning}
	f.service = serviceIn{}
	if l.Approximation != nil {
		f.approximation = l.Approximation
	}
	if l.Service == nil || !(l.ServiceUnit >= 0) || math.IsInf(l.ServiceUnit, 1) {
		return f
	}
	c := Domain{Func: "Figures.With"}
	if l.Service.check(&c, " of service"); c.Err == nil {
		f.service = serviceIn{l.Service, l.ServiceUnit}
	}
	return f
}
