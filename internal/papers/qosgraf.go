package papers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
)

// A studyClaim is a number that QoS-GRAF prints about a figure: a ratio of
// means, or a mean.
type studyClaim struct {
	what         string
	printed      float64
	printedTo    float64 // above printed where a range is printed
	over, method string  // over/method − less, or the mean of over where method is ""
	less         float64
	inverse      bool // less − over/method
	quantity     string
	class        string // of job; "": all
	note         string
	above, below float64 // of x; both 0: all points
}

// qosgrafClaims are the numbers of sections 5.3 and 5.4 by figure.
var qosgrafClaims = map[string][]studyClaim{
	"7a": {
		{what: "MRPA below the optimum", printed: 0.05, over: string(alloc.LPRoundPaper), method: allocation.StudyBound, less: 1, inverse: true, quantity: "revenue", note: "at most, at all availabilities"},
		{what: "MRPA above UNIT_BIG", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig), less: 1, quantity: "revenue", note: "about"},
		{
			what:     "UNIT_BIG above MAX_BIG",
			printed:  0,
			over:     string(alloc.UnitBig),
			method:   string(alloc.MaxBig),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
		{
			what:     "UNIT_BEST above MAX_BEST",
			printed:  0,
			over:     string(alloc.UnitBest),
			method:   string(alloc.MaxBest),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
		{
			what:     "UNIT_BIG above UNIT_BEST",
			printed:  0,
			over:     string(alloc.UnitBig),
			method:   string(alloc.UnitBest),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
		{
			what:     "MAX_BIG above MAX_BEST",
			printed:  0,
			over:     string(alloc.MaxBig),
			method:   string(alloc.MaxBest),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
	},
	"7b": {
		{what: "MRPA above UNIT_BIG", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig), less: 1, quantity: "revenue"},
		{what: "MRPA above MAX_BIG", printed: 0.3, over: string(alloc.LPRoundPaper), method: string(alloc.MaxBig), less: 1, quantity: "revenue"},
		{
			what:     "MRPA above UNIT_BIG, small jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "revenue",
			note:     "equal, in words",
			class:    "small",
		},
	},
	"7e": {
		{what: "MRPA, mean unused", printed: 0.03, over: string(alloc.LPRoundPaper), quantity: "mean_unused", note: "less than"},
		{what: "MRPA, most unused", printed: 0.07, over: string(alloc.LPRoundPaper), quantity: "most_unused", note: "no more than"},
		{what: "UNIT_BIG, mean unused", printed: 0.1, over: string(alloc.UnitBig), quantity: "mean_unused", note: "within"},
		{what: "UNIT_BIG, most unused", printed: 0.3, over: string(alloc.UnitBig), quantity: "most_unused", note: "as high as"},
		{what: "MAX_BIG, mean unused", printed: 0.1, over: string(alloc.MaxBig), quantity: "mean_unused", note: "within"},
		{what: "MAX_BIG, most unused", printed: 0.3, over: string(alloc.MaxBig), quantity: "most_unused", note: "as high as"},
	},
	"7f": {
		{what: "MRPA above UNIT_BIG", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig), less: 1, quantity: "revenue", above: 190, below: 210, note: "at 200 jobs"},
		{what: "MRPA above UNIT_BEST", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBest), less: 1, quantity: "revenue", above: 190, below: 210, note: "at 200 jobs"},
	},
	"8a": {
		{what: "MLBA over the least loss", printed: 1.02, over: string(alloc.LPRoundPaper), method: allocation.StudyLeastLoss, quantity: "loss", above: 0.08, below: 0.151, note: "about, at low availability"},
		{what: "MLBA over the least loss", printed: 1.05, over: string(alloc.LPRoundPaper), method: allocation.StudyLeastLoss, quantity: "loss", above: 0.199, below: 0.41, note: "within, at medium and high availability"},
		{what: "UNIT_BIG over the least loss", printed: 2, over: string(alloc.UnitBig), method: allocation.StudyLeastLoss, quantity: "loss", above: 0.199, below: 0.41, note: "up to, at medium and high availability"},
	},
	"8b": {
		{what: "MLBA, loss in the primary revenue", printed: 0.1, printedTo: 0.2, over: string(alloc.LPRoundPaper), quantity: "loss_share", above: 0.199, below: 0.41, note: "at medium and high availability"},
		{
			what:     "MLBA's loss below UNIT_BIG's",
			printed:  0.2,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "loss_share",
			note:     "around, at medium and high availability",
			inverse:  true,
			above:    0.199,
			below:    0.41,
		},
	},
	"8e": {
		{what: "MLBA above UNIT_BIG", printed: 0.18, printedTo: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig), less: 1, quantity: "backup_revenue", note: "as jobs contend"},
	},
	"8f": {
		{what: "MLBA, sharing factor", printed: 1, over: string(alloc.LPRoundPaper), quantity: "sharing_factor", note: "more than"},
		{
			what:     "MLBA, sharing above UNIT_BIG",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "sharing_factor",
			note:     "more than, in words",
		},
	},
	"table2": {
		{
			what:      "MLBA's loss below UNIT_BIG's",
			printed:   0.1,
			printedTo: 0.2,
			over:      string(alloc.LPRoundPaper),
			method:    string(alloc.UnitBig),
			less:      1,
			inverse:   true,
			quantity:  "loss",
			note:      "after 1 to 4 failures together",
		},
	},
}

