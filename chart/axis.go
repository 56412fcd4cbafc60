package chart

import (
	"math"
	"strconv"
	"strings"
)

// An axis is the range and the ticks of one direction.
type axis struct {
	min, max float64
	log      bool
	whole    bool      // only whole numbers lie on it, and no label between them
	steps    []float64 // between labelled values, as [Chart.XSteps]
	clock    bool      // hours since a midnight
	ticks    []tick
}

// A tick is a mark on an axis. One without a label is minor, and half as long.
type tick struct {
	value float64
	label string
}

func (t tick) minor() bool { return t.label == "" }

// grow widens the range, which starts as (+Inf, -Inf), to hold v.
func (a *axis) grow(v float64) {
	a.min = math.Min(a.min, v)
	a.max = math.Max(a.max, v)
}

// settle makes a range with two different ends from that of the data. zero
// asks for a linear axis that starts at 0 where the data are not far from it.
func (a *axis) settle(low, high *float64, zero bool) {
	if low != nil {
		a.min = *low
	}
	if high != nil {
		a.max = *high
	}
	if zero && low == nil && !a.log && a.min > 0 && a.min <= a.max/2 {
		a.min = 0
	}
	const tiny = 1e-290 // below it steps between ticks vanish
	if w := a.max - a.min; w > 1e-9*math.Max(math.Abs(a.min), math.Abs(a.max)) && (w > tiny || a.log) {
		return
	}
	// One value only, or too close together to tell apart, or limits on one
	// side of all data.
	v := a.min
	if low == nil && high != nil {
		v = a.max
	}
	switch {
	case a.log:
		a.min, a.max = v/3, v*3
	case zero && high == nil && v >= 0 && v < tiny: // nothing is drawn below 0 servers
		a.min, a.max = 0, 1
	case math.Abs(v) < tiny:
		a.min, a.max = -1, 1
	default:
		a.min, a.max = v-math.Abs(v)/2, v+math.Abs(v)/2
	}
	if low != nil {
		a.min = *low
	}
	if high != nil {
		a.max = *high
	}
}

// norm returns where v is on the axis: 0 at its lower end, 1 at its upper.
func (a *axis) norm(v float64) float64 {
	if a.log { // the quotient of the ends may be too large for a float64
		low := math.Log(a.min)
		return (math.Log(v) - low) / (math.Log(a.max) - low)
	}
	return (v - a.min) / (a.max - a.min)
}

// mark sets the ticks so that room holds for them: fits reports whether these
// labels at these values overlap. round moves the free ends to ticks.
func (a *axis) mark(most int, step float64, roundLow, roundHigh bool, fits func([]tick) bool) {
	for n := most; ; n-- {
		b := *a
		if b.log {
			b.logTicks(n, roundLow, roundHigh)
		} else {
			b.linearTicks(n, step, roundLow, roundHigh)
		}
		if n <= 2 || fits(b.ticks) {
			*a = b
			return
		}
	}
}

// linearTicks puts at most about n labels at multiples of 1, 2 or 5 times a
// power of ten, or of a multiple of the given step where that suits the range.
func (a *axis) linearTicks(n int, step float64, roundLow, roundHigh bool) {
	w := (a.max - a.min) / float64(n)
	d := a.stepFrom(w)
	if step > w*1e-6 && step <= a.max-a.min {
		d = step * math.Max(1, niceStep(math.Ceil(w/step)))
	}
	first, last := math.Ceil(a.min/d-1e-9), math.Floor(a.max/d+1e-9)
	if roundLow {
		first = math.Floor(a.min/d + 1e-9)
		a.min = math.Min(a.min, first*d)
	}
	if roundHigh {
		last = math.Ceil(a.max/d - 1e-9)
		a.max = math.Max(a.max, last*d)
	}
	label := labeller(math.Max(math.Abs(first*d), math.Abs(last*d)), d)
	if a.clock {
		label = timeLabeller(a.max)
	}
	for i := first; i <= last; i++ {
		a.ticks = append(a.ticks, tick{value: i * d, label: label(i * d)})
	}
}

// stepFrom returns the distance of labels that is at least w.
func (a *axis) stepFrom(w float64) float64 {
	if n := len(a.steps); n > 0 && w > a.steps[0]/2 {
		for _, d := range a.steps {
			if d >= w*(1-1e-9) {
				return d
			}
		}
		return a.steps[n-1] * niceStep(math.Ceil(w/a.steps[n-1]))
	}
	d := niceStep(w)
	if a.whole && a.max-a.min >= 1 {
		d = math.Max(1, d)
	}
	return d
}

