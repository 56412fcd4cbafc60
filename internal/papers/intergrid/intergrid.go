package intergrid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// What the paper leaves open, as its experiments are computed here: durations of
// table 2 as measured at 1000 MIPS, about a node of DAS-2 (1 GHz Pentium III),
// and a tenth of its local requests kept. All of them would load the clusters
// 2.7, 2.7 and 5.3 times over at that speed, where the text speaks of room for
// external requests.
const (
	defaultReferenceSpeed = 1000
	keptLocalShare        = 0.1
	interGridRate         = 0.15 // external requests/s, section 5.2.2
)

// Reproducibles are the tables and figures of InterGrid, by the model of its section 4 and by
// simulated leases.
func Reproducibles() []paper.Reproducible { return slices.Concat(byModel(), ofLeases()) }

// A modelExperiment varies one thing of the workload of section 5.2.
type modelExperiment struct {
	name, title, which string
	x                  string // what it varies, in words
	points             int
	// point returns x and the workload of a point, from 0; it may also set the rate of the run.
	point func(r *interGridRun, i int) (float64, routes.Workload, error)
}

var modelExperiments = []modelExperiment{
	{"intergrid-sizes", "Routing by size of the external requests", "first experiment",
		"mean size of an external request (VMs)", 11, bySize},
	{"intergrid-durations", "Routing by duration of the external requests", "second experiment",
		"mean duration of an external request (s)", 13, byDuration},
	{"intergrid-external", "Routing by rate of the external requests", "third experiment",
		"external requests (per s)", 12, byExternalRate},
	{"intergrid-local", "Routing by rate of the local requests", "fourth experiment",
		"local requests kept, of the three clusters (per s)", 20, byLocalRate},
}

// bySize takes the knees 2.5 to 3.5 of table 2, in tenths.
func bySize(_ *interGridRun, i int) (float64, routes.Workload, error) {
	knee := 2.5 + float64(i)/10
	w, err := routing.DAS2(routing.DAS2Setting{Knee: knee})
	if err != nil {
		return 0, routes.Workload{}, err
	}
	size, err := w.External.Size.Mean(routing.Exact)
	return size, routes.Workload{SizeKnee: &knee}, err
}

// byDuration takes the means 3.0 to 5.4 of the logarithm of table 2, in fifths; 1.7 is its standard
// deviation.
func byDuration(_ *interGridRun, i int) (float64, routes.Workload, error) {
	a := 3 + 0.2*float64(i)
	return math.Exp(a + 1.7*1.7/2), routes.Workload{DurationLogMean: &a}, nil
}

// byExternalRate takes scales from 7.0 s down to that of the text's 0.15/s, which is below the
// table's 3.8 s.
func byExternalRate(r *interGridRun, i int) (float64, routes.Workload, error) {
	r.rate = 1/14. + (interGridRate-1/14.)*float64(i)/11
	return r.rate, routes.Workload{}, nil
}

// byLocalRate takes the ranges of local rates of table 2 from their lower ends on, in twentieths.
func byLocalRate(_ *interGridRun, i int) (float64, routes.Workload, error) {
	place := 0.05 * float64(i)
	w, err := routing.DAS2(routing.DAS2Setting{Experiment: routing.LocalRatesVaried, LocalScale: place})
	if err != nil {
		return 0, routes.Workload{}, err
	}
	rate := 0.0
	for _, s := range w.Sites {
		rate += keptLocalShare / s.Local.Gap.Mean()
	}
	return rate, routes.Workload{LocalVaried: true, LocalScale: &place}, nil
}

// byModel are the figures of InterGrid that the queueing model gives.
func byModel() []paper.Reproducible {
	all := []paper.Reproducible{
		{Name: "intergrid-workload", Source: "InterGrid section 5.2, table 2", Title: "Means of the DAS-2 workload",
			Reproduced: "arrival rates, durations and sizes that the laws of table 2 have, " +
				"beside the averages that the text states",
			Differs: "the text states one average where the table has a range or three clusters; eq. " +
				"28 takes 2^E[r] for E[2^r], both are given",
			Run: interGridWorkload}}
	for _, e := range modelExperiments {
		all = append(all, paper.Reproducible{
			Name:   e.name,
			Source: "InterGrid section 5.2, table 2, " + e.which,
			Title:  e.title,
			Reproduced: "the shares of PAP and the mean response of external requests by policy, by the queueing " +
				"model with each cluster as several servers (section 4.1), on the workload of table 2; beside them " +
				"the shares with one fast server a cluster, as eq. 16 has it",
			Differs: "as printed the experiment is degenerate: with one fast server a cluster and table 2's least rate " +
				"(0.0714/s, where the text has 0.15/s) PAP sends every request to one cluster. " +
				"Here clusters have as many servers as requests fit, external requests come at 0.15/s, " +
				"and what the paper does not say is assumed: durations measured at 1000 MIPS (--reference-speed), " +
				"one local request in ten, for at that speed all of them are several times what the clusters can do. " +
				"The paper measures in a simulator that rejects requests, and prints no response of external requests",
			Run: e.run,
		})
	}
	return all
}

// run computes the points of an experiment. Without --reference-speed the assumption above holds.
func (e modelExperiment) run(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	r := &interGridRun{
		ctx: ctx, a: a, speed: ask.Or(q.ReferenceSpeed, float64(defaultReferenceSpeed)), rate: interGridRate,
	}
	a.Drawn = []paper.Panel{{Quantity: "mean_response", YLabel: "mean response (s)"},
		{Quantity: "share", YLabel: "share of the stream by PAP"}}
	if err := ask.Positive("reference-speed", r.speed, "a speed above 0 in MIPS"); err != nil {
		return err
	}
	a.X = e.x
	for i := range e.points {
		x, w, err := e.point(r, i)
		if err != nil {
			return err
		}
		if err := r.at(x, w); err != nil {
			return err
		}
	}
	// The split by the printed equation stands below the curves, so that both readings can be
	// compared.
	if err := r.asPrinted(); err != nil {
		return err
	}
	// At too low a speed local requests saturate every cluster at every point, which is a fault of
	// the speed that was asked for.
	if r.answered == 0 {
		return &ask.InputError{Field: "reference-speed", Reason: a.Rows[0].Note}
	}
	return nil
}