// qosgrafTable2 is table 2: loss, stopped and unprotected jobs after 1 to 4
// failures, for MLBA and UNIT_BIG.
var qosgrafTable2 = map[alloc.Method]map[string][4]float64{
	alloc.LPRoundPaper: {"loss": {40703, 94077, 207626, 485494}, "stopped": {0, 0, 0, 1}, "unprotected": {0, 4, 8, 28}},
	alloc.UnitBig:      {"loss": {45290, 156016, 285353, 510482}, "stopped": {0, 1, 1, 7}, "unprotected": {1, 0, 10, 45}},
}

func reproduceQoSGRAF() []Reproducible {
	all := []Reproducible{{
		Name: "qos-graf-figure-3", Source: "QoS-GRAF section 2.2.1, figure 3", Title: "Sharing of backup capacity between two jobs",
		Reproduced: "the worst loss and the overbooking with and without sharing, on the three resources and two jobs of the text",
		Differs:    "the levels of the figure are those that the text implies: 50, 100 and 200 units for 250, 500 and 1000 $",
		run:        qosgrafFigure3,
	}}
	for _, f := range allocation.StudyFigures() {
		name, source := "qos-graf-figure-"+f.Number, "QoS-GRAF figure "+f.Number
		differs := f.Note() + "; of the two readings of its capacity law (variance 0.75) the literal one, " +
			"by which resources are all but equal, unless --capacity-law relative"
		if f.Number == "table2" {
			name, source = "qos-graf-table-2", "QoS-GRAF table 2"
			differs += "; no number of resources from 2 to 10 gives the printed counts by either law: the losses are " +
				"nearest with 5, where some 94 jobs end unprotected, not 28, and MLBA leaves no fewer than UNIT_BIG, " +
				"for jobs that have moved keep the backup capacity that they use, which MLBA fills the better, " +
				"and new backups have what is left"
		}
		all = append(all, Reproducible{
			Name: name, Source: source, Title: f.Title,
			Reproduced: "means and 95 % intervals over generated batches (section 5.2), with the numbers of the text beside them; MRPA and MLBA are lp-round-paper",
			Differs:    differs,
			run: func(ctx context.Context, q *Question, a *Reproduction) error {
				return qosgrafFigure(ctx, q, f.Number, a)
			},
		})
	}
	return all
}

// defaultResources are the numbers of resources of each dependency that the
// printed numbers are compared for: the paper gives none, and with 10 the least
// demand of a large job exceeds a backup share at backup factor 0.15, so that
// eq. 12 cannot be met.
var defaultResources = []int{10, 4}

// tableResources are those of table 2, which no number of them reproduces.
var tableResources = []int{10, 8, 5, 4, 2}

