package planner

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// What is foreseen of machines: a prediction of one, or a ranking of several.
type foreseen struct {
	predict *machines.PredictAnswer
	rank    *machines.RankAnswer
	window  machines.DayWindow // of the part availability
}

// answers are those of the plan; both nil where nothing was foreseen.
func (f *foreseen) answers() (*machines.PredictAnswer, *machines.RankAnswer) {
	if f == nil {
		return nil, nil
	}
	return f.predict, f.rank
}

// available answers the part availability: for one machine a prediction, for
// several, or a task, a ranking. A task, or several machines, ask which machine
// is best, which one prediction does not say.
func (p *premises) available(ctx context.Context) (*foreseen, error) {
	v := p.Availability
	if v == nil {
		return nil, nil
	}
	label, err := v.Labelling()
	if err != nil {
		return nil, ask.In("availability", err)
	}
	start, _ := units.ParseTimeOfDay(v.Start) // checked before
	f := &foreseen{window: machines.DayWindow{
		Day:    v.Day,
		Start:  float64(start),
		Window: float64(v.Window),
		Days:   int(min(v.Days, 1_000_000)),
	}}
	if len(v.Hosts) == 1 && v.Task == nil {
		q := &machines.PredictQuestion{
			Host:      &v.Hosts[0],
			Labelling: label,
			DayWindow: f.window,
			Seed:      p.seed,
			Explain:   p.Explain,
		}
		if f.predict, err = machines.Predict(ctx, q); err != nil {
			return nil, ask.In("availability", err)
		}
		p.warn(f.predict.Warnings...)
		return f, nil
	}
	q := &machines.RankQuestion{
		Hosts:     v.Hosts,
		Labelling: label,
		DayWindow: f.window,
		Task:      ask.Number(v.Task),
		Explain:   p.Explain,
	}
	if f.rank, err = machines.Rank(ctx, q); err != nil {
		return nil, ask.In("availability", err)
	}
	p.warn(f.rank.Warnings...)
	return f, nil
}

// A prediction is what a machine type takes from the plan's prediction or
// ranking of machines.
type prediction struct {
	chance   float64
	machines int64
	from     string
}

// predictedWant is the form that messages ask for.
const predictedWant = "all, best and a number such as best 20, or names of machines by commas"

// predict gives a type that asks for it the mean chance of its machines to be
// free throughout the window: what a job begun with the window lasts through.
// There are no more of them than are predicted. A machine that is never free at
// the window's beginning counts with chance 0.
func (p *premises) predict(t *machine, i int, seen *foreseen) error {
	if t.Predicted == "" {
		return nil
	}
	field := fmt.Sprintf("machines[%d].predicted", i)
	names, chances, window, err := seen.predictions(field)
	if err != nil {
		return err
	}
	chosen, err := choosePredicted(t.Predicted, names)
	if err != nil {
		return &ask.InputError{Field: field, Reason: err.Error()}
	}
	mean, never := 0.0, 0
	// A machine without a chance is in no state to begin, and adds nothing to the
	// mean.
	for _, k := range chosen {
		if chances[k] == nil {
			never++
			continue
		}
		mean += *chances[k] / float64(len(chosen))
	}
	if never > 0 {
		p.warn(fmt.Sprintf(
			"%s: %d of %d machines are never free at the beginning of the window and count with chance 0", t.Name,
			never, len(chosen),
		))
	}
	if mean == 0 {
		return ask.Inputf(field, "none of its %d machines is ever free throughout the window", len(chosen))
	}
	t.predicted = &prediction{mean, int64(len(chosen)),
		fmt.Sprintf("predicted: mean chance of %d machines to be free throughout %s", len(chosen), window)}
	if t.Limit == nil {
		t.Limit = new(units.Count(t.predicted.machines))
	}
	return nil
}

// predictions are the machines of the plan's prediction, the best first, with
// their chances; nil is one without a prediction.
func (f *foreseen) predictions(field string) (names []string, chances []*float64, window string, err error) {
	say := func(w *machines.DayWindow) string {
		return fmt.Sprintf("%s from %s on a %s", units.FormatDuration(w.Window, 4), ask.Clock(w.Start), w.Day)
	}
	switch {
	case f == nil:
	case f.rank != nil:
		for i := range f.rank.Hosts {
			h := &f.rank.Hosts[i]
			names, chances = append(names, h.Name), append(chances, h.Free)
		}
		return names, chances, say(&f.window), nil
	case f.predict != nil:
		return []string{f.predict.Host}, []*float64{f.predict.Free}, say(&f.window), nil
	}
	return nil, nil, "", ask.Inputf(field, "no machines are predicted: ask for a prediction or a ranking beside it")
}

// choosePredicted reads which of the machines are meant. Names are of machines,
// except all and best, which a machine of that name overrides for all.
func choosePredicted(text string, names []string) (chosen []int, err error) {
	text = strings.TrimSpace(text)
	if count, ok := strings.CutPrefix(text, "best "); ok {
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q, want %s", text, predictedWant)
		}
		if n > len(names) {
			return nil, fmt.Errorf("%q, and %d machines are predicted", text, len(names))
		}
		for k := range n {
			chosen = append(chosen, k)
		}
		return chosen, nil
	}
	at := make(map[string]int, len(names))
	for k, name := range names {
		at[name] = k
	}
	if _, named := at["all"]; text == "all" && !named {
		for k := range names {
			chosen = append(chosen, k)
		}
		return chosen, nil
	}
	seen := map[int]bool{}
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		k, ok := at[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("no machine %q is predicted, want %s", name, predictedWant)
		case seen[k]:
			return nil, fmt.Errorf("machine %q is named twice", name)
		}
		seen[k] = true
		chosen = append(chosen, k)
	}
	return chosen, nil
}
