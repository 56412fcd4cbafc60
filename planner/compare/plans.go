package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A Compared is one of two plans: its answer, and its question where that is
// known.
type Compared struct {
	Name     string
	Question *planner.PlanQuestion // nil: only the answer is known
	Answer   *planner.PlanAnswer   // nil: of the question
}

// answered returns the plan with its answer, in a copy where it had none: what the caller
// passed stays as it is.
func (c *Compared) answered(ctx context.Context) (*Compared, error) {
	if c.Answer != nil {
		return c, nil
	}
	if c.Question == nil {
		return nil, ask.NoQuestion()
	}
	answer, err := planner.Plan(ctx, c.Question)
	if err != nil {
		return nil, err
	}
	whole := *c
	whole.Answer = answer
	return &whole, nil
}

// An Answer says how two plans differ: in what was asked, in what came out, and which of the former
// moved the latter.
type Answer struct {
	Names [2]string `json:"names"`
	// Same says that nothing differs.
	Same        bool         `json:"same"`
	Differences []Difference `json:"differences"`
	// Figure is the one that the causes are of, the first that both plans have.
	Figure string `json:"figure"`
	// From and To are what the figure is in the first and in the second plan;
	// null where there is no such figure.
	From *float64 `json:"from"`
	To   *float64 `json:"to"`
	// Causes are the inputs that differ, by how far each moves the figure.
	Causes []Cause `json:"causes"`
	// Together is what the causes do together beyond the sum of what each does
	// alone; null where one of them has no figure.
	Together *float64 `json:"together"`
	// Money is how the second plan writes its prices; left out where they have no
	// currency and are per hour.
	Money    *units.PriceForm `json:"money,omitempty"`
	Warnings []string         `json:"warnings,omitempty"`
}

// A Difference is one input or one figure of the answer that differs.
type Difference struct {
	Kind DifferenceKind `json:"kind"`
	Name string         `json:"name"`
	From string         `json:"from"`
	To   string         `json:"to"`
	// Before and After are the two as numbers; null of an input, and where one
	// plan has no such figure.
	Before *float64 `json:"from_value"` // of a figure
	After  *float64 `json:"to_value"`
}

// DifferenceKind says where a difference is.
type DifferenceKind string

// The kinds of differences.
const (
	InputDifference  DifferenceKind = "input"
	AnswerDifference DifferenceKind = "answer"
)

// A Cause is one input that differs, and what it alone does to the figure.
type Cause struct {
	Input string `json:"input"`
	From  string `json:"from"`
	To    string `json:"to"`
	// with this input of the second plan, all others of the first; null: no answer
	Figure *float64 `json:"figure_alone"`
	// Effect is the figure less that of the first plan; null as Figure.
	Effect *float64 `json:"effect"`
	Reason string   `json:"reason,omitempty"` // why there is no figure
}

// currency is that of a plan's prices; empty: none is known.
func currency(a *planner.PlanAnswer) string {
	if a.Money == nil {
		return ""
	}
	return a.Money.Currency
}

// mostCauses bounds how many inputs are varied, each a plan of its own.
const mostCauses = 60

// mostSteps bounds what plans with ranges may take where inputs are varied, by the steps of the two that
// are compared: some seconds.
const mostSteps = 6e9

// Plans compares two plans. If the questions of both are known, every input that differs is varied
// alone; where that would take many plans with ranges, the causes are of the mixes for the most likely values.
// Errors: those of [planner.Plan].
func Plans(ctx context.Context, a, b *Compared) (*Answer, error) { return plans(ctx, a, b, mostSteps) }

// Ranged is Plans that varies every input with all ranges, however long that takes.
func Ranged(ctx context.Context, a, b *Compared) (*Answer, error) {
	return plans(ctx, a, b, math.Inf(1))
}