func qosgrafFigure(ctx context.Context, q *Question, figure string, a *Reproduction) error {
	law := q.CapacityLaw
	if law == "" {
		law = alloc.DefaultLaw
	}
	sizes := q.Resources
	if sizes == nil {
		if sizes = defaultResources; figure == "table2" {
			sizes = tableResources
		}
	}
	if len(qosgrafClaims[figure]) == 0 && figure != "table2" {
		sizes = sizes[:1] // nothing is compared
	}
	for i, resources := range sizes {
		if resources < 1 || slices.Contains(sizes[:i], resources) {
			return ask.Inputf("resources", "%v, want different numbers from 1 on", sizes)
		}
	}
	a.Seed = &q.Seed
	var studied []Row
	for i, resources := range sizes {
		done := func(part, parts int) {
			if q.Done != nil {
				q.Done(i*parts+part, len(sizes)*parts)
			}
		}
		s, err := allocation.Study(ctx, &allocation.StudyQuestion{Figure: figure, Seeds: q.Seeds, Seed: q.Seed, Resources: resources, CapacityLaw: law, Done: done})
		if err != nil {
			return err
		}
		for _, w := range s.Warnings {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%d resources: %s", resources, w))
		}
		if i == 0 {
			a.Study = s
		} else if s.Stopped {
			a.Study.Stopped = true
		}
		for _, c := range qosgrafClaims[figure] {
			a.claim(s, c)
		}
		studied = append(studied, studyRows(s, i == 0)...)
	}
	if x, ok := map[string]string{"primary_factor": "primary factor", "backup_factor": "backup factor", "jobs": "jobs", "failures": "resources failed"}[a.Study.Over]; ok {
		a.X = x
	}
	a.Rows = append(a.Rows, studied...)
	return nil
}

