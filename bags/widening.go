package bags

import (
	"math"
	"sort"
)

// A widening makes a law over a span of time, then over four times that span and so on, until
// hardly any probability is missing. It keeps the laws over earlier spans, which have finer steps.
type widening struct {
	span   float64 // s, the first
	soon   float64 // s, a shorter one in which the bag may well be done; 0: none
	before float64 // s, the time before the span, which does not count in it
	law    func(span float64) *FinishLaw
	// anew reports that another law will be made in place of one. That law is then not made again
	// over a shorter span; narrowed is the span that it would have had, 0 if there was none. nil:
	// false for all.
	anew     func(l *FinishLaw) bool
	narrowed float64
	// most returns the end of a span and an upper bound of the chance by then; nil: not known
	// before the law. A law that cannot be whole by this bound is made only if it is kept.
	most func(span float64) (end, chance float64)
}

// An untold is a law that is not computed yet: it can compute the chance in one cell, or the whole
// law.
type untold struct {
	chance func(cell int) float64
	tell   func()
}

// inCell returns the chance in a cell.
func (f *FinishLaw) inCell(i int) float64 {
	if f.untold != nil {
		return f.untold.chance(i)
	}
	return f.law.F[i]
}

// soon is [FinishLaw.Quantile] for a law whose earlier spans are not attached yet, without
// computing it whole.
func (f *FinishLaw) soon(p float64) float64 {
	if f.untold == nil {
		return f.law.Quantile(p)
	}
	i := sort.Search(len(f.law.F), func(i int) bool { return f.inCell(i) >= p })
	switch i {
	case 0:
		return 0
	case len(f.law.F):
		return math.Inf(1)
	}
	below := f.inCell(i - 1)
	return f.law.Step * (float64(i-1) + (p-below)/(f.inCell(i)-below))
}

// tell computes a law that is kept.
func (f *FinishLaw) tell() {
	if f.untold != nil {
		f.untold.tell()
		f.untold = nil
	}
}

// An earlier is the law over an earlier span; nil: not made.
type earlier struct {
	span, end float64
	law       *FinishLaw
	faint     bool // its chance is at most leastKept
}

// A law is whole if its chance at its end is at least whole. An earlier law that is not is kept
// above leastKept or, for help that makes the bag sooner by far, if the law ends farFrom times as late: its steps are
// then too long to tell when workers are done. Of such laws each ends farApart times as late as the one before.
const (
	whole     = 0.996
	leastKept = 0.02
	farFrom   = 64
	farApart  = 16
)

// widened returns the law.
func (w *widening) widened() *FinishLaw {
	const widest = 20
	var early []earlier
	var l *FinishLaw
	none := true // of those is kept whatever follows
	if w.soon > 0 {
		l = w.law(w.soon)
		early, none = append(early, earlier{w.soon, l.law.End(), l, false}), false
	}
	for span, k := w.span, 1; ; span, k = 4*span, k+1 {
		if w.most != nil && k < widest {
			if end, most := w.most(span); most < whole-1e-9 {
				if most > leastKept {
					early, none = append(early, earlier{span, end, nil, false}), false
				}
				continue
			}
		}
		l = w.law(span)
		last := l.inCell(len(l.law.F) - 1)
		if last >= whole {
			if t := l.soon(0.995) - w.before; t < span/2 && t > 0 {
				if w.anew != nil && none && w.anew(l) {
					w.narrowed = 1.3 * t
					return l
				}
				l = w.law(1.3 * t)
			}
			for n := len(early); n > 0 && early[n-1].end > 0.4*l.law.End(); n-- {
				early = early[:n-1]
			}
			break
		}
		if k == widest {
			break
		}
		faint := last <= leastKept
		early, none = append(early, earlier{span, l.law.End(), l, faint}), none && faint
	}
	l.tell()
	before := 0.0
	for _, e := range early {
		if e.faint {
			if farFrom*e.end > l.law.End() || farApart*before > e.end {
				continue
			}
			before = e.end
		}
		if e.law == nil {
			e.law = w.law(e.span)
		}
		if e.faint || e.law.inCell(len(e.law.law.F)-1) > leastKept {
			e.law.tell()
			l.early = append(l.early, e.law)
		}
	}
	for _, e := range l.early {
		if !math.IsInf(e.Ideal, 1) && !math.IsInf(e.Half, 1) {
			l.Waves, l.Fluid, l.Ideal, l.Half = e.Waves, e.Fluid, e.Ideal, e.Half
			break
		}
	}
	return l
}
