package intergrid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim/lease"
)

// A leaseFigure is one of the paper's figures 5 to 8: what it shows by experiment. A figure has
// four parts, one for each experiment; the reasons why sizes differ are those of the figure.
type leaseFigure struct {
	number string
	title  string
	of     []string // figures of package lease; the first is the paper's
	labels []string
	why    string // why sizes differ
}

// leaseFigureList holds what each figure of the simulated leases draws. The second quantity, where
// there is one, is not in the paper and says what the first hides.
var leaseFigureList = []leaseFigure{
	{
		"5", "VMs preempted by policy", []string{lease.VMsPreempted}, []string{"VMs preempted in two days"},
		"how many VMs are preempted follows from how often local requests find too few nodes free, " +
			"which the paper does not say",
	},
	{
		"6", "Utilization as printed, and utilization", []string{lease.UtilizationPrinted, lease.Utilization},
		[]string{"1 - overhead/computation (%)", "busy node-seconds (%)"},
		"the printed differences cannot follow from those of figure 5: 5458 VMs, the most that figure 5(a) " +
			"has between PAP-RTDP and LRF, are 2.0 million s of overhead if all of them migrate, " +
			"3.7% of the 54 million s that 25,920 requests of 5 VMs compute for 420 s, and 12.5% are printed",
	},
	{
		"7", "Average weighted response time of best-effort leases", []string{awrt, response},
		[]string{"AWRT (s)", "mean response of all external leases (s)"},
		"it is what waiting and preempted leases lose, in proportion to durations and to the load, " +
			"neither of which the paper gives at a speed",
	},
	{
		"8", "Migration of Migratable and rejection of Non-preemptable leases",
		[]string{lease.MigrationRate, lease.RejectionRate},
		[]string{"Migratable leases migrated (%)", "Non-preemptable leases rejected (%)"},
		"both policies of PAP send each cluster the same share, and here both types of leases meet clusters that are " +
			"full about as often",
	},
}

const leaseDiffers = "the paper does not say at which speed durations were measured, which lease is preempted among " +
	"those of a type, how late a Migratable lease may be, nor how often local requests come in its runs: " +
	"those of table 2, all of them, are several times what the clusters can do. Here as in intergrid-sizes: " +
	"durations measured at 1000 MIPS, one local request in ten, external ones at 0.15/s where that is not what " +
	"varies, deadlines of twice the duration, of a type first the lease that frees enough with the fewest VMs. " +
	"Only PAP with clusters of room has a split. Nothing is tuned to a printed number"

// ofLeases are the figures of InterGrid that are simulated with leases. Sixteen figures
// are made of four figures and four experiments; table 3, the regression and other readings follow.
func ofLeases() []paper.Reproducible {
	what := "two days on the three clusters, simulated: conservative backfilling, four types of leases, " +
		"preemption by local requests with the overheads of section 5.2; 95% intervals, " +
		"and the differences that the paper prints, paired over the seeds"
	var all []paper.Reproducible
	for _, f := range leaseFigureList {
		for _, e := range leaseExperiments {
			part := e.letter
			// Figure 8 has the letters (a, b) for sizes, (c, d) for durations and so on.
			if f.number == "8" { // two drawings for each experiment
				i := int(e.letter[0]-'a') * 2
				part = "abcdefgh"[i : i+2]
			}
			all = append(all, paper.Reproducible{
				Name:   "intergrid-figure-" + f.number + part,
				Source: "InterGrid figure " + f.number + "(" + strings.Join(strings.Split(part, ""), ", ") + ")",
				Title:  f.title, Reproduced: what, Differs: leaseDiffers + ". Sizes: " + f.why,
				Run: func(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
					return leaseFigurePart(ctx, q, a, f, e)
				},
			})
		}
	}
	return append(all,
		paper.Reproducible{
			Name:       "intergrid-table-3",
			Source:     "InterGrid table 3",
			Title:      "Differences of PAP-RTDP and PAP-RND in migrations and rejections",
			Reproduced: what,
			Differs:    leaseDiffers + ". Sizes: " + leaseFigureList[len(leaseFigureList)-1].why,
			Run: func(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
				t, err := leasesOf(ctx, q, "abcd")
				if err != nil {
					return err
				}
				takeLeases(a, t)
				// Table 3 repeats the differences that figure 8 has in its panels.
				claimRows(a, t, func(c *leaseClaim) bool { return strings.HasPrefix(c.where, "8") })
				return nil
			},
		},
		paper.Reproducible{
			Name:   "intergrid-figure-4",
			Source: "InterGrid figure 4, eq. 2",
			Title:  "Regression of response on preemptions",
			Reproduced: "R = intercept + slope x η by least squares over the runs of all experiments and of the " +
				"paper's five policies, a line for each seed; it holds between the least and the greatest count of " +
				"these runs only",
			Differs: leaseDiffers + ". The units of the printed line are not given; " +
				"3.09 and 0.012 are read as seconds and seconds a VM",
			Run: func(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
				t, err := leasesOf(ctx, q, "abcd")
				if err != nil {
					return err
				}
				takeLeases(a, t)
				return regression(a, t)
			},
		},
		paper.Reproducible{
			Name:   "intergrid-readings",
			Source: "InterGrid section 5.2, table 2",
			Title:  "Policies beyond the paper, and its workload at face value",
			Reproduced: "the five policies, least work left, which knows the queues, and PAP by the response of " +
				"several servers, on the workload of the other figures; and the five and least work left with table " +
				"2 at face value: durations as they are on any cluster, all local requests, PAP's split by eq. " +
				"16 as printed, which sends every request to C256",
			Differs: "at face value local requests alone are 5 to 11 times what the clusters can do: queues grow, " +
				"most requests are rejected or not done after two days, and what is measured is overload",
			Run: leaseReadings,
		},
	)
}