// studyRows returns the rows of a study, all or only those that the paper
// prints a number for.
func studyRows(s *allocation.StudyAnswer, all bool) []Row {
	var rows []Row
	for i := range s.Rows {
		r := &s.Rows[i]
		row := Row{
			Quantity: r.Quantity, Series: r.Method, X: r.X, Computed: ask.Figure(r.Mean), Low: r.Low, High: r.High,
			Resources: &s.Resources, Batches: &r.Batches,
		}
		if r.Quantity == s.Quantity {
			row.Unit = s.Unit
		}
		for _, part := range []*string{r.Job, r.Class, r.Dependency} {
			if part != nil {
				row.Series += ", " + *part
			}
		}
		if r.Level != nil {
			row.Series += fmt.Sprintf(", level %d", *r.Level)
		}
		if table, ok := qosgrafTable2[alloc.Method(r.Method)][r.Quantity]; ok && s.Over == "failures" && r.X != nil && *r.X <= float64(len(table)) {
			v := table[int(*r.X)-1]
			row.Printed, row.Verdict = &v, ofOneRun(r, v)
			row.Note = "one run in the paper, the mean of batches here"
		}
		if all || row.Printed != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// ofOneRun compares the outcome of one run with the mean of others: it agrees
// where it lies within what 95 % of single runs give, m ± t·s·√(1 + 1/n), s being
// t's factor of the interval of the mean. Where that is as wide as from 0 to
// twice the mean, a run tells nothing.
func ofOneRun(r *allocation.StudyRow, printed float64) Verdict {
	if r.High == nil {
		return CannotBeTold
	}
	wide := (*r.High - r.Mean) * math.Sqrt(float64(r.Batches)+1)
	switch {
	case math.Abs(printed-r.Mean) > wide+0.5:
		return Differs
	case wide >= math.Abs(r.Mean):
		return CannotBeTold
	}
	return Agrees
}

// claim adds a row for each point of the figure that the text speaks of. Two
// methods are compared over the batches in which both have an answer.
func (a *Reproduction) claim(s *allocation.StudyAnswer, c studyClaim) {
	resources := s.Resources
	for p, x := range s.Points() {
		if c.below > 0 && (x < c.above || x > c.below) {
			continue
		}
		row := Row{Quantity: c.what, Printed: &c.printed, Note: c.note, Resources: &resources}
		if !math.IsNaN(x) {
			row.X = ask.Figure(x)
		}
		if c.printedTo > 0 {
			row.PrintedTo = &c.printedTo
		}
		over, under := c.paired(s, p)
		n := len(over)
		row.Batches = &n
		v, half := ratioOfMeans(over, under)
		if sign := 1.0; c.method != "" {
			if c.inverse {
				sign = -1
			}
			v = sign * (v - c.less)
		}
		if row.Computed = ask.Figure(v); row.Computed != nil && n > 1 {
			row.Low, row.High = ask.Figure(v-half), ask.Figure(v+half)
		}
		reason := ""
		switch {
		case n == 0:
			reason = "one of the two has no answer in any batch"
		case row.Computed == nil:
			reason = "nothing is lost to compare with"
		case n < 2:
			row.Verdict, reason = CannotBeTold, "one batch"
		}
		row.Note = strings.TrimPrefix(row.Note+"; "+reason, "; ")
		row.Note = strings.TrimSuffix(row.Note, "; ")
		a.Rows = append(a.Rows, row)
	}
}

// paired returns the sums that a claim compares, by batch, of a point; under is
// 1 throughout where it compares with nothing.
func (c studyClaim) paired(s *allocation.StudyAnswer, point int) (over, under []float64) {
	for _, sums := range s.Sums(point, c.quantity, c.class) {
		x, ok := sums[c.over]
		y := 1.0
		if c.method != "" && ok {
			y, ok = sums[c.method]
		}
		if ok {
			over, under = append(over, x), append(under, y)
		}
	}
	return over, under
}

// meanOf returns the arithmetic mean, 0 of nothing.
func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / math.Max(1, float64(len(values)))
}

// ratioOfMeans returns the ratio of two means over the same batches, with half
// of its 95 % interval by linearization: the deviation of x − r·y over the mean
// of y (Cochran 1977, section 6.4), by Student's t. NaN where there is none.
func ratioOfMeans(x, y []float64) (r, half float64) {
	n := float64(len(x))
	if r = meanOf(x) / meanOf(y); n < 2 || math.IsNaN(r) || math.IsInf(r, 0) {
		return r, math.NaN()
	}
	square := 0.0
	for i := range x {
		square += (x[i] - r*y[i]) * (x[i] - r*y[i])
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return r, t * math.Sqrt(square/(n-1)/n) / math.Abs(meanOf(y))
}

// qosgrafFigure3 is the example of two jobs and three resources.
func qosgrafFigure3(ctx context.Context, _ *Question, a *Reproduction) error {
	levels := map[string][]alloc.Level{"cpu": {{Demand: 50, Revenue: 250}, {Demand: 100, Revenue: 500}, {Demand: 200, Revenue: 1000}}}
	b := &alloc.Batch{
		Dependencies: []string{"cpu"},
		// What the primaries leave is there for backups.
		Resources: []alloc.Resource{
			{ID: "R1", Dependency: "cpu", PrimaryCapacity: 200, BackupCapacity: 50},
			{ID: "R2", Dependency: "cpu", PrimaryCapacity: 200, BackupCapacity: 50},
			{ID: "R3", Dependency: "cpu", PrimaryCapacity: 0, BackupCapacity: 100},
		},
		Jobs: []alloc.Job{{ID: "job 1", Levels: levels}, {ID: "job 2", Levels: levels}},
	}
	s, err := alloc.New(b)
	if err != nil {
		return err
	}
	primary := alloc.Choices{{{Resource: 0, Level: 3}, {Resource: 1, Level: 3}}}
	for _, c := range []struct {
		name              string
		noSharing         bool
		loss, overbooking float64
	}{{"without sharing", true, 750, 150}, {"with sharing", false, 500, 100}} {
		p, err := s.Backup(ctx, primary, alloc.BackupOptions{NoSharing: c.noSharing})
		if err != nil {
			return err
		}
		worst := int64(0)
		need := map[int32][]int64{}
		for k, at := range p.Choices[0] {
			level := levels["cpu"][at.Level-1]
			worst = max(worst, 1000-level.Revenue)
			need[at.Resource] = append(need[at.Resource], level.Demand)
			a.Rows = append(a.Rows, Row{Quantity: "level of the backup", Series: b.Jobs[k].ID + ", " + c.name, Computed: ask.Figure(float64(at.Level)), Note: "on " + b.Resources[at.Resource].ID})
		}
		booked := int64(0)
		for _, demands := range need {
			sum, most := int64(0), int64(0)
			for _, d := range demands {
				sum, most = sum+d, max(most, d)
			}
			if c.noSharing {
				booked += sum
			} else {
				booked += most // the jobs run on different resources, only one of which fails
			}
		}
		a.compare("worst loss", "$", c.loss, float64(worst), c.name)
		a.compare("overbooking", "units", c.overbooking, float64(booked), c.name)
	}
	return nil
}
