package allocation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

// A StudyQuestion asks how methods of allocation compare over many generated
// batches: one figure of QoS-GRAF section 5.
type StudyQuestion struct {
	Figure string `json:"figure"` // see [StudyFigures], by number or name

	Methods   []alloc.Method `json:"methods,omitempty"` // nil: those of the figure
	Jobs      int            `json:"jobs"`              // 0: 100
	Resources int            `json:"resources"`         // of each dependency; 0: 10
	// weights of small, medium and large jobs; all 0: 20, 70, 10
	Mix         [3]float64        `json:"mix"`
	CapacityLaw alloc.CapacityLaw `json:"capacity_law"` // empty: alloc.DefaultLaw
	Seeds       int               `json:"seeds"`        // batches; 0: 20
	Seed        uint64            `json:"seed"`         // of the first batch

	PrimaryFactor *float64 `json:"primary_factor"` // where the figure does not vary it; nil: 0.75
	BackupFactor  *float64 `json:"backup_factor"`  // where it does not vary it; nil: that of the figure
	// the values of the first axis where that is a factor or jobs; nil: those of the figure
	Over []float64 `json:"over,omitempty"`
	// Effort scales the search of lp-round; 0: 0.1, beyond which little is
	// gained.
	Effort float64 `json:"effort,omitempty"`
	// Fallback answers where a published method does not place all jobs:
	// "lp-round", or empty for none.
	Fallback alloc.Method `json:"fallback,omitempty"`
	// Done, where it is not nil, is called with the parts finished and their
	// number, one call at a time.
	Done func(part, parts int) `json:"-"`
}

// A StudyAnswer is one figure: the mean over batches of what each method
// makes, with its 95 % confidence interval.
type StudyAnswer struct {
	Figure string `json:"figure"` // number in the paper
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	// what the first axis is: primary_factor, backup_factor, jobs, class, job, method or failures
	Over     string `json:"over"`
	Quantity string `json:"quantity"`
	Unit     string `json:"unit"` // of mean, low and high; "" of a number or a fraction

	Methods   []string `json:"methods"` // and bounds, in the order of the rows
	Jobs      int      `json:"jobs"`
	Resources int      `json:"resources"`
	// Mix is the share of each class of jobs.
	Mix           [3]float64 `json:"mix"`
	CapacityLaw   string     `json:"capacity_law"`
	PrimaryFactor *float64   `json:"primary_factor"` // null where it varies
	BackupFactor  *float64   `json:"backup_factor"`  // null where it varies or plays no part
	Seeds         int        `json:"seeds"`          // batches drawn
	Seed          uint64     `json:"seed"`
	Stopped       bool       `json:"stopped"`  // fewer batches than asked for: interrupted
	Fallback      *string    `json:"fallback"` // what answered where a published method did not; null: nothing

	Rows []StudyRow `json:"rows"`
	// Unanswered are the points of methods that did not place all jobs of some
	// batch: how many batches, and the mean share of pairs of job and dependency
	// that they placed there.
	Unanswered []StudyRow `json:"unanswered"`
	// Substituted are the points where the fallback answered in place of a method:
	// in how many batches.
	Substituted []StudyRow `json:"substituted"`
	Warnings    []string   `json:"warnings,omitempty"`

	points  []float64
	batches []studyPart // by batch, then point
}

// A StudyRow is one point of a figure. What the figure does not tell apart is
// null.
type StudyRow struct {
	Method     string   `json:"method"`
	X          *float64 `json:"x"` // factor, jobs or failures, by Over
	Dependency *string  `json:"dependency"`
	Class      *string  `json:"class"`
	Level      *int     `json:"level"` // 0: unprotected
	Job        *string  `json:"job"`
	// Quantity is what the row is a mean of.
	Quantity string   `json:"quantity"`
	Batches  int      `json:"batches"` // behind the mean: in which the method has an answer
	Mean     float64  `json:"mean"`
	Low      *float64 `json:"low"`  // of the 95 % interval of the mean, null for one batch
	High     *float64 `json:"high"` // of the 95 % interval of the mean, null for one batch
}

// The rows that are bounds, beside those of methods.
const (
	StudyBound     = "lp-bound"   // no assignment earns more
	StudyLeastLoss = "least-loss" // no backups lose less
	noSharing      = "no-sharing" // lp-round-paper, each job with backup capacity of its own
)

