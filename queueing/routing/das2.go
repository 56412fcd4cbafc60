package routing

import (
	"cmp"
	"fmt"
	"math"

	"github.com/capplan/capplan/law"
)

// An Experiment is one of the two blocks of inter-arrival laws in InterGrid
// table 2: two experiments, not two streams of one.
type Experiment int

const (
	// ExternalRateVaried holds the local rates and varies that of external
	// requests, Weibull with shape 0.5 and scale 3.8..7.0 s. The paper's
	// experiments on sizes and durations take these local rates too.
	ExternalRateVaried Experiment = iota
	// LocalRatesVaried holds external requests at scale 7.0 s and shape 1.1 and
	// varies the local rates.
	LocalRatesVaried
)

// DAS2Setting chooses a point of InterGrid table 2. The zero value of a field
// means its default.
type DAS2Setting struct {
	Experiment Experiment
	// Knee is m of the sizes of external requests, 2.5..3.5; default 2.5.
	Knee float64
	// LogMean is a of the durations of external requests, 3.0..5.4; default
	// ln 420 − 1.7²/2 = 4.595, the mean of 420 s that the paper holds.
	LogMean float64
	// ExternalScale is α of the gaps of external requests in
	// ExternalRateVaried, 3.8..7.0 s; default 7.0, a mean gap of 14 s.
	ExternalScale float64
	// LocalScale places α of all local gaps in LocalRatesVaried, 0 at the upper
	// end of its range (7.0, 6.0, 4.5 s; fewest requests) to 1 at the lower end
	// (0.1, 0.08, 0.06 s).
	LocalScale float64
}

// DAS2 returns the workload of InterGrid section 5.2 and table 2, made with the
// DAS-2 model: an external stream and three clusters C64, C128 and C256 of
// 2000, 3000 and 2100 MIPS per element. A setting outside the ranges of the
// table is a *DomainError.
//
// Gaps are Weibull with α the scale in s and β the shape; P_one and P_pow2 are
// 0.2 and 0.5 for external requests, 0.3 and 0.6 for local ones; the CVs of
// service times 0.5 and 0.1. The paper gives no speed at which durations were
// measured; taken at the clusters' own speed, the local requests alone saturate
// them ([Conversion.ReferenceSpeed]).
func DAS2(s DAS2Setting) (Workload, error) {
	c := check{fn: "DAS2"}
	pick := func(arg string, v, def, low, high float64) float64 {
		v = cmp.Or(v, def)
		if !(v >= low && v <= high) {
			c.fail(arg, v, fmt.Sprintf("%s within %g..%g", arg, low, high))
		}
		return v
	}
	const sd = 1.7
	knee := pick("knee", s.Knee, 2.5, 2.5, 3.5)
	logMean := pick("log mean", s.LogMean, math.Log(420)-sd*sd/2, 3.0, 5.4)
	scale := pick("external scale", s.ExternalScale, 7.0, 3.8, 7.0)
	place := pick("local scale", s.LocalScale, 0, 0, 1)
	w := Workload{Name: "DAS-2, InterGrid table 2", External: Stream{
		Name:     "Grid",
		Size:     SizeLaw{0.2, 0.5, law.TwoStage{L: 0.8, M: knee, H: 6, Q: 0.9}},
		Duration: law.LogNormal{Mu: logMean, Sigma: sd},
		Gap:      law.Weibull{Scale: scale, Shape: 0.5},
		CV:       0.5,
	}}
	fixed := [...]float64{2.0, 1.6, 1.2}
	varied := [...]Range{{0.1, 7.0}, {0.08, 6.0}, {0.06, 4.5}}
	local := func(j int) float64 { return fixed[j] }
	switch s.Experiment {
	case ExternalRateVaried:
	case LocalRatesVaried:
		w.External.Gap = law.Weibull{Scale: 7.0, Shape: 1.1}
		local = func(j int) float64 { return varied[j].High - place*(varied[j].High-varied[j].Low) }
	default:
		c.fail("experiment", float64(s.Experiment), "ExternalRateVaried or LocalRatesVaried")
	}
	for j, site := range [...]struct {
		name                         string
		elements, speed, m, h, aMean float64
	}{
		{"C64", 64, 2000, 2.5, 6, 5.0},
		{"C128", 128, 3000, 3.5, 7, 5.35},
		{"C256", 256, 2100, 4.5, 8, 5.5},
	} {
		w.Sites = append(w.Sites, Site{
			Local: Stream{
				Name:     site.name,
				Size:     SizeLaw{0.3, 0.6, law.TwoStage{L: 0.8, M: site.m, H: site.h, Q: 0.9}},
				Duration: law.LogNormal{Mu: site.aMean, Sigma: sd},
				Gap:      law.Weibull{Scale: local(j), Shape: 0.35},
				CV:       0.1,
			},
			Elements: site.elements,
			Speed:    site.speed,
		})
	}
	return w, c.err
}
