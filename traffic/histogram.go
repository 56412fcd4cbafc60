package traffic

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

// A Bucket counts durations in (Low, High].
type Bucket struct {
	Low, High float64 // s; 0 <= Low < High, and High may be +Inf in the last one
	Count     float64 // >= 0; not whole where a monitor has extrapolated it
}

// A Histogram counts durations in buckets, as monitors keep them.
type Histogram struct {
	Buckets []Bucket // in order, without overlap
	Sum     float64  // s, of all durations; NaN: not known
}

// Service returns the law of the durations, as far as buckets tell it:
//
//	mean   Sum/n, exact
//	SCV    E[T²]/mean² − 1, with the least and the greatest value that any law
//	       with these counts and this mean can have
//	percentile p   by linear interpolation in its bucket, as Prometheus does,
//	       with the ends of the bucket
//
// where n = Σ Count. The SCV itself is that of the law which has in each finite
// bucket the density ∝ e^(−βt), with the one β for all of them that gives the
// mean: of all laws the one of most entropy. β is 0, and the density even, where
// the mean is not known or contradicts the buckets. Above the last finite bound durations are taken to fall
// off exponentially as they do across the bucket below it; no bound from above
// is known then, and SCVHigh is nil.
//
// source is for messages. Errors are *DomainError for counts or bounds outside
// their domain, and where no duration is counted, or none below a finite bound.
func (h *Histogram) Service(from string) (*Service, error) {
	b, err := h.bins()
	if err != nil {
		return nil, err
	}
	s := &Service{N: int(math.Min(math.Round(b.n), 1e15)), Source: from}
	mean, known := b.mean, b.known
	if !(mean > 0) {
		return nil, source.Outside("Histogram.Service", "Sum", h.Sum, "durations above 0")
	}
	s.Mean = mean
	switch low, high := b.least(), b.greatest(); {
	case known && !(mean >= low*(1-1e-3) && mean <= high*(1+1e-3)):
		s.Notes = append(s.Notes,
			fmt.Sprintf("the sum of %s says a mean of %s, its buckets one from %s to %s: the SCV is that of buckets in which durations are evenly spread",
				from, seconds(mean), seconds(low), seconds(high)))
		known, mean = false, b.tiltedMean(0)
	case !known:
		s.Notes = append(s.Notes, from+" has no sum: its mean and SCV take the durations of a bucket for evenly spread")
	default:
		mean = math.Min(math.Max(mean, low), high) // counts that were extrapolated
	}
	scv := func(second float64) *float64 {
		return new(math.Max(second/(mean*mean)-1, 0))
	}
	s.SCV = scv(b.secondMoment(mean))
	if known {
		low, high := b.secondMomentBounds(mean)
		s.SCVLow = scv(low)
		if !math.IsInf(high, 0) {
			s.SCVHigh = scv(high)
		}
	}
	for _, p := range shown {
		s.Percentiles = append(s.Percentiles, b.percentile(p))
	}
	s.Notes = append(s.Notes, s.bucketNotes(from, b.tail()/b.n)...)
	return s, nil
}

// bucketNotes says how far the buckets leave the law open.
func (s *Service) bucketNotes(from string, beyond float64) []string {
	var notes []string
	switch {
	case s.SCVLow == nil: // said before
	case s.SCVHigh == nil:
		notes = append(notes,
			fmt.Sprintf("the buckets of %s leave the SCV open from %s up: %s of the durations lie beyond the last bound",
				from, units.FormatNumber(*s.SCVLow, 3), units.FormatFraction(beyond, 2)))
	default:
		notes = append(notes, fmt.Sprintf("the buckets of %s leave the SCV open from %s to %s",
			from, units.FormatNumber(*s.SCVLow, 3), units.FormatNumber(*s.SCVHigh, 3)))
	}
	text := ""
	for _, p := range s.Percentiles {
		if text != "" {
			text += ", "
		}
		if p.High == nil {
			text += fmt.Sprintf("p%g above %s", p.Percentile*100, seconds(*p.Low))
			continue
		}
		text += fmt.Sprintf("p%g %s (%s to %s)", p.Percentile*100, seconds(p.Value), seconds(*p.Low), seconds(*p.High))
	}
	return append(notes, "percentiles, with the ends of their buckets: "+text)
}

func seconds(v float64) string { return units.FormatDuration(v, 3) }
