package queueing

import (
	"math"
	"slices"
	"sync"
)

// waitPanels is the law of the wait in M/G/1 as the solution of
//
//	P(W > t) = ρ Gₑ(t) + ρ ∫₀ᵗ G(t−u) P(W > u) du
//
// where G(v) = P(S > v)/E[S] and Gₑ(t) = ∫ₜ^∞ G: Pollaczek and Khinchine's
// geometric sum as an equation. Every term is positive, so that the tail keeps
// its relative accuracy as far as it is followed. It is solved by collocation,
// panel after panel of Chebyshev polynomials, as far as somebody asks; where
// the law has become α·e^(−ηt) to rounding that form takes over. On a panel
// that begins at a the equation is written
//
//	P(W > t)(1 − ρ + ρGₑ(t−a)) + ρ ∫₀^(t−a) G(v)(P(W > t) − P(W > t−v)) dv = known,
//
// whose differences are formed without cancellation: so nothing is lost as ρ
// tends to 1. Inside, time is in units of E[S].
type waitPanels struct {
	kernel   *serviceKernel
	mean     float64 // E[S], s
	rho, gap float64

	eta, alpha float64 // where there is an exponential tail, else eta = 0
	lundberg   float64 // P(W > t) ≤ e^(−lundberg·t)

	mu       sync.Mutex
	panels   []waitPanel
	areas    []float64 // ∫ P(W > u) du from the start of a panel to the end of the last
	kinks    []float64 // where the tail is not smooth, ascending, those still ahead
	width    float64   // to try next
	lost     float64   // error allowed on a panel, relative
	floor    float64   // what rounding leaves on a panel, relative
	settled  int       // panels in a row on which the exponential fits
	finished bool      // from the last end on the exponential rules, or nothing is left
}

// A waitPanel is P(W > t) for from ≤ t ≤ to.
type waitPanel struct {
	from, to float64
	sum      chebyshev
	slope    chebyshev // derivative, per unit of time
	area     float64
	high     float64                 // P(W > from)
	whole    [panelOrder + 1]float64 // antiderivative, for discrete laws
}

func (p *waitPanel) place(t float64) float64 { return (2*t - p.from - p.to) / (p.to - p.from) }

const (
	// Panels that a law may take before its accuracy is lowered by 10.
	panelsFine = 600
	// Below this a tail counts as 0; its logarithm is −300 ln 10.
	leastTail, logLeastTail = 1e-300, -690.7755278982137
	// Values of a discrete law up to which it is solved by panels always, and
	// where there is no common unit.
	atomsFew, atomsMost = 16, 512
)

func newWaitPanels(service Law, rho, gap float64) *waitPanels {
	mean, m2, _ := service.Moments()
	w := &waitPanels{kernel: newServiceKernel(service), mean: mean, rho: rho, gap: gap, lost: 2e-13}
	if eta, alpha, ok := mg1Pole(service, rho, gap); ok {
		w.eta, w.alpha, w.lundberg = eta*mean, alpha, eta*mean
	}
	w.width = math.Min(1, m2/(mean*mean)) / 4
	w.kinks = kinksOf(w.kernel.atoms)
	if len(w.kernel.atoms) > atomsFew { // each pair of them makes a kink, too many to stop at
		w.lost = 1e-9
	}
	return w
}

// kinksOf returns the sums of few of the atoms: the tail of the wait has a
// kink at each atom, its slope at each sum of two, and so on.
func kinksOf(atoms []float64) []float64 {
	const most, order = 2000, 12
	all, last := slices.Clone(atoms), atoms
	for n := 2; n <= order && len(last)*len(atoms)+len(all) <= most; n++ {
		var next []float64
		for _, x := range last {
			for _, a := range atoms {
				next = append(next, x+a)
			}
		}
		slices.Sort(next)
		last = distinct(next)
		all = append(all, last...)
	}
	slices.Sort(all)
	return distinct(all)
}

// distinct drops from ascending values those that differ by rounding.
func distinct(x []float64) []float64 {
	return slices.CompactFunc(x, func(a, b float64) bool { return b-a <= 1e-14*b })
}

