package bags

import "math"

// harderFrom returns what a search for a harder target found from a start or, if it did not try it, from the next
// one, of which every number of workers takes fewer hours; none where it found nothing.
func (d *designing) harderFrom(start float64) triedStart {
	for i := len(d.harder) - 1; i >= 0; i-- {
		if d.harder[i].start >= start {
			return d.harder[i]
		}
	}
	return triedStart{least: none}
}

// dear returns a lower bound of the hours of some workers from a start: those that reach the harder target need at
// least its hours, and each of fewer works for at least as long (TestCheaperIsThatOfTheEasierTarget). 0: none is known.
func (d *designing) dear(start float64, workers int) float64 {
	h := d.harderFrom(start)
	if h.least == none {
		return 0
	}
	return h.hours * min(1, float64(workers)/float64(h.least))
}

// few returns the greatest number of workers from a start that may take at most the given hours by that bound.
func (d *designing) few(start, hours float64) int {
	h := d.harderFrom(start)
	if h.least == none || h.hours <= payable*hours {
		return math.MaxInt
	}
	return int(payable * hours * float64(h.least) / h.hours)
}