// A StudyFigure is a figure that can be studied. Its position is that in the
// paper, which counts parts of a figure by letters.
type StudyFigure struct {
	Number, Name, Title string
	Over                string
	Quantity, Unit      string
	note                string // what differs from the paper, for lists
	// over and bf are the values of the first axis and the backup factor where
	// the question gives none.
	over    []float64
	bf      float64 // 0: no backups
	methods []alloc.Method
	measure measuring
}

// Note says what of the figure is not as the paper has it.
func (f *StudyFigure) Note() string { return f.note }

// The methods that a figure compares, and the values of its axis.
var (
	allMethods = []alloc.Method{alloc.LPRoundPaper, alloc.LPRound, alloc.UnitBig, alloc.UnitBest, alloc.MaxBig,
		alloc.MaxBest}
	backupMethods = []alloc.Method{alloc.LPRoundPaper, alloc.LPRound, alloc.UnitBig}
	pfOver        = []float64{0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1}
	bfOver        = []float64{0.08, 0.115, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4}
	jobsOver      = []float64{25, 50, 75, 100, 125, 150, 175, 200}
)

// Notes on what the paper leaves open.
const (
	counted   = "the paper's scatter of single jobs is counted by class and level"
	unstated  = "the paper does not give the number of resources; this run has 10 of each dependency"
	noPrimary = unstated + ", nor the primary factor; this run uses 0.75"
)

// StudyFigures are the figures in the order of the paper.
func StudyFigures() []StudyFigure {
	return []StudyFigure{
		{"7a", "revenue", "Revenue against resource availability", "primary_factor", "revenue", "$",
			unstated, pfOver, 0, allMethods, measureRevenue},
		{"7b", "class", "Revenue by class of job", "class", "revenue", "$",
			unstated, nil, 0, allMethods, ofPlans(measureClasses)},
		{"7c", "levels", "Jobs by level", "class", "jobs", "",
			counted + "; " + unstated, nil, 0, allMethods, ofPlans(measureLevels)},
		{"7d", "jobs", "Revenue of each job", "job", "revenue", "$",
			"one batch, the first, and one dependency; " + unstated, nil, 0,
			[]alloc.Method{alloc.LPRoundPaper, alloc.UnitBig, alloc.MaxBig}, ofPlans(measureJobs)},
		{"7e", "unused", "Unused capacity by method", "method", "unused", "",
			noPrimary, nil, 0, allMethods, ofPlans(measureUnused)},
		{"7f", "scale", "Revenue against jobs, resources fixed", "jobs", "revenue", "$",
			noPrimary + " at 100 jobs", jobsOver, 0, allMethods, measureRevenue},
		{"8a", "loss", "Loss against backup availability", "backup_factor", "loss", "$",
			noPrimary, bfOver, 1, backupMethods, measureLoss},
		{"8b", "loss-share", "Loss in the primary revenue", "backup_factor", "loss_share", "",
			noPrimary, bfOver, 1, backupMethods, measureLossShare},
		{"8c", "loss-class", "Loss by class of job", "class", "loss", "$",
			noPrimary, nil, 0.15, backupMethods, ofBackups(true, measureLossClasses)},
		{"8d", "backup-levels", "Backups by level", "class", "jobs", "",
			counted + "; " + noPrimary, nil, 0.15, backupMethods, measureBackupLevels},
		{"8e", "backup-scale", "Revenue of the backups against jobs, resources fixed", "jobs", "backup_revenue", "$",
			noPrimary + " at 100 jobs, and backup factor 0.15", jobsOver, 0.15, backupMethods, measureBackupRevenue},
		{"8f", "sharing", "Sharing of backup capacity", "backup_factor", "sharing_factor", "",
			noPrimary, bfOver, 1, backupMethods, ofBackups(true, measureSharing)},
		{"table2", "failures", "Resources that fail one after another", "failures", "loss", "$",
			noPrimary + " and the backup factor 0.15", []float64{1, 2, 3, 4}, 0.15,
			[]alloc.Method{alloc.LPRoundPaper, alloc.LPRound, alloc.UnitBig}, measureFailures},
	}
}

// figure finds the figure by number or name.
func (q *StudyQuestion) figure() (*StudyFigure, error) {
	all := StudyFigures()
	var names []string
	for i := range all {
		if all[i].Number == q.Figure || all[i].Name == q.Figure {
			return &all[i], nil
		}
		names = append(names, all[i].Number, all[i].Name)
	}
	reason := fmt.Sprintf("%q is not one of %s%s", q.Figure, strings.Join(names, ", "), spell.Suggest(q.Figure, names))
	if q.Figure == "" {
		reason = "not given, want one of " + strings.Join(names, ", ")
	}
	return nil, &ask.InputError{Field: "figure", Reason: reason}
}