// Tail returns P(W > t), t in s.
func (w *waitPanels) Tail(t float64) float64 {
	if t <= 0 {
		return w.rho
	}
	x := t / w.mean
	// Lundberg's inequality (Asmussen, Applied Probability and Queues, XIII.5) says that nothing is
	// left, however many panels lie before.
	if w.lundberg*x > -logLeastTail {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.extend(x)
	return w.at(x)
}

func (w *waitPanels) Quantile(p float64) float64 { return quantileOf(w.Tail, p, w.mean) }

// at returns P(W > x) with the panels there are.
func (w *waitPanels) at(x float64) float64 {
	if x >= w.end() {
		return w.alpha * math.Exp(-w.eta*x)
	}
	p := &w.panels[w.panel(x)]
	return p.sum.at(p.place(x))
}

// end returns how far the panels reach.
func (w *waitPanels) end() float64 {
	if len(w.panels) == 0 {
		return 0
	}
	return w.panels[len(w.panels)-1].to
}

// panel returns the number of the panel that holds x < end.
func (w *waitPanels) panel(x float64) int {
	lo, hi := 0, len(w.panels)-1
	for lo < hi {
		if mid := (lo + hi) / 2; w.panels[mid].to > x {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// extend solves on until the panels reach beyond x.
func (w *waitPanels) extend(x float64) {
	for !w.finished && w.end() <= x {
		w.step()
	}
}

// step adds a panel.
func (w *waitPanels) step() {
	from := w.end()
	for len(w.kinks) > 0 && w.kinks[0] <= from*(1+1e-13) {
		w.kinks = w.kinks[1:]
	}
	rest := math.Inf(1)
	for {
		to := from + w.width
		if len(w.kinks) > 0 && to > w.kinks[0]*(1-1e-13) {
			to = w.kinks[0]
		}
		p := waitPanel{from: from, to: to}
		solved := w.solve(&p)
		low := p.sum.at(1)
		over := p.sum.rest(panelOrder-2) / low
		// A panel no wider than the rounding of its place is taken as it is, and
		// one on which halving no longer helps: what is left is rounding. Half of a
		// panel twice that wide would be drawn to the kink behind it again.
		narrow := to-from <= 2e-13*to || to-from <= 1e-17
		if over <= 1e-11 && over > rest/4 {
			w.floor = math.Max(w.floor, over)
		}
		if solved && low > 0 && over <= math.Max(w.lost, 2*w.floor) || narrow {
			// Before a kink at which the tail falls by more digits than there are,
			// its last value is rounding and says nothing of what follows.
			if narrow && len(w.kinks) > 0 && w.kinks[0]-to <= 1e-11*to {
				low = 1
			}
			w.add(p, low)
			if to-from >= w.width && p.sum.rest(panelOrder*3/4) <= math.Max(8*over, w.lost)*low {
				w.width *= 2
			}
			return
		}
		w.width, rest = (to-from)/2, over
	}
}

func (w *waitPanels) add(p waitPanel, low float64) {
	half := (p.to - p.from) / 2
	p.area, p.high = half*p.sum.toEnd(-1), p.sum.at(-1)
	p.slope = p.sum.slope()
	for j := range p.slope {
		p.slope[j] /= half
	}
	if len(w.kernel.atoms) > 0 {
		p.whole = p.sum.integral()
	}
	w.panels = append(w.panels, p)
	if len(w.kernel.atoms) > 0 {
		w.areas = append(w.areas, 0)
		for i := range w.areas {
			w.areas[i] += p.area
		}
	}
	if len(w.panels)%panelsFine == 0 {
		w.lost *= 10
	}
	if low < leastTail {
		w.finished, w.eta, w.alpha = true, 0, 0
		return
	}
	if w.eta > 0 && w.exponential(&p) {
		w.settled++
	} else {
		w.settled = 0
	}
	w.finished = w.settled >= 3
}

// exponential reports whether the panel and its slope are those of α·e^(−ηt).
func (w *waitPanels) exponential(p *waitPanel) bool {
	allowed := math.Max(1e-12, w.lost)
	for _, x := range rules().lobatto[:] {
		t := p.from + (p.to-p.from)*(x+1)/2
		want := w.alpha * math.Exp(-w.eta*t)
		if !(math.Abs(p.sum.at(x)-want) <= allowed*want) ||
			!(math.Abs(p.slope.at(x)+w.eta*want) <= 100*allowed*(w.eta+1)*want) {
			return false
		}
	}
	return true
}

// history returns what of the equation at end + tau the panels up to their end
// decide.
func (w *waitPanels) history(tau float64) float64 {
	t := w.end() + tau
	if w.kernel.atoms != nil {
		return w.rho * w.discreteHistory(t)
	}
	sum := w.kernel.area(t)
	w.overlap(w.end(), tau, func(p *waitPanel, k *kernelPiece, v, to float64) bool {
		if k.flat && v <= t-p.to && to >= t-p.from {
			sum += k.sum[0] * p.area
			return true
		}
		// Of two heavy tails hardly anything comes from where both are far out: what
		// all such stretches hold together is lost in the last digit.
		if p.high*k.high*(to-v) < 1e-20*sum {
			return true
		}
		r, half := rules(), (to-v)/2
		for i, weight := range r.weight[:] {
			x := v + half*(r.gauss[i]+1)
			f := p.sum.at(p.place(t - x))
			if k.flat {
				f *= k.sum[0]
			} else {
				f *= k.at(x)
			}
			sum += half * weight * f
		}
		return k.area+k.beyond > 1e-18*sum
	})
	return w.rho * sum
}

// overlap walks through the stretches v..to of service times upwards from tau
// on which both P(S > v) and the wait at end + tau − v are one polynomial,
// while visit says that what follows counts. Places are kept as v: far out the
// difference of two times would lose what the law of service looks like.
func (w *waitPanels) overlap(end, tau float64, visit func(p *waitPanel, k *kernelPiece, v, to float64) bool) {
	if len(w.panels) == 0 {
		return
	}
	i, j := w.panel(end), w.kernel.piece(tau)
	for v := tau; i >= 0 && j < len(w.kernel.pieces); {
		p, k := &w.panels[i], &w.kernel.pieces[j]
		to := tau + (end - p.from)
		if k.to < to {
			to = k.to
			j++
		} else {
			i--
		}
		if v < to {
			if !visit(p, k, v, to) {
				return
			}
			v = to
		}
	}
}

func (w *waitPanels) discreteHistory(t float64) float64 {
	sum, end := w.kernel.area(t), w.end()
	for i, s := range w.kernel.atoms {
		switch from := t - s; {
		case len(w.panels) == 0 || from >= end:
		case from <= 0:
			sum += w.kernel.shares[i] * w.areas[0]
		default:
			n := w.panel(from)
			p := &w.panels[n]
			half := (p.to - p.from) / 2
			x := p.place(from)
			a, b, twice := 0.0, 0.0, 2*x
			for j := panelOrder; j > 0; j-- {
				a, b = p.whole[j]+twice*a-b, a
			}
			sum += w.kernel.shares[i] * (w.areas[n] - p.area - half*(p.whole[0]+x*a-b))
		}
	}
	return sum
}
