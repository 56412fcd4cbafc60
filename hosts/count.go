package hosts

import (
	"math"
	"slices"
)

// Present returns the mean and the standard deviation of the number of machines
// there at a random moment, departures left aside. Of m machines in each of the
// groups, there with chance A while their group is, and that with chance g,
//
//	E = Σ g m A,  Var = Σ g m A(1 − A) + g(1 − g) m² A²
//
// so that without groups the spread is that of a binomial number, √(N A(1 − A)).
// Of records both are taken over their time, with all that is common to them, in
// groups or not; of a Population each machine has an availability of its own, and a
// [Sharing] one adds what its machines have in common.
// They are NaN for a platform that does not pass Check.
func (p *Platform) Present() (mean, sd float64) {
	if p.Check() != nil {
		return math.NaN(), math.NaN()
	}
	switch {
	case len(p.Records) > 0:
		return p.recordedCount()
	case p.Population != nil:
		return p.presentOf()
	}
	a, g, n, groups := p.OwnAvailability(), p.GroupAvailability(), p.Count, max(1, p.Groups.Count)
	variance := 0.0
	for k := range groups {
		m := float64((n*(k+1)+groups-1)/groups - (n*k+groups-1)/groups) // hosts i with i*groups/n = k
		mean += g * m * a
		variance += g*m*a*(1-a) + g*(1-g)*m*m*a*a
	}
	return mean, math.Sqrt(variance)
}

// recordedCount is Present of records. X are there of all while all groups are, X_k of a group, and
//
//	E = g E[X],  Var = g² E[X²] + g(1 − g) Σ E[X_k²] − E²
func (p *Platform) recordedCount() (mean, sd float64) {
	span := 0.0
	for _, r := range p.Records {
		span = max(span, r.Span)
	}
	g, n, groups := p.GroupAvailability(), len(p.Records), p.Groups.Count
	mean, square := countedOver(p.Records, span)
	mean, square = g*mean, g*g*square
	for k := range groups {
		_, own := countedOver(p.Records[(n*k+groups-1)/groups:(n*(k+1)+groups-1)/groups], span)
		square += g * (1 - g) * own
	}
	return mean, math.Sqrt(max(0, square-mean*mean))
}

// countedOver returns the means over a span of the number there by some records, and of its square. The times at
// which machines come and those at which they go are sorted apart, and merged.
func countedOver(records []Record, span float64) (mean, square float64) {
	n := 0
	for _, r := range records {
		n += (len(r.Changes) + 1) / 2
	}
	come, gone := make([]float64, 0, n), make([]float64, 0, n)
	for _, r := range records {
		for i, t := range r.Changes {
			if i%2 == 0 {
				come = append(come, t)
			} else {
				gone = append(gone, t)
			}
		}
		if len(r.Changes)%2 == 1 {
			gone = append(gone, r.Span)
		}
	}
	slices.Sort(come)
	slices.Sort(gone)
	level, since, i := 0.0, 0.0, 0
	until := func(t float64) {
		mean += level * (t - since)
		square += level * level * (t - since)
		since = t
	}
	for _, t := range gone {
		for ; i < len(come) && come[i] <= t; i++ {
			until(come[i])
			level++
		}
		until(t)
		level--
	}
	until(span)
	return mean / span, square / span
}

// MostSpread returns the greatest standard deviation that a number between least
// and most with this mean can have: it is then always one of the two.
func MostSpread(mean, least, most float64) float64 {
	return math.Sqrt(max(0, (most-mean)*(mean-least)))
}
