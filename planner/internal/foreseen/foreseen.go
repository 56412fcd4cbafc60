// Package foreseen answers the part availability of a scenario: what is foreseen of
// machines that have a record, and what a type of machines takes of it. See asks once
// for the whole plan; Of tells the mean chance of the machines that a type names.
package foreseen

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// Machines are what is foreseen of them: a prediction of one, or a ranking of several.
// Nil where nothing is foreseen.
type Machines struct {
	predict *machines.PredictAnswer
	rank    *machines.RankAnswer
	window  machines.DayWindow
}

// A Question names the machines, their record and the window.
type Question struct {
	Hosts     []machines.Trace
	Labelling machines.Labelling
	Window    machines.DayWindow
	Task      *float64 // of a machine of rate 1, s, to rank by its completion; nil: through the window
	Seed      uint64
	Explain   bool
}

// See answers a question: for one machine a prediction, for several, or a task, a
// ranking. A task, or several machines, ask which machine is best, which one prediction
// does not say.
func See(ctx context.Context, q *Question) (m *Machines, err error) {
	m = &Machines{window: q.Window}
	if len(q.Hosts) == 1 && q.Task == nil {
		m.predict, err = machines.Predict(ctx, &machines.PredictQuestion{
			Host:      &q.Hosts[0],
			Labelling: q.Labelling,
			DayWindow: q.Window,
			Seed:      q.Seed,
			Explain:   q.Explain,
		})
	} else {
		m.rank, err = machines.Rank(ctx, &machines.RankQuestion{
			Hosts:     q.Hosts,
			Labelling: q.Labelling,
			DayWindow: q.Window,
			Task:      q.Task,
			Explain:   q.Explain,
		})
	}
	if err != nil {
		return nil, ask.In("availability", err)
	}
	return m, nil
}

// Answers are those of the plan: one of them, or none.
func (m *Machines) Answers() (*machines.PredictAnswer, *machines.RankAnswer) {
	if m == nil {
		return nil, nil
	}
	return m.predict, m.rank
}

// Warnings are those of the answer.
func (m *Machines) Warnings() []string {
	switch {
	case m == nil:
		return nil
	case m.predict != nil:
		return m.predict.Warnings
	}
	return m.rank.Warnings
}

// A Prediction is what a type of machines takes from what is foreseen.
type Prediction struct {
	Chance   float64 // mean over the machines: what a job begun with the window lasts through
	Machines int64
	Never    int // of the machines that are never free at the window's beginning, with chance 0
	From     string
}

// want is the form that messages ask for.
const want = "all, best followed by a number such as best 20, or names of machines separated by commas"

// Of reads which of the machines are meant, by all, best N or names, and gives their mean
// chance to be free throughout the window. The field is that of the text, for errors.
func (m *Machines) Of(text, field string) (*Prediction, error) {
	if m == nil {
		return nil, ask.Inputf(field, "no machines are predicted: add a prediction or a ranking to the scenario")
	}
	names, chances := m.chances()
	taken, err := chosen(text, names)
	if err != nil {
		return nil, &ask.InputError{Field: field, Reason: err.Error()}
	}
	p := &Prediction{Machines: int64(len(taken))}
	for _, k := range taken {
		if chances[k] == nil {
			p.Never++
			continue
		}
		p.Chance += *chances[k] / float64(len(taken))
	}
	if p.Chance == 0 {
		return nil, ask.Inputf(field, "none of its %d machines is ever free throughout the window", len(taken))
	}
	p.From = fmt.Sprintf("predicted: mean chance of %d machines to be free throughout %s from %s on a %s",
		len(taken), units.FormatDuration(m.window.Window, 4), ask.Clock(m.window.Start), m.window.Day)
	return p, nil
}

// chances are those of the machines, the best first; nil is one without a prediction.
func (m *Machines) chances() (names []string, chances []*float64) {
	if m.predict != nil {
		return []string{m.predict.Host}, []*float64{m.predict.Free}
	}
	for i := range m.rank.Hosts {
		h := &m.rank.Hosts[i]
		names, chances = append(names, h.Name), append(chances, h.Free)
	}
	return names, chances
}

// chosen reads which of the machines are meant. Names are of machines,
// except all and best, which a machine of that name overrides for all.
func chosen(text string, names []string) (all []int, err error) {
	text = strings.TrimSpace(text)
	if count, ok := strings.CutPrefix(text, "best "); ok {
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q, want %s", text, want)
		}
		if n > len(names) {
			return nil, fmt.Errorf("%q, but only %d machines are predicted", text, len(names))
		}
		for k := range n {
			all = append(all, k)
		}
		return all, nil
	}
	at := make(map[string]int, len(names))
	for k, name := range names {
		at[name] = k
	}
	if _, named := at["all"]; text == "all" && !named {
		for k := range names {
			all = append(all, k)
		}
		return all, nil
	}
	seen := map[int]bool{}
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		k, ok := at[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("machine %q is not predicted, want %s", name, want)
		case seen[k]:
			return nil, fmt.Errorf("machine %q is named twice", name)
		}
		seen[k] = true
		all = append(all, k)
	}
	return all, nil
}