// An interGridRun is one of the four experiments. Its rows are added to a as the points are
// computed.
type interGridRun struct {
	ctx   context.Context
	a     *paper.Reproduction
	speed float64
	rate  float64 // of external requests, per s

	answered int // points
}

// at adds the rows of one workload. Where local requests alone saturate a
// cluster nothing can be routed: the rows say so. x is what the experiment varies. Errors: those of
// the routing but for saturation.
func (r *interGridRun) at(x float64, w routes.Workload) error {
	kept, rate := keptLocalShare, units.Point(units.Rate(r.rate))
	w.Name, w.ReferenceSpeed, w.SeveralServers, w.LocalShare = "das2", &r.speed, true, &kept
	a, err := routes.Route(r.ctx, &routes.Question{Workload: &w, Rate: &rate})
	var infeasible *ask.InfeasibleError
	var input *ask.InputError // local requests alone are too many at this speed
	none := paper.Row{Quantity: "mean_response", Series: string(routes.PAP), X: &x, Unit: "s"}
	switch {
	case errors.As(err, &infeasible):
		none.Note = infeasible.Reason
		r.a.Add(none)
		return nil
	case errors.As(err, &input) && input.Field == "reference_speed":
		none.Note = input.Reason
		r.a.Add(none)
		return nil
	case err != nil:
		return err
	}
	r.answered++
	for _, w := range a.Warnings {
		// What varies after the semicolon is which clusters it is about. The same warning would
		// come for every point.
		kind, _, _ := strings.Cut(w, ";")
		if !slices.ContainsFunc(r.a.Warnings, func(old string) bool { return strings.HasPrefix(old, kind) }) {
			r.a.Warnings = append(r.a.Warnings, w)
		}
	}
	for _, p := range a.Policies {
		row := paper.Row{Quantity: "mean_response", Series: string(p.Policy), X: &x, Unit: "s",
			Computed: p.MeanResponse}
		if p.MeanResponse == nil && p.Saturated != nil {
			row.Note = "saturates " + *p.Saturated
		}
		r.a.Add(row)
	}
	for _, c := range a.Clusters {
		r.a.Plot("share", c.Name, "", x, c.Probability)
	}
	return nil
}

// asPrinted adds the split with one fast server a cluster and the least rate of
// table 2, at a speed at which all of its local requests leave room. The shares
// are those of any lower speed, too, for all clusters are nearly idle. At 100 MIPS all durations
// are a tenth of those at 1000.
func (r *interGridRun) asPrinted() error {
	speed := 100.0
	a, err := routes.Route(r.ctx, &routes.Question{Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed}})
	if err != nil {
		return err
	}
	for _, c := range a.Clusters {
		r.a.Add(paper.Row{
			Quantity: "share as printed", Series: c.Name, Computed: ask.Figure(c.Probability),
			Note: fmt.Sprintf("one fast server a cluster, all local requests, %s/s, durations at %s MIPS",
				ask.Digits(a.Rate), ask.Digits(speed)),
		})
	}
	return nil
}

// interGridWorkload compares the means of the laws with those of the text. Printed averages stand
// beside the means of the laws that the paper says it drew from.
func interGridWorkload(_ context.Context, _ *paper.Question, a *paper.Reproduction) error {
	for _, c := range []struct {
		setting routing.DAS2Setting
		note    string
	}{
		{routing.DAS2Setting{ExternalScale: 3.8}, "Weibull gaps of scale 3.8 s, shape 0.5: the most of the table"},
		{routing.DAS2Setting{}, "scale 7.0 s, shape 0.5: the least"},
		{routing.DAS2Setting{Experiment: routing.LocalRatesVaried}, "scale 7.0 s, shape 1.1, with local rates varied"},
	} {
		w, err := routing.DAS2(c.setting)
		if err != nil {
			return err
		}
		gap := w.External.Gap.Mean()
		a.Compare("external requests", "per s", 0.15, 1/gap, c.note)
	}
	w, err := routing.DAS2(routing.DAS2Setting{})
	if err != nil {
		return err
	}
	mean := 0.0
	for _, s := range w.Sites {
		gap := s.Local.Gap.Mean()
		mean += 1 / gap / float64(len(w.Sites))
		a.Compare("local requests of "+s.Local.Name, "per s", 0.12, 1/gap, "the text has one average")
	}
	a.Compare("local requests", "per s", 0.12, mean, "mean of the clusters")
	duration := w.External.Duration.Mean()
	a.Compare("duration of external requests", "s", 420, duration, "a = ln 420 − 1.7²/2, within the range of the table")
	for _, knee := range []float64{2.5, 3, 3.5} {
		w, err := routing.DAS2(routing.DAS2Setting{Knee: knee})
		if err != nil {
			return err
		}
		for _, r := range []struct {
			reading routing.Reading
			note    string
		}{{routing.Exact, "E[2^r]"}, {routing.AsPrinted, "2^E[r] as eq. 28 prints it"}} {
			size, err := w.External.Size.Mean(r.reading)
			if err != nil {
				return err
			}
			a.Compare("size of external requests", "VMs", 5, size, fmt.Sprintf("knee %v, %s", knee, r.note))
		}
	}
	return nil
}