// takeLeases says what the table is of. Stored runs and new ones have the same form, and the number
// of seeds tells them apart.
func takeLeases(a *paper.Reproduction, t *leaseTable) {
	a.Seed = &t.Seed
	a.Reproduced += fmt.Sprintf("; %d seeds behind each point", t.Seeds)
}

// leaseFigurePart is one figure of one experiment. Curves come first, then the printed intervals,
// then what the text says in words. Without --seeds all of it comes from the table that the program
// carries.
func leaseFigurePart(ctx context.Context, q *paper.Question, a *paper.Reproduction, f leaseFigure,
	e leaseExperiment) error {
	t, err := leasesOf(ctx, q, e.letter)
	if err != nil {
		return err
	}
	takeLeases(a, t)
	a.X = e.x
	for i, of := range f.of {
		a.Drawn = append(a.Drawn, paper.Panel{Quantity: of, YLabel: f.labels[i],
			FromData: of == lease.UtilizationPrinted})
		// Curves of the second quantity have no printed numbers and are drawn alone.
		leaseCurves(a, t, e.letter, of)
	}
	claimRows(a, t, func(c *leaseClaim) bool { return c.experiment == e.letter && slices.Contains(f.of, c.of) })
	said := len(a.Rows)
	leaseWords(a, t, f.number, e.letter)
	leaseTrends(a, t, f.number, e.letter, f.of)
	// One seed has no spread, and nothing that is said of it can be told.
	for i := said; t.Seeds < 2 && i < len(a.Rows); i++ {
		a.Rows[i].Verdict = paper.CannotBeTold
	}
	return nil
}

// leaseCurves adds the points of a figure for the paper's policies. t may hold cells of other
// experiments and of policies beyond the paper, which are passed over. Points come in the order of
// the cells, by x.
func leaseCurves(a *paper.Reproduction, t *leaseTable, letter, of string) {
	for _, p := range leasePolicies {
		for _, c := range t.cells(letter, p, everywhere) {
			leaseRow(a, c, of, "")
		}
	}
}

// leaseRow adds a figure of a cell. The values are mean, low and high of the 95 % interval.
func leaseRow(a *paper.Reproduction, c leaseCell, of, note string) {
	row := paper.Row{Quantity: of, Series: c.Policy, X: &c.X, Unit: figureUnit(of), Note: note}
	if v, ok := c.Figures[of]; ok {
		row = row.With(v)
	} else {
		row.Note = "no lease of the kind in enough runs"
	}
	a.Add(row)
}

