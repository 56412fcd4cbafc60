package planner

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// A prediction is what a machine type takes from the plan's prediction or
// ranking of machines.
type prediction struct {
	chance   float64
	machines int64
	from     string
}

const predictedWant = "all, best and a number such as best 20, or names of machines by commas"

// predict gives a type that asks for it the mean chance of its machines to be
// free throughout the window: what a job begun with the window lasts through.
// There are no more of them than are predicted. A machine that is never free at
// the window's beginning counts with chance 0.
func (p *planning) predict(t *machine, i int) error {
	if t.Predicted == "" {
		return nil
	}
	field := fmt.Sprintf("machines[%d].predicted", i)
	names, chances, window, err := p.predictions(field)
	if err != nil {
		return err
	}
	chosen, err := choosePredicted(t.Predicted, names)
	if err != nil {
		return &ask.InputError{Field: field, Reason: err.Error()}
	}
	mean, never := 0.0, 0
	for _, k := range chosen {
		if chances[k] == nil {
			never++
			continue
		}
		mean += *chances[k] / float64(len(chosen))
	}
	if never > 0 {
		p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
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
func (p *planning) predictions(field string) (names []string, chances []*float64, window string, err error) {
	say := func(w *machines.DayWindow) string {
		return fmt.Sprintf("%s from %s on a %s", units.FormatDuration(w.Window, 4), ask.Clock(w.Start), w.Day)
	}
	switch {
	case p.a.Rank != nil:
		for i := range p.a.Rank.Hosts {
			h := &p.a.Rank.Hosts[i]
			names, chances = append(names, h.Name), append(chances, h.Free)
		}
		return names, chances, say(&p.window), nil
	case p.a.Predict != nil:
		return []string{p.a.Predict.Host}, []*float64{p.a.Predict.Free}, say(&p.window), nil
	}
	return nil, nil, "", ask.Inputf(field, "no machines are predicted: ask for a prediction or a ranking beside it")
}

// choosePredicted reads which of the machines are meant.
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
