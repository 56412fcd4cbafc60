package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/sim/pool"
)

// A Question asks for a figure, table or worked example of one of the
// five papers, computed. Most fields are of one paper only, and the others pass them over.
type Question struct {
	Name string `json:"name"` // of a [Reproducible]

	// Seeds are the batches of QoS-GRAF, 0: 20; the runs behind a simulated point of
	// PCU, 0: 3; and those behind each point of InterGrid's leases and of SpeQuloS's bags, 0:
	// the stored 100 of seed 1, or 20 and 5 of another seed; and those of the
	// simulations behind approximations, 0: the stored ones.
	Seeds int    `json:"seeds,omitempty"`
	Seed  uint64 `json:"seed,omitempty"`
	// CapacityLaw of these batches; empty: [alloc.DefaultLaw], as for all batches.
	CapacityLaw alloc.CapacityLaw `json:"capacity_law,omitempty"`
	// Resources of each dependency of these batches, which the paper does not
	// say: rows and drawings are for the first, printed numbers are compared for
	// each; nil: 10 and 4, of table 2 10, 8, 5, 4 and 2.
	Resources []int `json:"resources,omitempty"`
	// Scale is the part of the paper's pool, machines and load alike, that the
	// simulated figures of PCU are of; 0: 1.
	Scale float64 `json:"scale,omitempty"`
	// JobLog is what figures 14 and 15 of PCU run; nil: a generated workload.
	JobLog pool.Log `json:"-"`
	// ReferenceSpeed in MIPS is that at which the durations of InterGrid table
	// 2 were measured, which the paper does not say; nil: 1000.
	ReferenceSpeed *float64 `json:"reference_speed_mips,omitempty"`
	// Hosts are the traces that iShare's tables and figures are computed on;
	// without any, those of Laboratory.
	Hosts              []machines.Trace            `json:"-"`
	Laboratory         machines.LaboratoryQuestion `json:"-"`
	Generated          bool                        `json:"-"` // Hosts are of the laboratory
	machines.Labelling `json:"-"`
	// Done, where it is not nil, is called with the parts finished and their
	// number, one call at a time.
	Done func(part, parts int) `json:"-"`
}

// A Reproduction is a figure, table or example: rows of what is computed, with
// what the paper prints beside it where it prints a number.
type Reproduction struct {
	Name       string       `json:"name"`
	Source     string       `json:"source"`
	Title      string       `json:"title"`
	Reproduced string       `json:"reproduced"` // what is
	Differs    string       `json:"differs"`    // what is not, or differs, and why
	X          string       `json:"x"`          // what x is, with its unit; "" without
	Seed       *uint64      `json:"seed"`       // null where no chance is used
	Rows       []Row        `json:"rows"`
	Verdicts   VerdictTally `json:"verdicts"` // of the rows with a printed number
	Warnings   []string     `json:"warnings,omitempty"`

	// Kept says that pieces of it were done for a shard: what stands here is nothing.
	Kept bool `json:"-"`

	uncompared string // why no verdict stands beside what is computed

	Drawn []Panel                 `json:"-"` // one or two drawings above each other; none: no curve
	Study *allocation.StudyAnswer `json:"-"` // where it is one, drawn as such
}

// A Row is one number. Printed and computed are null where the paper
// prints none or the models give none; the note then says why.
type Row struct {
	Quantity  string   `json:"quantity"`
	Series    string   `json:"series"` // the line of a figure, or ""
	X         *float64 `json:"x"`
	Unit      string   `json:"unit"`
	Printed   *float64 `json:"printed"`
	PrintedTo *float64 `json:"printed_to"` // where a range is printed
	Computed  *float64 `json:"computed"`
	Low       *float64 `json:"low"`  // of a 95 % interval, or the least of several
	High      *float64 `json:"high"` // of a 95 % interval, or the greatest of several
	Note      string   `json:"note"`
	// Verdict compares printed with computed, "" where nothing is printed.
	Verdict Verdict `json:"verdict"`
	// Resources of each dependency and Batches behind a row of QoS-GRAF; else null.
	Resources *int `json:"resources"`
	Batches   *int `json:"batches"`
}