// niceStep returns the least of 1, 2 and 5 times a power of ten that is at
// least w.
func niceStep(w float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(w)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= w*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// labeller writes the multiples of step up to most, all in the same form: with
// the decimals of the step and commas between thousands, from a million up
// with a prefix, and beyond those and below 0.001 with an exponent.
func labeller(most, step float64) func(float64) string {
	power, suffix := 0, ""
	switch e := int(math.Floor(math.Log10(most) + 1e-9)); {
	case e >= 15 || e < -3:
		power = e
		suffix = "e" + strconv.Itoa(e)
	case e >= 6:
		power = e / 3 * 3
		suffix = map[int]string{6: "M", 9: "G", 12: "T"}[power]
	}
	decimals := max(0, power-int(math.Floor(math.Log10(step)+1e-9)))
	for more := 0; more < 2; more++ { // a quarter of an hour takes two of them
		if x := step * math.Pow(10, float64(decimals-power)); math.Abs(x-math.Round(x)) < 1e-6*x {
			break
		}
		decimals++
	}
	return func(v float64) string {
		if math.Abs(v) < step/2 {
			return "0"
		}
		return commas(strconv.FormatFloat(v/math.Pow(10, float64(power)), 'f', min(decimals, 15), 64)) + suffix
	}
}

// commas groups the digits before the point by three, as the text of an answer does.
func commas(s string) string {
	whole, part, point := strings.Cut(s, ".")
	digits := strings.TrimPrefix(whole, "-")
	if len(digits) > 3 {
		for i := len(whole) - 3; i > len(whole)-len(digits); i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if point {
		return whole + "." + part
	}
	return whole
}

// logTicks puts at most about n labels at powers of ten, or at 1, 2 and 5
// times these where the range holds fewer than three of them and n allows.
func (a *axis) logTicks(n int, roundLow, roundHigh bool) {
	lo, hi := math.Log10(a.min), math.Log10(a.max)
	if hi-lo >= 1 { // whole decades look best where there are some
		if roundLow {
			lo = math.Floor(lo + 1e-9)
			a.min = pow10(lo)
		}
		if roundHigh {
			hi = math.Ceil(hi - 1e-9)
			a.max = pow10(hi)
		}
	}
	every := niceStep((math.Floor(hi+1e-9) - math.Ceil(lo-1e-9) + 1) / float64(n))
	if a.decades(lo, hi, math.Max(1, every), n) >= 2 {
		return
	}
	if hi-lo >= 2 { // many decades, none of them or one a multiple of every
		a.decades(lo, hi, math.Max(1, math.Floor((hi-lo)/2)), n)
		return
	}
	a.ticks = nil // a narrow range is as good as linear, and has no tick at 0
	a.linearTicks(n, 0, false, false)
}

// decades puts labels at each power of ten whose exponent is a multiple of
// every, and at 2 and 5 times a power where there is no more than one, or two and
// room for n labels of three decades, and returns their number.
func (a *axis) decades(lo, hi, every float64, n int) (labelled int) {
	a.ticks = nil
	first, last := math.Ceil(lo-1e-9), math.Floor(hi+1e-9)
	within := last-first < 1 || last-first < 2 && n >= 8
	for e := math.Floor(lo); e <= last; e++ {
		for m := 1.; m < 10; m++ {
			v := m * pow10(e)
			if v < a.min*(1-1e-9) || v > a.max*(1+1e-9) {
				continue
			}
			t := tick{value: v}
			switch {
			case m == 1 && math.Mod(math.Abs(e), every) == 0,
				within && (m == 1 || m == 2 || m == 5):
				t.label = plain(v)
				labelled++
			case m != 1 && every > 1, every > 5:
				continue
			}
			a.ticks = append(a.ticks, t)
		}
	}
	return labelled
}

// pow10 is exact for the powers that a float64 holds.
func pow10(e float64) float64 { return math.Pow10(int(e)) }

// plain writes a value of a log axis: in full from 0.001 to 10,000, with an
// exponent beyond.
func plain(v float64) string {
	if v >= 0.99e-3 && v < 1e5 {
		return commas(strconv.FormatFloat(v, 'f', -1, 64))
	}
	m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 0, 64), "e")
	n, _ := strconv.Atoi(e)
	return m + "e" + strconv.Itoa(n)
}