// claimRows adds what the paper prints of differences, first by sign, then by size. A sign may agree
// where the size does not: the paper leaves open what sizes follow from. Intervals are of
// differences by seed, where both policies have the same requests.
func claimRows(a *paper.Reproduction, t *leaseTable, wanted func(*leaseClaim) bool) {
	for i := range leaseClaims {
		c := &leaseClaims[i]
		if !wanted(c) {
			continue
		}
		row := paper.Row{Quantity: "difference of " + c.of, Series: fmt.Sprintf("%v - %v", c.more, c.less),
			Unit: figureUnit(c.of)}
		var d *means.Interval
		seeds := ""
		for _, p := range t.Pairs {
			if p.Claim == c.figure() {
				d = &p.Difference
				seeds = fmt.Sprintf("; %d seeds", p.Seeds)
				row = row.With(p.Difference)
			}
		}
		// Copies, so that no row points into the table of claims.
		low, high := c.low, c.high
		row.Printed, row.PrintedTo = &low, &high
		sign := row
		sign.Note, sign.Verdict = c.where+", the sign: "+signWords(c, d)+seeds, c.sign(d)
		if low == 0 && high == 0 {
			sign.PrintedTo = nil
			a.Add(sign) // a printed difference of none has no size
			continue
		}
		row.Note = c.where + ", the size" + seeds
		a.Rows = append(a.Rows, sign, row)
	}
}

// sign compares the side of 0 on which the difference lies. d is the mean difference with its 95 %
// interval; an interval that holds 0 tells no sign.
func (c *leaseClaim) sign(d *means.Interval) paper.Verdict {
	none := c.low == 0 && c.high == 0
	switch {
	case d == nil || d[1] != d[1]: // not computed, or of one run
		return paper.CannotBeTold
	case d[1] <= 0 && d[2] >= 0: // not significant
		if none {
			return paper.Agrees
		}
		return paper.CannotBeTold
	case none || d[2] < 0:
		return paper.Differs
	}
	return paper.Agrees
}

// signWords is the note beside a difference of two policies. They say what is printed and what came
// out, in the order of sign.
func signWords(c *leaseClaim, d *means.Interval) string {
	printed := "the former is printed as the greater"
	if c.low == 0 && c.high == 0 {
		printed = "no significant difference is printed"
	}
	switch {
	case d == nil || d[1] != d[1]:
		return printed + ", and ours has no interval"
	case d[1] <= 0 && d[2] >= 0:
		return printed + ", ours is not significant"
	case d[2] < 0:
		return printed + ", ours is the less"
	}
	return printed + ", ours is the greater"
}

// regression adds the line. The domain stands beside the line, since a line means nothing outside
// the runs that it is of. Errors: *ask.InputError where there are too few runs.
func regression(a *paper.Reproduction, t *leaseTable) error {
	l := t.Regression
	if l == nil {
		return &ask.InputError{Field: "seeds", Reason: "too few runs for a line, want 2 seeds or more"}
	}
	printed := routing.InterGridPreemptions
	for _, r := range []struct {
		quantity, unit, note string
		printed              *float64
		v                    means.Interval
	}{
		{"intercept", "s", "eq. 2: the response of a run without preemptions", &printed.Intercept, l.Intercept},
		{"slope", "s a VM", "eq. 2", &printed.Slope, l.Slope},
		{"correlation", "", "the text: positive", nil, l.Correlation},
	} {
		a.Add(paper.Row{Quantity: r.quantity, Unit: r.unit, Note: r.note, Printed: r.printed}.With(r.v))
	}
	for _, r := range []struct {
		quantity, unit string
		v              [2]float64
	}{{"VMs preempted in two days", "VMs", l.Preempted}, {"response", "s", l.Response}} {
		a.Add(paper.Row{Quantity: "domain: " + r.quantity, Unit: r.unit,
			Note: "least and greatest of the runs, and the middle between",
		}.With(means.Interval{(r.v[0] + r.v[1]) / 2, r.v[0], r.v[1]}))
	}
	return nil
}

// leaseReadings compares policies beyond the paper, and the face value. The first point of the
// first experiment stands for all, since these readings are beside the paper.
func leaseReadings(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := leasesOf(ctx, q, "a")
	if err != nil {
		return err
	}
	// The face value is always that of the stored runs: its queues take long.
	t.Face = storedTable().Face
	takeLeases(a, t)
	a.X = leaseExperiments[0].x
	for _, c := range t.Cells {
		if c.Experiment != "a" || c.X != t.Cells[0].X {
			continue
		}
		for _, f := range leaseFigures {
			leaseRow(a, c, f.name, "with room")
		}
	}
	if t.Face == nil {
		return nil
	}
	for _, c := range t.Face.Cells {
		for _, f := range leaseFigures {
			leaseRow(a, c, f.name, fmt.Sprintf("face value, %d seeds", t.Face.Seeds))
		}
	}
	return nil
}