// A Panel is how rows are drawn: one quantity, a line for each series. A row belongs to the panel
// of its quantity.
type Panel struct {
	Quantity, YLabel string
	XLog, YLog       bool
	NoRange          bool // low and high are left out: they would cover each other
	FromData         bool // the axis begins at the data, not at 0
	Share            bool // of a whole, in per cent: the axis ends at 100
	// Names stand on the axis in place of x = 0, 1, ...; Dots are drawn, no line.
	Names []string
	Dots  bool
}

// A Reproducible is what can be asked for, or, where Run is missing, what can't.
type Reproducible struct {
	Name       string `json:"name"`
	Source     string `json:"source"`
	Title      string `json:"title"`
	Computed   bool   `json:"computed"`    // false: no model computes it
	NeedsTrace bool   `json:"needs_trace"` // computed on traces: those given, or generated ones
	Reproduced string `json:"reproduced"`
	Differs    string `json:"differs"`
	// Verdicts at the defaults of all questions; null where nothing was computed.
	Verdicts *VerdictTally `json:"verdicts"`
	// Relative are the verdicts with the other capacity law of QoS-GRAF, whose text
	// can be read either way; null where it plays no part.
	Relative *VerdictTally `json:"verdicts_relative_law,omitempty"`
	// Uncompared says why no verdict stands beside what is computed.
	Uncompared string `json:"uncompared,omitempty"`

	// Run computes it into the rows of the answer; nil: no model does.
	Run func(context.Context, *Question, *Reproduction) error `json:"-"`
}

// mostSeeds bounds the runs behind a point: more are no question.
const mostSeeds = 1_000_000

// Reproduce answers a Question by one of all that can be asked for. Errors:
// *ask.InputError for a name that is unknown or not computed, and for traces that are
// missing; those of the models. The answer's verdicts are counted when all rows are there.
func Reproduce(ctx context.Context, q *Question, all []Reproducible) (*Reproduction, error) {
	// Zero is the default of each paper, and below it nothing has a meaning.
	if q.Seeds < 0 || q.Seeds > mostSeeds {
		return nil, ask.Inputf("seeds", "is %d, want 1 to %d", q.Seeds, mostSeeds)
	}
	r, err := Named(q.Name, all)
	if err != nil {
		return nil, err
	}
	a := &Reproduction{
		Name:       r.Name,
		Source:     r.Source,
		Title:      r.Title,
		Reproduced: r.Reproduced,
		Differs:    r.Differs,
		Rows:       []Row{},
		uncompared: r.Uncompared,
	}
	// The question is copied, so that the caller's keeps its own machines.
	if r.NeedsTrace && len(q.Hosts) == 0 {
		asked, err := q.inLaboratory(ctx)
		if err != nil {
			return nil, err
		}
		a.Seed = &q.Seed
		a.Reproduced += fmt.Sprintf("; on %d generated machines", len(asked.Hosts))
		q = asked
	}
	if err := r.Run(ctx, q, a); err != nil {
		return nil, err
	}
	if a.Kept {
		return nil, pieces.ErrKept
	}
	a.tally()
	return a, nil
}

// mostMeant is how many names a message suggests: the four parts of a figure.
const mostMeant = 4

