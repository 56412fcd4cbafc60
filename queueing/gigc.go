package queueing

import (
	"github.com/capplan/capplan/queueing/internal/waits"
	"math"
)

// GIGC is the GI/G/c queue whose gaps and service times are known by mean and
// SCV only. It takes the laws of [FittedLaw], so that a question of two moments
// has one definite answer, and is exact for these laws where that can be had:
//
//	c_a² = c_s² = 1   M/M/c, [MMC]
//	c_s² = 1          GI/M/c, [GIMC]
//	c_s² = 0          GI/D/c, the wait of GI/G/1 behind every c-th arrival
//	c = 1             GI/G/1 by Pollaczek's integral; M/G/1 by [MG1]
//	otherwise         between constant and exponential service, see [GIGC.At]
//
// [Figures.Approximation] says which, and how far off it was found.
type GIGC struct{ GGC }

// At returns the figures with real servers c > a.
//
// Where neither the gaps nor the services have a law that makes the wait exact,
// with D and M for the same system with constant and exponential service,
//
//	E[W] ≈ E[W_D] + c_s²(E[W_M] − E[W_D])                      for c_s² ≤ 1
//	E[W] ≈ √(that · E[W_M]·E[W of GI/G/1]/E[W of GI/M/1])      above
//	P(W > 0) ≈ P(W_M > 0) · π(c_a², c_s²)/π(c_a², 1)
//
// (Page; π is Whitt's chance to wait of 1993), and a wait that is not 0 is
// taken as exponential. The law of the wait of GI/D/c and GI/G/1 is the sum of
// two exponentials that has the exact chance to wait, mean, and asymptote
// α·e^(−ηt); that of M/M/c, GI/M/c, M/G/1 and (to 1000 servers) M/D/c is exact.
//
// A fractional number of servers takes the ratio to [GGC] from the whole
// numbers beside it. Above 1e5 servers, and for SCVs
// outside 1e-6..1e6 other than 0, the figures are those of Whitt 1993.
// Errors: *DomainError, and *UnstableError for c ≤ a. Sources: Page, Queueing
// theory in OR, 1972; Whitt, Prod. Oper. Manag. 2, 1993; Tijms, A first course
// in stochastic models, 2003, section 9.7.
func (m GIGC) At(servers float64) (Figures, error) {
	return m.at(servers, m.whole)
}

func (m GIGC) at(servers float64, whole func(c float64) (Figures, error)) (Figures, error) {
	base, err := m.GGC.at("GIGC", servers)
	if most := max(m.ArrivalSCV, m.ServiceSCV); err == nil && most > 1e300 {
		return Figures{}, &DomainError{"GIGC", "SCV", most, "at most 1e300, of which a mean wait is a number"}
	}
	if err == nil {
		base.service.law, err = FittedLaw(m.ServiceTime, m.ServiceSCV)
	}
	if err != nil || base.OfferedLoad == 0 || m.poisson() || m.ArrivalSCV == 0 && m.ServiceSCV == 0 {
		return base, err
	}
	if servers == math.Floor(servers) {
		f, err := whole(servers)
		f.service = base.service
		return f, err
	}
	// A fraction of a server is a continuation and no approximation of anything.
	high, err := whole(math.Ceil(servers))
	if err != nil {
		return Figures{}, err
	}
	near := []Figures{high}
	weight := []float64{1}
	if low := math.Floor(servers); low > base.OfferedLoad {
		f, err := whole(low)
		if err != nil {
			return Figures{}, err
		}
		near = append(near, f)
		weight = []float64{servers - low, 1 - (servers - low)}
	}
	wait, mean := 0.0, 0.0
	for i, f := range near {
		at, err := m.GGC.At(f.Servers)
		if err != nil {
			return Figures{}, err
		}
		wait += weight[i] * logRatio(f.WaitProbability, at.WaitProbability)
		mean += weight[i] * logRatio(f.MeanWait, at.MeanWait)
	}
	out := base
	out.WaitProbability = math.Min(1, base.WaitProbability*math.Exp(wait))
	out.approximation = high.approximation
	out.remark = m.remarkOf(out)
	out.waits(base.MeanWait*math.Exp(mean), nil)
	if high.law != nil && out.law != nil {
		out.law = stretchedLaw{high.law, out.WaitProbability / high.WaitProbability,
			high.MeanWait / high.WaitProbability * out.WaitProbability / out.MeanWait}
	}
	return out, nil
}

