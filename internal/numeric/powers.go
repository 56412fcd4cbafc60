package numeric

import "math"

// A Power is one factor (1 + t/Scale)^Count of an integrand.
type Power struct {
	Scale float64 // a > 0
	Count float64 // n ≥ 0, real
}

// Powers holds the integrals over t from 0 to ∞, with
// φ(t) = Σ nⱼ ln(1 + t/aⱼ) − t and h(t) = Σ nⱼ/(aⱼ + t), so that φ' = h − 1:
//
//	U = ∫ e^φ,   U − 1 = ∫ h e^φ,   V = ∫ (1 − h(t)/h(0)) e^φ
//
// They are what a queue of unlike servers is made of; for one factor U is that
// of [LogUpperRatio]. V = U − (U − 1)/h(0).
type Powers struct {
	Log       float64 // ln U
	LogExcess float64 // ln(U − 1); −Inf where there is no factor
	LogDelay  float64 // ln V; −Inf where there is no factor
	// Left is, by factor, ∫ aⱼ/(aⱼ + t) e^φ / U.
	Left []float64
}

// PowerIntegrals evaluates [Powers] to about 1e-13 relative (1e-12 where the
// counts add up to more than 1e6): φ is concave, so the integral is taken from
// its peak outwards to where the integrand has fallen by exp(-42), by
// Gauss-Legendre panels that keep away from the branch points at −aⱼ. The work
// is bounded whatever the counts are.
func PowerIntegrals(factors []Power) Powers {
	p := Powers{LogExcess: math.Inf(-1), LogDelay: math.Inf(-1), Left: make([]float64, len(factors))}
	w := powerWork{factors: factors, left: p.Left, branch: math.Inf(1)}
	for _, f := range factors {
		if f.Count > 0 {
			w.start += f.Count / f.Scale
			w.branch = math.Min(w.branch, f.Scale)
		}
	}
	if w.start == 0 {
		for i := range p.Left {
			p.Left[i] = 1
		}
		return p
	}
	w.peak()
	w.side(+1, math.Inf(1))
	if w.at > 0 {
		w.side(-1, w.at)
	}
	// φ at its peak, in the form that loses nothing near h(0) = 1, where its
	// terms all but cancel, or far from there, where those of that form would.
	top := w.at * (w.start - 1)
	if w.start > 2 {
		top = -w.at
	}
	for _, f := range factors {
		if w.start > 2 {
			top += f.Count * math.Log1p(w.at/f.Scale)
		} else {
			top += f.Count * Log1pmx(w.at/f.Scale)
		}
	}
	p.Log, p.LogExcess, p.LogDelay = top+math.Log(w.sum), top+math.Log(w.excess), top+math.Log(w.delay)
	if p.Log < 1 { // near U = 1 the excess says it better
		p.Log = math.Log1p(math.Exp(p.LogExcess))
	}
	for i := range p.Left {
		p.Left[i] /= w.sum
	}
	return p
}

// powerWork is an evaluation under way.
type powerWork struct {
	factors []Power
	start   float64 // h(0)
	branch  float64 // distance of the nearest branch point from 0
	at      float64 // where φ is greatest
	slope   float64 // φ' there, 0 unless the peak is at 0

	sum, excess, delay float64 // with φ counted from its greatest
	left               []float64
}

// peak finds where h(t) = 1: 1/h is concave, so that Newton's steps on 1/h − 1
// from the left never pass the root.
func (w *powerWork) peak() {
	if w.start <= 1 {
		w.slope = w.start - 1
		return
	}
	for range 60 {
		h, slope := 0.0, 0.0
		for _, f := range w.factors {
			x := 1 / (f.Scale + w.at)
			h += f.Count * x
			slope += f.Count * x * x
		}
		step := h * (h - 1) / slope
		w.at += step
		if step <= 1e-13*w.at {
			return
		}
	}
}

// drop returns how far φ has fallen at peak ± s. Near a branch point below 1e-16 of the peak the
// rest of the way to it is told apart from none by its own sum.
func (w *powerWork) drop(sign, s float64) float64 {
	fall := -w.slope * s
	for _, f := range w.factors {
		if f.Count > 0 {
			x := sign * s / (f.Scale + w.at)
			if x > -1 {
				fall -= f.Count * Log1pmx(x)
			} else {
				fall -= f.Count * (math.Log((f.Scale+(w.at-s))/(f.Scale+w.at)) - x)
			}
		}
	}
	return fall
}

// steepness returns how steeply φ falls at peak ± s, the derivative of [powerWork.drop].
func (w *powerWork) steepness(sign, s float64) float64 {
	slope := -w.slope
	for _, f := range w.factors {
		rest := f.Scale + w.at + sign*s
		if rest <= 0 {
			rest = f.Scale + (w.at + sign*s)
		}
		slope += f.Count / (f.Scale + w.at) * s / rest
	}
	return slope
}

// reach returns the s ≤ limit at which the integrand ends.
func (w *powerWork) reach(sign, limit float64) float64 {
	bend := 0.0 // of φ at its peak
	for _, f := range w.factors {
		bend += f.Count / (f.Scale + w.at) / (f.Scale + w.at)
	}
	return reachOf(func(s float64) float64 { return w.drop(sign, s) },
		func(s float64) float64 { return w.steepness(sign, s) }, parabolaEnd(-w.slope, bend), limit)
}

// side adds the part at peak ± s, 0 ≤ s ≤ limit.
func (w *powerWork) side(sign, limit float64) {
	reach := w.reach(sign, limit)
	x, wt := legendre()
	clear := w.branch + w.at // from the nearest branch point to where the panel starts
	for from := 0.0; from < reach; {
		width := 3 * clear
		if sign < 0 {
			width = 0.75 * clear
		}
		to := math.Min(from+width, reach)
		if reach-to < 0.25*width {
			to = reach
		}
		for i, xi := range x {
			s := from + (to-from)*xi
			f := wt[i] * (to - from) * math.Exp(-w.drop(sign, s))
			t := w.at + sign*s
			h, fall := 0.0, 0.0
			for j, g := range w.factors {
				rest := 1 / (g.Scale + t)
				w.left[j] += f * g.Scale * rest
				h += g.Count * rest
				fall += g.Count / g.Scale * t * rest
			}
			w.sum += f
			w.excess += f * h
			w.delay += f * fall / w.start
		}
		clear += sign * (to - from)
		from = to
	}
}
