package routes

import (
	"errors"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// A Workload is the DAS-2 workload of InterGrid table 2 as clusters. A nil
// field has the default of routing.DAS2Setting. The paper leaves the speed of its
// machines open, on which all else hangs; it must be given.
type Workload struct {
	Name string `json:"name"` // das2
	// ReferenceSpeed in MIPS is the speed at which the durations were measured,
	// which the paper does not say. It scales all service times.
	ReferenceSpeed *float64 `json:"reference_speed_mips,omitempty"`
	LocalVaried    bool     `json:"local_rates_varied,omitempty"` // the second block of the table
	// SizeKnee is m of the sizes of external requests, 2.5 to 3.5; nil: 2.5.
	SizeKnee *float64 `json:"size_knee,omitempty"`
	// DurationLogMean is a of the durations of external requests, 3.0 to 5.4;
	// nil: 4.595, for a mean of 420 s.
	DurationLogMean *float64 `json:"duration_log_mean,omitempty"`
	// GapScale is α of the gaps between external requests, 3.8 to 7.0 s; nil:
	// 7.0.
	GapScale *float64 `json:"gap_scale_s,omitempty"`
	// LocalScale is where in their ranges the gaps of local requests lie: 0 for
	// the fewest requests, 1 for the most.
	LocalScale     *float64 `json:"local_scale,omitempty"`
	LocalShare     *float64 `json:"local_share,omitempty"`      // of the local requests, kept at random; nil: all
	SizesAsPrinted bool     `json:"sizes_as_printed,omitempty"` // 2^E[r] for E[2^r]
	SeveralServers bool     `json:"several_servers,omitempty"`
	GapSCV         bool     `json:"gap_scv,omitempty"`
}

// clusters sets the clusters and the rate.
func (w *Workload) clusters(r *router) error {
	if err := oneOfWords("workload", w.Name, "das2"); err != nil {
		return err
	}
	if w.ReferenceSpeed == nil || !(*w.ReferenceSpeed > 0) {
		return ask.Inputf("reference_speed",
			"the paper does not say at which speed the durations of its workload were measured; give a speed above "+
				"0, in MIPS: 1 is its eq. 16 as printed, and from about 190 on (713 with local rates varied) the "+
				"local requests alone saturate C256")
	}
	if w.LocalVaried && w.GapScale != nil {
		return ask.Inputf("gap_scale", "only used with the experiment that varies the external rate")
	}
	if !w.LocalVaried && w.LocalScale != nil {
		return ask.Inputf("local_scale", "only used with the experiment that varies local rates")
	}
	// The list has a fixed order, so that of several faults the same is always told.
	for _, f := range []struct {
		field string
		value *float64
	}{{"size_knee", w.SizeKnee}, {"duration_log_mean", w.DurationLogMean}, {"gap_scale", w.GapScale}} {
		if f.value != nil && *f.value == 0 {
			return ask.Inputf(f.field, "is 0, want a value within the range of InterGrid table 2")
		}
	}
	s := routing.DAS2Setting{
		Knee:          ask.Value(w.SizeKnee),
		LogMean:       ask.Value(w.DurationLogMean),
		ExternalScale: ask.Value(w.GapScale),
		LocalScale:    ask.Value(w.LocalScale),
	}
	if w.LocalVaried {
		s.Experiment = routing.LocalRatesVaried
	}
	das2, err := routing.DAS2(s)
	if err != nil {
		return r.explainError(err)
	}
	if w.LocalShare != nil && !(*w.LocalShare > 0 && *w.LocalShare <= 1) {
		return ask.Inputf("local_share", "want the share of the local requests that is kept, above 0%% and up to "+
			"100%%")
	}
	c := routing.Conversion{
		ReferenceSpeed: *w.ReferenceSpeed,
		SeveralServers: w.SeveralServers,
		LocalShare:     ask.Value(w.LocalShare),
		GapSCV:         w.GapSCV,
	}
	if w.SizesAsPrinted {
		c.Sizes = routing.AsPrinted
	}
	clusters, rate, err := das2.Clusters(c)
	if err != nil {
		return r.explainError(err)
	}
	// Clusters that their own requests saturate are reported before the rate is checked.
	for j := range clusters {
		if _, err := clusters[j].Capacity(); errors.As(err, new(*routing.SaturatedError)) {
			return r.explainError(err)
		}
	}
	r.clusters, r.rate = clusters, units.Point(units.Rate(rate))
	ask.Warn(&r.warnings,
		"durations are assumed to be measured at %s MIPS, a speed that the paper does not give; all times scale "+
			"with it",
		ask.Digits(*w.ReferenceSpeed))
	return nil
}
