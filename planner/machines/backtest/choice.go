package backtest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// AutoModel is the model of [Candidates] that does best on the record itself: the
// last part of it is held out, and the models learn from the rest.
const AutoModel = "auto"

// Candidates are the models that AutoModel is chosen from; of equals the first is
// taken. AlwaysModel is none of them: it is best wherever the held-out days saw no
// failure, however many there were before, and then certain of what may fail tomorrow.
var Candidates = []string{FrailtyModel, SMPModel, CensoredModel, KMModel, ExponentialModel, ShareOfDaysModel,
	CountsModel}

// fewChosen is the number of windows below which no model is judged.
const fewChosen = 30

// A ChoiceQuestion asks for the model to foresee machines by.
type ChoiceQuestion struct {
	Hosts []machines.Trace `json:"-"`
	machines.Labelling
	// Day is weekday, weekend or both.
	Day string `json:"day"`
	// Window is the length of what is foreseen, s.
	Window float64 `json:"window_s"`
	// Group names the group of a machine, whose machines share a frailty; nil:
	// none.
	Group func(machine string) string `json:"-"`
}

// Choose scores all models on windows of the length asked for, from every hour, of
// the later half of the record, each having learned from the older half, and returns
// the one of least log loss. Of a fleet with more than mostJudged days of records some
// machines are drawn, and DrawnOf says of how many. Errors: *ask.InputError.
func Choose(ctx context.Context, q *ChoiceQuestion) (*machines.Choice, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if len(q.Hosts) == 0 {
		return nil, ask.Missing("trace", "traces of machines")
	}
	s, err := NewScoring(&ScoreQuestion{
		Labelling: q.Labelling,
		Day:       q.Day,
		Models:    Candidates,
		Windows:   []float64{q.Window},
		Group:     q.Group,
	})
	if err != nil {
		return nil, err
	}
	judged := q.judged()
	err = each(ctx, len(judged), func(i int) error {
		h := &q.Hosts[judged[i]]
		l, err := q.Label(h)
		return s.add(ctx, h.Name, l, err)
	})
	if input, ok := errors.AsType[*ask.InputError](err); ok && input.Field == windowsField { // one was asked for
		return nil, &ask.InputError{Field: "window", Reason: input.Reason}
	}
	if err != nil {
		return nil, err
	}
	c, err := s.choice(ctx)
	if len(judged) < len(q.Hosts) && err == nil {
		c.DrawnOf = len(q.Hosts)
	}
	return c, err
}

// mostJudged bounds the days of machines that a model is chosen by. Of the windows that begin every
// hour of half of them, some millions, a model's log loss is known far better than models differ: on
// Grid'5000 by .0081 with a standard error of .0005 (docs/EVALUATION.md).
const mostJudged = 300_000

// fewestDays is what a machine counts for at least, since it takes about as long to judge it on one day as on
// ten. Of the windows of 15,000 machines a log loss is as well known.
const fewestDays = 20

// judged numbers the machines to choose by: all of them, or as many as have mostJudged days together,
// drawn by a sum of their names, so that the order of files does not matter.
func (q *ChoiceQuestion) judged() []int {
	type machine struct {
		at   int
		days float64
		draw [sha256.Size]byte
	}
	all := make([]machine, len(q.Hosts))
	total := 0.0
	for i := range q.Hosts {
		all[i] = machine{i, math.Max(recorded(&q.Hosts[i]), fewestDays), sha256.Sum256([]byte(q.Hosts[i].Name))}
		total += all[i].days
	}
	if total > mostJudged {
		sort.SliceStable(all, func(i, j int) bool { return bytes.Compare(all[i].draw[:], all[j].draw[:]) < 0 })
		total = 0
		all = all[:slices.IndexFunc(all, func(m machine) bool {
			total += m.days
			return total > mostJudged
		})]
	}
	at := make([]int, max(len(all), min(len(q.Hosts), 1)))
	for i, m := range all {
		at[i] = m.at
	}
	return at
}

// recorded is about how many days the record of a machine has; what came before its clock was set, with
// a few samples, is no day of it.
func recorded(h *machines.Trace) float64 {
	if n := len(h.Samples); n > 0 {
		return math.Min((h.Samples[n-1].Time-h.Samples[0].Time)/86400, float64(n))
	}
	if n := len(h.Spells); n > 0 {
		return (h.Spells[n-1].End - h.Spells[0].Start) / 86400
	}
	return 0
}

