package prometheus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// metricName is a name, with or without matchers.
var metricName = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{[^{}]*\})?$`)

// scales are the units that the end of a metric's name may tell; seconds are
// what the conventions of Prometheus ask for.
var scales = []struct {
	suffix string
	unit   float64 // s
}{
	{"_milliseconds", 1e-3}, {"_millis", 1e-3}, {"_ms", 1e-3},
	{"_microseconds", 1e-6}, {"_micros", 1e-6}, {"_us", 1e-6},
	{"_nanoseconds", 1e-9}, {"_nanos", 1e-9}, {"_ns", 1e-9},
	{"_minutes", 60}, {"_hours", 3600},
}

// Histogram asks for the law of durations that a histogram holds, over the
// whole window: by its name, with matchers or without, such as
//
//	http_request_duration_seconds{job="api"}
//
// A native histogram is taken where there is one of this name, else the classic
// one, whose series end in _bucket, _sum and _count. Histograms of several
// machines are added up. What their buckets leave open is in the notes. Errors: *ask.InputError of
// service_histogram; *Error.
func (c *Client) Histogram(ctx context.Context, name string, w Window) (*traffic.Service, error) {
	ctx = given.Context(ctx)
	h := histogramQuery{client: c, name: name}
	m := metricName.FindStringSubmatch(strings.TrimSpace(name))
	if m == nil {
		return nil, h.fail("is not the name of a histogram, want one such as http_request_duration_seconds or " +
			"http_request_duration_seconds{job=\"api\"}")
	}
	// The name of the series of buckets is what the page of a server completes to.
	h.metric, h.matchers = strings.TrimSuffix(m[1], "_bucket"), m[2]
	// The step of the question is of no use here: the law is over the whole window.
	asked, err := w.times()
	if err != nil {
		return nil, err
	}
	// A day at a time: a server loads the samples of one at once. Whole days but for the rest, of
	// equal length.
	span := float64(asked.n) * asked.step
	n := math.Ceil(span/86400 - 1e-9)
	step := math.Floor(span/n*1000) / 1000
	h.times = times{first: asked.at(asked.n-1) - (n-1)*step, step: step, n: int(n)}
	law, err := h.native(ctx)
	// A server that keeps both forms of a histogram would count each request twice if both were
	// added.
	if err == nil && law == nil {
		law, err = h.classic(ctx)
	}
	if err != nil {
		return nil, err
	}
	h.rescale(law)
	s, err := law.Service(h.metric)
	if err != nil {
		if domain, ok := errors.AsType[*source.DomainError](err); ok {
			return nil, h.fail(fmt.Sprintf("%s = %v: want %s", domain.Arg, domain.Value, domain.Want))
		}
		return nil, err
	}
	s.Notes = slices.Concat(h.notes, s.Notes)
	return s, nil
}

// A histogramQuery is one question for a histogram.
type histogramQuery struct {
	client           *Client
	name             string
	metric, matchers string
	times            times
	notes            []string
}

// fail is an error of the name as it was given.
func (h *histogramQuery) fail(reason string) error {
	return ask.Inputf("service_histogram", "%s: %s", h.name, reason)
}

// increase is the growth of a counter within each piece of the window. by is a clause of PromQL, or
// empty.
func (h *histogramQuery) increase(by, suffix string) query {
	// Milliseconds are the finest unit of a range in PromQL.
	return query{"service_histogram", fmt.Sprintf("sum%s(increase(%s%s%s[%.0fms]))", by, h.metric, suffix, h.matchers,
		h.times.step*1000)}
}

// fetched asks, and keeps what is to be said.
func (h *histogramQuery) fetched(ctx context.Context, q query) (*record, error) {
	r, err := h.client.fetch(ctx, q, h.times)
	if err == nil {
		h.notes = append(h.notes, r.notes...)
	}
	return r, err
}

// native returns the sum of native histograms, nil where there are none. Errors: *ask.InputError
// where the name is of something else.
func (h *histogramQuery) native(ctx context.Context) (*traffic.Histogram, error) {
	r, err := h.fetched(ctx, h.increase("", ""))
	if err != nil || len(r.series) == 0 {
		return nil, err
	}
	out := &traffic.Histogram{}
	// Buckets of one bound add up over moments and machines.
	counts := map[[2]float64]float64{}
	for _, s := range r.series {
		if s.histograms == nil {
			return nil, h.fail("is a counter or a gauge, want a histogram; the series of a classic one end in _bucket")
		}
		for _, v := range s.histograms {
			if sum := float64(v.Sum); sum >= 0 {
				out.Sum += sum
			} else {
				out.Sum = math.NaN() // a sum that is lost is lost for all
			}
			for _, b := range v.Buckets {
				if b == nil {
					return nil, h.client.malformed("a bucket that is null")
				}
				if b.Count > 0 {
					counts[[2]float64{float64(b.Lower), float64(b.Upper)}] += float64(b.Count)
				}
			}
		}
	}
	for at, n := range counts {
		low, high := at[0], at[1]
		switch {
		case high <= 0 || low < 0 && -low != high && low > math.Inf(-1):
			return nil, h.fail("counts values below 0, want durations")
		case low < 0: // the zero bucket, around 0
			low = 0
		}
		out.Buckets = append(out.Buckets, traffic.Bucket{Low: low, High: high, Count: n})
	}
	// The order of a map is another each time.
	sort.Slice(out.Buckets, func(i, j int) bool {
		a, b := out.Buckets[i], out.Buckets[j]
		return a.Low < b.Low || a.Low == b.Low && a.High < b.High
	})
	merge(out)
	return out, nil
}

// merge adds up buckets that overlap, as those of two resolutions do. Buckets are in order of their
// lower bounds. Counts cannot be parted, so that overlapping buckets become one.
func merge(h *traffic.Histogram) {
	merged := h.Buckets[:0]
	for _, b := range h.Buckets {
		// Bounds that differ by rounding alone meet.
		if n := len(merged); n > 0 && b.Low < merged[n-1].High {
			if b.Low >= merged[n-1].High*(1-1e-9) {
				b.Low = merged[n-1].High
			} else {
				merged[n-1].High = math.Max(merged[n-1].High, b.High)
				merged[n-1].Count += b.Count
				continue
			}
		}
		merged = append(merged, b)
	}
	h.Buckets = merged
}

// classic returns the sum of classic histograms.
func (h *histogramQuery) classic(ctx context.Context) (*traffic.Histogram, error) {
	r, err := h.fetched(ctx, h.increase(" by (le) ", "_bucket"))
	if err != nil {
		return nil, err
	}
	if len(r.series) == 0 {
		return nil, h.client.empty(r)
	}
	// The sum gives the mean, which buckets tell roughly.
	sums, err := h.fetched(ctx, h.increase("", "_sum"))
	if err != nil {
		return nil, err
	}
	upTo := map[float64]float64{}
	for _, s := range r.series {
		text := string(s.labels[model.BucketLabel])
		bound, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(bound) {
			return nil, h.fail(fmt.Sprintf("has a bucket with the bound le=%q, want a number", text))
		}
		for _, v := range s.value {
			upTo[bound] += v
		}
	}
	bounds := slices.Sorted(maps.Keys(upTo))
	// Without the last bucket the longest durations are not counted.
	if !math.IsInf(bounds[len(bounds)-1], 1) {
		return nil, h.fail(`has no bucket with the bound le="+Inf": want all of its buckets`)
	}
	out := &traffic.Histogram{Sum: math.NaN()}
	for _, s := range sums.series {
		for i, v := range s.value {
			if i == 0 && math.IsNaN(out.Sum) {
				out.Sum = 0
			}
			out.Sum += v
		}
	}
	// below is the greatest count so far: counts up to a bound cannot fall but by rounding or
	// unlike machines.
	low, below, back := 0.0, 0.0, 0.0
	for _, high := range bounds {
		n := upTo[high] - below
		if n < 0 {
			// A fall is taken for none, and told where it is more than rounding.
			back, n = math.Max(back, -n), 0
		}
		if below = math.Max(below, upTo[high]); high <= 0 {
			if n > 1e-9*upTo[bounds[len(bounds)-1]] && high < 0 {
				return nil, h.fail("counts values below 0, want durations")
			}
			continue // those of 0 count in the bucket above
		}
		if low == 0 {
			n = upTo[high]
		}
		out.Buckets = append(out.Buckets, traffic.Bucket{Low: low, High: high, Count: n})
		low = high
	}
	if back > 1e-6*below {
		h.notes = append(h.notes,
			fmt.Sprintf("the buckets of %s fall by up to %s durations from one bound to the next, as happens if "+
				"machines have different bounds: they count as equal",
				h.metric, units.FormatNumber(back, 3)))
	}
	return out, nil
}

// rescale turns what is not in seconds into seconds. What is done is said in a note.
func (h *histogramQuery) rescale(law *traffic.Histogram) {
	for _, s := range scales {
		if !strings.HasSuffix(h.metric, s.suffix) {
			continue
		}
		law.Sum *= s.unit
		for i := range law.Buckets {
			law.Buckets[i].Low *= s.unit
			law.Buckets[i].High *= s.unit
		}
		h.notes = append(h.notes, fmt.Sprintf("%s is read in %s, as its name says", h.metric,
			strings.TrimPrefix(s.suffix, "_")))
		return
	}
	if !strings.HasSuffix(h.metric, "_seconds") {
		h.notes = append(h.notes, h.metric+" does not name its unit: it is read in seconds")
	}
}