// Named returns the one of all that has the name. Errors: *ask.InputError for a name that is unknown,
// with those that hold it or else the nearest one, and for what no model computes, with the reason.
func Named(name string, all []Reproducible) (*Reproducible, error) {
	const listed = "capplan reproduce --list shows all"
	var names, meant []string
	for i := range all {
		r := &all[i]
		switch {
		case r.Name == name && r.Run == nil:
			return nil, &ask.InputError{Field: "name", Reason: r.Source + " is not computed: " + r.Differs}
		case r.Name == name:
			return r, nil
		case r.Run != nil:
			names = append(names, r.Name)
			// A part of up to three letters stands in too many names.
			if len(name) > 3 && strings.Contains(r.Name, strings.ToLower(name)) {
				meant = append(meant, r.Name)
			}
		}
	}
	if name == "" {
		return nil, &ask.InputError{Field: "name", Reason: "not given; " + listed}
	}
	if best := spell.Nearest(name, names); len(meant) == 0 && best != "" {
		meant = []string{best}
	}
	reason := fmt.Sprintf("%s is not one of the %d figures and tables", spell.Quote(name), len(names))
	if len(meant) == 0 {
		return nil, &ask.InputError{Field: "name", Reason: reason + "; " + listed}
	}
	reason += ", did you mean " + strings.Join(meant[:min(mostMeant, len(meant))], ", ") + "? "
	return nil, &ask.InputError{Field: "name", Reason: reason + listed}
}

// GoOn lets a shard go on to the next work, whatever the one that ended with err
// comes to: that is known only when the shards are merged. It says whether it does.
func (a *Reproduction) GoOn(err error) bool {
	kept := errors.Is(err, pieces.ErrKept)
	a.Kept = a.Kept || kept
	return kept
}

// inLaboratory returns the question with the machines of its laboratory. The laboratory has the
// seed of the question, and 90 days of 20 machines unless it says otherwise.
func (q *Question) inLaboratory(ctx context.Context) (*Question, error) {
	lab := q.Laboratory
	lab.Seed = q.Seed
	model, err := machines.NewLaboratory(lab)
	if err != nil {
		return nil, err
	}
	asked, seen := *q, model.Labelling()
	asked.Generated = true
	if asked.Hosts, err = model.Hosts(ctx); err != nil {
		return nil, err
	}
	// What the question says of the states goes before what the generator knows.
	for _, t := range []struct{ asked, known **float64 }{
		{&asked.Period, &seen.Period},
		{&asked.WorkingSet, &seen.WorkingSet},
		{&asked.Gap, &seen.Gap},
	} {
		*t.asked = cmp.Or(*t.asked, *t.known)
	}
	return &asked, nil
}

// Compare adds a number that the paper prints. The verdict is given when all rows are there.
// printed is as the paper writes it, since its digits decide how near is near enough.
func (a *Reproduction) Compare(quantity, unit string, printed, computed float64, note string) {
	a.Add(Row{Quantity: quantity, Unit: unit, Printed: &printed, Computed: ask.Figure(computed), Note: note})
}

// Says adds what the text claims without a number: quantity is what was looked
// at, computed what came out, and note quotes the text. It returns the row, whose verdict the
// caller may know to be open.
func (a *Reproduction) Says(holds bool, quantity, unit string, computed float64, note string) *Row {
	row := Row{Quantity: quantity, Unit: unit, Computed: ask.Figure(computed), Note: note, Verdict: Differs}
	switch {
	case row.Computed == nil:
		row.Verdict = CannotBeTold
	case holds:
		row.Verdict = Agrees
	}
	return a.Add(row)
}

// SaysAbove0 is Says of a difference that the text has above 0. One that is no further from 0 than
// chance takes it cannot be told.
func (a *Reproduction) SaysAbove0(quantity, unit string, difference, chance float64, note string) {
	if row := a.Says(difference > 0, quantity, unit, difference, note); !(math.Abs(difference) > chance) {
		row.Verdict = CannotBeTold
	}
}

// Add adds a row, and returns it where it stands now.
func (a *Reproduction) Add(r Row) *Row {
	a.Rows = append(a.Rows, r)
	return &a.Rows[len(a.Rows)-1]
}

// With is the row with a mean and its interval.
func (r Row) With(v means.Interval) Row {
	r.Computed, r.Low, r.High = ask.Figure(v[0]), ask.Figure(v[1]), ask.Figure(v[2])
	return r
}

// Plot adds a point of a figure. Values that are no number are left out of the row.
func (a *Reproduction) Plot(quantity, series, unit string, x, computed float64) {
	a.Add(Row{Quantity: quantity, Series: series, Unit: unit, X: &x, Computed: ask.Figure(computed)})
}