// fill puts defaults in and looks at the ranges. The defaults are those of the
// paper where it says them: 100 jobs, and 20, 70 and 10 of a hundred small,
// medium and large.
func (q *StudyQuestion) fill(f *StudyFigure) error {
	q.Jobs = cmp.Or(q.Jobs, 100)
	q.Resources = cmp.Or(q.Resources, 10)
	q.Seeds = cmp.Or(q.Seeds, 20)
	if q.Mix == [3]float64{} {
		q.Mix = [3]float64{20, 70, 10}
	}
	q.CapacityLaw = cmp.Or(q.CapacityLaw, alloc.DefaultLaw)
	q.Effort = cmp.Or(q.Effort, 0.1)
	if q.Methods == nil {
		q.Methods = f.methods
	}
	switch {
	case f.Over == "primary_factor" && q.PrimaryFactor != nil:
		return ask.Inputf("primary_factor", "is what figure %s varies: give a list of its values", f.Number)
	case f.Over == "backup_factor" && q.BackupFactor != nil:
		return ask.Inputf("backup_factor", "is what figure %s varies: give a list of its values", f.Number)
	case f.bf == 0 && q.BackupFactor != nil:
		return ask.Inputf("backup_factor", "has no effect on figure %s, which is about primaries", f.Number)
	case f.over == nil && q.Over != nil:
		return &ask.InputError{Field: "over", Reason: "figure " + f.Number + " varies no number"}
	case q.Seeds < 1 || q.Seeds > 100_000:
		return ask.Inputf("seeds", "want 1 to 100000 batches")
	case q.Jobs < 1 || q.Jobs > 100_000:
		return ask.Inputf("jobs", "want 1 to 100000 jobs")
	case q.Resources > mostHeldResources:
		return ask.Inputf("resources", "is %d, want at most %d", q.Resources, mostHeldResources)
	case f.Over == "failures" && q.Resources < 2:
		return ask.Inputf("resources", "want at least 2, so that one can fail")
	}
	q.PrimaryFactor = cmp.Or(q.PrimaryFactor, new(0.75))
	q.BackupFactor = cmp.Or(q.BackupFactor, &f.bf)
	switch {
	case q.Over == nil:
		q.Over = f.over
	case len(q.Over) == 0:
		return ask.Inputf("over", "is empty, want one or more values, or leave it out")
	}
	for i, v := range q.Over {
		whole := f.Over == "jobs" || f.Over == "failures"
		switch {
		case !(v > 0) || whole && (v != float64(int(v)) || v > 100_000):
			return ask.Inputf("over", "%v is not a value of %s", v, strings.ReplaceAll(f.Over, "_", " "))
		case i > 0 && v <= q.Over[i-1]:
			return ask.Inputf("over", "%v after %v, want increasing values", v, q.Over[i-1])
		case f.Over == "failures" && v != float64(i+1):
			return ask.Inputf("over", "failures come one after another: want 1, 2, 3 and so on")
		case f.Over == "failures" && i >= 3*q.Resources:
			return ask.Inputf("over", "there are %d resources that can fail", 3*q.Resources)
		}
	}
	if q.Fallback != "" && q.Fallback != alloc.LPRound {
		return ask.Inputf("fallback", "%q, want lp-round or none", q.Fallback)
	}
	for i, m := range q.Methods {
		if !slices.Contains(allMethods, m) {
			return ask.Inputf("methods", "%q is not one of the methods studied, want some of %v", m, allMethods)
		}
		if slices.Contains(q.Methods[:i], m) {
			return ask.Inputf("methods", "%q is given twice", m)
		}
	}
	return nil
}

// Study answers a StudyQuestion on all cores. When the context ends
// the answer is over the batches that are finished, if any. A batch that no
// assignment fits is left out for all, with a warning. Where a published method
// does not place all jobs of a batch, that batch is left out of its means, is
// counted and warned of, and nothing stands in its place unless a fallback was
// asked for. Errors: *ask.InputError, *ask.InfeasibleError where no batch is left, and
// that of the context.
func Study(ctx context.Context, q *StudyQuestion) (*StudyAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	f, err := q.figure()
	if err != nil {
		return nil, err
	}
	asked := *q
	if err := asked.fill(f); err != nil {
		return nil, err
	}
	return asked.run(ctx, f)
}