func (m GIGC) poisson() bool { return m.ArrivalSCV == 1 && m.ServiceSCV == 1 }

// logRatio is ln(x/y), −Inf where x is 0 and 0 where both are.
func logRatio(x, y float64) float64 {
	if x == y {
		return 0
	}
	return math.Log(x / y)
}

// waits sets the mean wait and what follows from it; a nil law stands for a
// wait that, where it is not 0, is exponential.
func (f *Figures) waits(mean float64, law WaitLaw) {
	f.MeanWait = mean
	f.MeanResponse = mean + f.ServiceTime
	f.MeanQueueLength = f.ArrivalRate * mean
	f.law = law
	if law == nil && mean > 0 && f.WaitProbability > 0 {
		f.law = waits.Exponential{Wait: f.WaitProbability, Rate: f.WaitProbability / mean}
	}
	if mean == 0 || f.WaitProbability == 0 {
		f.WaitProbability, f.law = 0, nil
	}
}

// whole returns the figures for a whole number of servers.
func (m GIGC) whole(c float64) (Figures, error) {
	f, err := m.GGC.At(c)
	if err != nil {
		return Figures{}, err
	}
	if c > fittedMost || !fits(m.ArrivalSCV) || !fits(m.ServiceSCV) {
		w, err := GGCBy{m.GGC, Whitt1993}.At(c)
		w.approximation = nil
		w.approximation = &fitErrors[Interpolated]
		w.remark = m.remarkOf(w)
		return w, err
	}
	gap, err := FittedLaw(1/m.ArrivalRate, m.ArrivalSCV)
	if err != nil {
		return Figures{}, err
	}
	service, err := FittedLaw(m.ServiceTime, m.ServiceSCV)
	if err != nil {
		return Figures{}, err
	}
	kind := m.kind(c)
	ok := true
	switch kind {
	case ExponentialService:
		var g Figures
		if g, err = (GIMC{gap, m.ServiceTime, int(c)}).Figures(); err == nil {
			f.WaitProbability = g.WaitProbability
			f.waits(g.MeanWait, g.law)
		}
	case PoissonOneServer:
		var g DelayFigures
		if g, err = (MG1{m.ArrivalRate, service}).Figures(); err == nil {
			f.WaitProbability = g.WaitProbability
			f.waits(g.MeanWait, g.law)
			f.response = g.response
		}
	case ConstantService, OneServer:
		ok = f.walked(gap, service, c)
		if law := m.constantLaw(f, c); ok && law != nil {
			f.law = law
		}
	case Interpolated:
		ok, err = m.interpolated(&f, gap, service, c)
	}
	if err != nil {
		return Figures{}, err
	}
	if !ok { // an SCV so small or so great that no integral resolves it
		f, err = GGCBy{m.GGC, Whitt1993}.At(c)
		kind = Interpolated
	}
	f.approximation, f.remark = nil, remark{}
	if kind == Interpolated || !m.known() || kind == ConstantService && m.ArrivalSCV == 1 && c > constantLawMost {
		f.approximation = &fitErrors[kind]
		f.remark = m.remarkOf(f)
	}
	return f, err
}

// known reports whether the SCVs name laws: 0 is constant, 1 is Poisson or
// exponential.
func (m GIGC) known() bool {
	return (m.ArrivalSCV == 0 || m.ArrivalSCV == 1) && (m.ServiceSCV == 0 || m.ServiceSCV == 1)
}

// fits reports whether the moments of the law with this SCV are resolved.
func fits(scv float64) bool { return scv == 0 || scv >= 1e-6 && scv <= 1e6 }

const (
	fittedMost      = 1e5  // servers; beyond it Whitt 1993
	constantLawMost = 1000 // servers; beyond it two exponentials for M/D/c
)