func plans(ctx context.Context, a, b *Compared, most float64) (*Answer, error) {
	ctx = given.Context(ctx)
	if a == nil || b == nil {
		return nil, ask.NoQuestion()
	}
	var err error
	if a, err = a.answered(ctx); err != nil {
		return nil, err
	}
	if b, err = b.answered(ctx); err != nil {
		return nil, err
	}
	out := &Answer{Names: [2]string{a.Name, b.Name}, Differences: []Difference{}, Causes: []Cause{}}
	if from, to := currency(a.Answer), currency(b.Answer); from != "" && to != "" && from != to {
		return nil, ask.Inputf("",
			"%s is in %s and %s in %s: want one currency in both, capplan knows no exchange rates", a.Name, from,
			b.Name, to)
	}
	if out.Money = b.Answer.Money; out.Money == nil {
		out.Money = a.Answer.Money
	}
	var changes []inputChange
	if a.Question != nil && b.Question != nil {
		changes = inputChanges(a.Question, b.Question)
	} else {
		out.Warnings = append(out.Warnings,
			"an answer does not say what was asked: compare two scenarios to learn which input moved it")
	}
	for _, c := range changes {
		out.Differences = append(out.Differences,
			Difference{Kind: InputDifference, Name: c.input, From: c.from, To: c.to})
	}
	// A figure that one of them lacks differs too: that plan has no answer there.
	figures, lead := headlines(a.Answer), ""
	others := headlines(b.Answer)
	for _, f := range figures {
		at := slices.IndexFunc(others, func(o headline) bool { return o.name == f.name })
		if at < 0 {
			out.Differences = append(out.Differences,
				Difference{Kind: AnswerDifference, Name: f.name, From: f.text, To: "no answer", Before: f.value})
			continue
		}
		o := others[at]
		if lead == "" && f.value != nil && o.value != nil {
			lead, out.From, out.To = f.name, f.value, o.value
		}
		if f.text != o.text {
			out.Differences = append(out.Differences, Difference{
				Kind:   AnswerDifference,
				Name:   f.name,
				From:   f.text,
				To:     o.text,
				Before: f.value,
				After:  o.value,
			})
		}
	}
	for _, o := range others {
		if !slices.ContainsFunc(figures, func(f headline) bool { return o.name == f.name }) {
			out.Differences = append(out.Differences,
				Difference{Kind: AnswerDifference, Name: o.name, From: "no answer", To: o.text, After: o.value})
		}
	}
	// Answers that agree in all of these may still differ elsewhere.
	if !slices.ContainsFunc(out.Differences, func(d Difference) bool { return d.Kind == AnswerDifference }) {
		parts, err := otherwise(a.Answer, b.Answer)
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			out.Differences = append(out.Differences,
				Difference{Kind: AnswerDifference, Name: part, From: "given", To: "given otherwise"})
		}
	}
	out.Figure, out.Same = lead, len(out.Differences) == 0
	if lead == "" || *out.From == *out.To {
		return out, nil
	}
	plan := planner.Plan
	if steps := (a.Answer.Steps() + b.Answer.Steps()) / 2; steps*float64(len(changes)) > most &&
		len(changes) <= mostCauses && a.Answer.Mix != nil && b.Answer.Mix != nil {
		plan = planner.Nominal
		out.Figure, out.From, out.To = "mix.cost_per_h", &a.Answer.Mix.Cost, &b.Answer.Mix.Cost
		out.Warnings = append(out.Warnings, fmt.Sprintf("to vary %d inputs, each with all ranges, takes long: what they "+
			"do is said of the mixes for the most likely values; ask for ranges to have it said of the recommended ones",
			len(changes)))
	}
	return out, out.explain(ctx, plan, a.Question, changes)
}

// explain varies one input at a time. Each input is a plan of its own with all
// else as in the first. What they do together may differ from the sum, since
// inputs act on one another.
func (out *Answer) explain(ctx context.Context,
	plan func(context.Context, *planner.PlanQuestion) (*planner.PlanAnswer, error), from *planner.PlanQuestion,
	changes []inputChange) error {
	if len(changes) > mostCauses {
		out.Warnings = append(out.Warnings, "too many inputs differ to vary them one by one")
		return nil
	}
	sum, whole := 0.0, true
	size := max(math.Abs(*out.From), math.Abs(*out.To))
	for _, c := range changes {
		// The copy has no places: a changed field stands nowhere in the file.
		varied := *from.Unplaced()
		varied.Explain = false
		c.apply(&varied)
		cause := Cause{Input: c.input, From: c.from, To: c.to}
		answer, err := plan(ctx, onlyFor(out.Figure, &varied))
		var input *ask.InputError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		// A value of the second scenario may make no sense in the first.
		case errors.As(err, &input), errors.Is(err, ask.ErrInfeasible):
			cause.Reason = "this change alone makes no valid scenario: " + err.Error()
		case err != nil:
			return err
		default:
			for _, f := range headlines(answer) {
				if f.name == out.Figure {
					cause.Figure = f.value
				}
			}
			if cause.Figure == nil {
				cause.Reason = "with this change alone there is no answer"
			}
		}
		if cause.Figure != nil {
			cause.Effect = ask.Figure(difference(*cause.Figure, *out.From))
			sum += *cause.Effect
			size = max(size, math.Abs(*cause.Figure))
		} else {
			whole = false
		}
		out.Causes = append(out.Causes, cause)
	}
	if whole && len(changes) > 0 {
		out.Together = ask.Figure(undusted(*out.To-*out.From-sum, size))
	}
	// What leaves no figure stands first, and the greatest effects follow.
	effect := func(i int) float64 { return math.Abs(ask.Or(out.Causes[i].Effect, math.Inf(1))) }
	sort.SliceStable(out.Causes, func(i, j int) bool { return effect(i) > effect(j) })
	return nil
}

// difference is x - y without the digits that the subtraction makes up.
func difference(x, y float64) float64 { return undusted(x-y, max(math.Abs(x), math.Abs(y))) }

// undusted rounds a difference of figures of a size, or of sums of them, to the 14th digit
// of the size: 53.28 - 43.02 is 10.26, not 10.259999999999998.
func undusted(d, size float64) float64 {
	place := 13 - int(math.Floor(math.Log10(size)))
	if !(size > 0) || math.IsInf(size, 0) || place < 0 || place > 300 {
		return d
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(d, 'f', place, 64), 64)
	if err != nil || v == 0 {
		return 0
	}
	return v
}

// onlyFor leaves out of a scenario what the figure of a fleet does not depend on, as it would only
// take time.
func onlyFor(figure string, q *planner.PlanQuestion) *planner.PlanQuestion {
	if strings.HasPrefix(figure, "mix") || strings.HasPrefix(figure, "recommended") || figure == "servers" {
		q.Routing, q.Allocation, q.Checkpoint, q.Bag = nil, nil, nil, nil
	}
	return q
}