// choice judges the candidates. Where they cannot be judged it is the frailty, or
// smp for a single machine, which has no fleet to learn a frailty from.
func (s *Scoring) choice(ctx context.Context) (*machines.Choice, error) {
	none := &machines.Choice{Model: FrailtyModel, Train: s.train}
	if len(s.machines)+len(s.failed) < 2 {
		none.Model = SMPModel
	}
	a, err := s.Finish(ctx)
	var input *ask.InputError
	switch {
	case errors.As(err, &input) && input.Field == "trace":
		none.Reason = input.Reason
		return none, nil
	case err != nil:
		return nil, err
	case a.Scored < fewChosen:
		none.Reason = "only " + ask.Digits(float64(a.Scored)) + " windows of the later half of the record could be " +
			"judged, too few to choose a model"
		none.Windows, none.Machines = a.Scored, a.Machines
		return none, nil
	case a.Observed == 1:
		// If nothing failed, the model that never doubts scores best, which says nothing about the
		// models.
		none.Model, none.Windows, none.Machines = FrailtyModel, a.Scored, a.Machines
		none.Reason = "none of the " + ask.Digits(float64(a.Scored)) +
			" windows of the later half of the record failed, which does not tell one model from another"
		return none, nil
	}
	c := &machines.Choice{Model: a.Best, Train: s.train, Windows: a.Scored, Machines: a.Machines, DrawnOf: a.DrawnOf}
	for _, m := range a.Models {
		c.Scores = append(c.Scores, machines.ChoiceScore{Model: m.Model, Brier: m.Brier, LogLoss: m.LogLoss})
	}
	sort.SliceStable(c.Scores, func(i, j int) bool { return cmp.Less(c.Scores[i].LogLoss, c.Scores[j].LogLoss) })
	// The lead in standard errors shows whether the choice means much.
	c.Next = c.Scores[1].Model
	against := s.sum(slices.Index(s.models, c.Next), slices.Index(s.models, c.Model))
	c.Ahead, c.AheadSE = against.LogLess, against.LogLessSE
	return c, nil
}

// nested judges models within the older days of each machine, for AutoModel. Any
// of them may be chosen, so that all are scored on the later days too, shown or
// not.
func (s *Scoring) nested() error {
	q := *s.q
	q.Models, q.Windows, q.Train, q.Explain, q.Whole = Candidates, s.windows, 0, false, true
	inner, err := NewScoring(&q)
	if err != nil {
		return err
	}
	s.shown, s.inner = s.models, inner
	s.models = nil
	for _, m := range slices.Concat(s.shown, Candidates) {
		if m != AutoModel && !slices.Contains(s.models, m) {
			s.models = append(s.models, m)
		}
	}
	return nil
}

// Own returns the chance that a machine which is free when the window begins stays free through it,
// by a model of the machine's own days. The chances from S1 and from S2 are weighed by how often
// the window began in each; NaN if it never began in either. Errors: *ask.InputError.
func Own(ctx context.Context, model string, l *machines.Labelled,
	w *machines.DayWindow) (p float64, n, days int, err error) {
	ctx = given.Context(ctx)
	all, n, _, err := w.Seen(l)
	if err != nil {
		return 0, 0, 0, err
	}
	dense := smp.DenseDays(all)
	if len(dense) == 0 {
		return math.NaN(), n, 0, nil
	}
	var f *smp.Foresight
	if model != ShareOfDaysModel {
		if f, err = smp.NewForesight(smp.FiveStates()); err != nil {
			return 0, 0, 0, err
		}
		f.Learn(dense, n)
	}
	of, err := own(ctx, model, f, dense, n)
	if err != nil {
		return 0, 0, 0, machines.InputError(err)
	}
	var begins [2]float64
	for _, d := range dense {
		if s := d.Parts[0][0].State; s < len(begins) {
			begins[s]++
		}
	}
	total := begins[0] + begins[1]
	return (begins[0]*of[0] + begins[1]*of[1]) / total, n, int(total), nil
}