// walked sets the wait of GI/D/c or GI/G/1.
func (f *Figures) walked(gap, service Law, c float64) bool {
	p, ok := newPollaczek(gap, service, c)
	if !ok {
		return false
	}
	f.WaitProbability = p.waitProbability()
	mean, _ := p.moments()
	if !(f.WaitProbability >= 0 && f.WaitProbability <= 1 && mean >= 0) {
		return false
	}
	f.waits(mean, newTwoExponentials(f.WaitProbability, mean, p.pole, p.tailWeight()))
	return true
}

// constantLaw returns the exact law of M/D/c, nil where it is not that or not
// cheap.
func (m GIGC) constantLaw(f Figures, c float64) WaitLaw {
	if m.ArrivalSCV != 1 || m.ServiceSCV != 0 || c > constantLawMost || f.law == nil {
		return nil
	}
	return newConstantServiceLaw(MDC{m.ArrivalRate, m.ServiceTime, int(c)}, f.law)
}

// interpolated sets the wait where it is not exact.
func (m GIGC) interpolated(f *Figures, gap, service Law, c float64) (ok bool, err error) {
	exponential, err := GIMC{gap, m.ServiceTime, int(c)}.Figures()
	if err != nil {
		return false, err
	}
	constant := *f
	if m.ArrivalSCV == 0 {
		constant.waits(0, nil)
	} else if !constant.walked(gap, Deterministic{m.ServiceTime}, c) {
		return false, nil
	}
	mean := constant.MeanWait + m.ServiceSCV*(exponential.MeanWait-constant.MeanWait)
	if m.ServiceSCV > 1 {
		var one, oneExponential Figures
		fast, err := FittedLaw(c/m.ArrivalRate, m.ArrivalSCV)
		if err != nil {
			return false, err
		}
		oneExponential, err = GIMC{fast, m.ServiceTime, 1}.Figures()
		if err != nil {
			return false, err
		}
		if !one.walked(fast, service, 1) || oneExponential.MeanWait == 0 {
			return false, nil
		}
		// Bursts that constant services take worse than exponential ones would
		// carry the line below 0.
		mean = math.Max(mean, math.Min(constant.MeanWait, exponential.MeanWait))
		mean = math.Sqrt(mean * exponential.MeanWait / oneExponential.MeanWait * one.MeanWait)
	}
	rho, gapShare := f.Utilization, (c-f.OfferedLoad)/c
	erlang := f.WaitProbability
	this := whittWaiting(rho, gapShare, m.ArrivalSCV, m.ServiceSCV, c, erlang)
	that := whittWaiting(rho, gapShare, m.ArrivalSCV, 1, c, erlang)
	f.WaitProbability = exponential.WaitProbability
	if that > 0 {
		f.WaitProbability = math.Min(1, f.WaitProbability*this/that)
	}
	f.waits(mean, nil)
	return true, nil
}

func (m GIGC) kind(c float64) FitKind {
	switch {
	case m.ServiceSCV == 1:
		return ExponentialService
	case c == 1 && m.ArrivalSCV == 1:
		return PoissonOneServer
	case m.ServiceSCV == 0:
		return ConstantService
	case c == 1:
		return OneServer
	}
	return Interpolated
}

// rememberingGIGC keeps the figures of whole numbers of servers: a search for
// the least real number asks for the same two again and again.
type rememberingGIGC struct {
	GIGC
	kept map[float64]Figures
}

// Remembering returns a model of the same figures that keeps those which several searches by
// [LeastServers] ask it for, where they are dear: of [GIGC], each of which costs up to a
// millisecond. Any other model is returned as it is. It is not for several goroutines at once.
func Remembering(m Model) Model {
	switch m := m.(type) {
	case GIGC:
		return rememberingGIGC{m, map[float64]Figures{}}
	case InUnits:
		return InUnits{Remembering(m.Model), m.Unit}
	}
	return m
}

func (m rememberingGIGC) At(servers float64) (Figures, error) {
	return m.at(servers, func(c float64) (Figures, error) {
		if f, ok := m.kept[c]; ok {
			return f, nil
		}
		f, err := m.whole(c)
		if err == nil {
			m.kept[c] = f
		}
		return f, err
	})
}
