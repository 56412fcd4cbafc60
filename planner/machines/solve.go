package machines

import (
	"context"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A Kernel is a discrete-time semi-Markov kernel as it stands in a file:
// Kernel[i][j][l−1] is the chance that a process that has entered state i goes
// to j after exactly l steps.
type Kernel struct {
	Step    float64  `json:"step_s"`
	States  []string `json:"states"`  // distinct
	Failure []string `json:"failure"` // those that are failure states
	// Initial is the state at the start of a window, unless a question names
	// another.
	Initial string `json:"initial"`
	// What a row leaves to 1 is the chance never to leave the state. A row of a
	// failure state says how the machine comes back; reliability has no use for it.
	Kernel map[string]map[string][]float64 `json:"kernel"`
	// Tail, where given, is that chance by state, so that one below the
	// rounding of the row's entries is not lost.
	Tail map[string]float64 `json:"tail,omitempty"`
	// Hazard, where given, says by state what was known age by age, in order of
	// age. Of high ages it may say more than the kernel, which counts from the
	// entry of a state.
	Hazard map[string][]KernelHazard `json:"hazard,omitempty"`
	// Samples says what an estimated kernel rests on.
	Samples []StateSample `json:"samples,omitempty"`
	// Warnings of the estimate, for whoever reads the file.
	Warnings []string `json:"warnings,omitempty"`
}

// A KernelHazard says how sojourns that have lasted Age − 1 steps go on at the
// next: the share To[j] goes to j, Stay lasts longer.
type KernelHazard struct {
	Age  int                `json:"age_steps"`
	To   map[string]float64 `json:"to"`
	Stay float64            `json:"stay"`
}

// mostStates bounds a kernel, whose mean times and law of the long run take the third power of its
// states.
const mostStates = 1500

// model returns the kernel for the engine and the number of the first state.
func (k *Kernel) model() (*smp.Kernel, int, error) {
	if len(k.States) > mostStates {
		return nil, 0, ask.Inputf("states", "%d states, want at most %d", len(k.States), mostStates)
	}
	space := smp.Space{Names: k.States, Failure: make([]bool, len(k.States))}
	// Index of a space walks through all names: looked up for each atom it would make
	// the time quadratic in the states.
	index := make(map[string]int, len(k.States))
	for i, name := range slices.Backward(k.States) { // of two alike the first, as Index has it
		index[name] = i
	}
	for _, f := range k.Failure {
		i, ok := index[f]
		if !ok {
			return nil, 0, ask.Inputf("failure", "no state %q", f)
		}
		space.Failure[i] = true
	}
	initial, ok := index[k.Initial]
	if !ok {
		return nil, 0, ask.Inputf("initial", "no state %q", k.Initial)
	}
	var atoms []smp.Atom
	sums := make([]float64, len(k.States))
	for from, row := range k.Kernel {
		i, ok := index[from]
		if !ok {
			return nil, 0, ask.Inputf("kernel", "no state %q", from)
		}
		for to, f := range row {
			j, ok := index[to]
			if !ok {
				return nil, 0, ask.Inputf("kernel", "row %s: no state %q", from, to)
			}
			for l, p := range f {
				if p != 0 {
					atoms = append(atoms, smp.Atom{From: i, To: j, Steps: l + 1, Prob: p})
					sums[i] += p
				}
			}
		}
	}
	model, err := smp.NewKernel(space, atoms)
	if err == nil && k.Tail != nil {
		tail := make([]float64, len(k.States))
		for i, name := range k.States {
			t, ok := k.Tail[name]
			if !ok {
				t = model.Tail(i)
			}
			tail[i] = t
		}
		model, err = smp.NewKernelTails(space, atoms, tail)
	}
	if err != nil || k.Hazard == nil {
		return model, initial, err
	}
	var hazards []smp.Hazard
	for i, name := range k.States {
		for _, h := range k.Hazard[name] {
			x := smp.Hazard{From: i, Age: h.Age, Exit: make([]float64, len(k.States)), Stay: h.Stay}
			for to, p := range h.To {
				j, ok := index[to]
				if !ok {
					return nil, 0, ask.Inputf("hazard", "of %s: no state %q", name, to)
				}
				x.Exit[j] = p
			}
			hazards = append(hazards, x)
		}
	}
	model, err = model.WithHazards(hazards)
	return model, initial, err
}

// kernelOf writes an estimated kernel; rows of failure states are left out unless
// repairs are asked for. ages adds what is known age by age.
func kernelOf(k *smp.Kernel, step float64, initial int, ages, repairs bool, samples []StateSample) *Kernel {
	space := k.Space()
	left := func(state int) bool { return space.Failure[state] && !repairs }
	out := &Kernel{
		Step: step, States: space.Names, Failure: names(space, space.Down()), Initial: space.Names[initial],
		Kernel: map[string]map[string][]float64{}, Tail: map[string]float64{}, Samples: samples,
	}
	for i := range space.Names {
		if left(i) {
			continue
		}
		out.Kernel[space.Names[i]] = map[string][]float64{}
		out.Tail[space.Names[i]] = k.Tail(i)
	}
	for _, a := range k.Atoms() {
		if left(a.From) {
			continue
		}
		row, to := out.Kernel[space.Names[a.From]], space.Names[a.To]
		// The row is as long as the last step at which it has a chance; steps
		// between have 0.
		if short := a.Steps - len(row[to]); short > 0 {
			row[to] = append(row[to], make([]float64, short)...)
		}
		row[to][a.Steps-1] = a.Prob
	}
	if !ages {
		return out
	}
	out.Hazard = map[string][]KernelHazard{}
	for _, h := range k.Hazards() {
		if left(h.From) {
			continue
		}
		x := KernelHazard{Age: h.Age, To: map[string]float64{}, Stay: h.Stay}
		for j, p := range h.Exit {
			if p > 0 {
				x.To[space.Names[j]] = p
			}
		}
		from := space.Names[h.From]
		out.Hazard[from] = append(out.Hazard[from], x)
	}
	return out
}

// A KernelQuestion asks for the kernel of a window of a day.
type KernelQuestion struct {
	Host *Trace `json:"-"`
	Labelling
	DayWindow
	State  string `json:"state,omitempty"` // that the file names as the initial one
	Ages   bool   `json:"ages,omitempty"`  // count ages from the entry of a state, not from the window's beginning
	Counts bool   `json:"counts,omitempty"`
	// Censored gives stays after a failure the weight of those before.
	Censored bool `json:"censored,omitempty"`
	// Repairs keeps rows of failure states, and gives all stays the weight of those
	// before a failure, as Censored does.
	Repairs bool `json:"repairs,omitempty"`
}

// A KernelAnswer is the estimated kernel, which [Solve] takes.
type KernelAnswer struct {
	Kernel
	Days     int      `json:"-"`
	Horizon  int      `json:"-"`
	Warnings []string `json:"-"`
}

// EstimateKernel answers a KernelQuestion. Errors: *ask.InputError.
func EstimateKernel(q *KernelQuestion) (*KernelAnswer, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	l, err := q.Label(q.Host)
	if err != nil {
		return nil, err
	}
	a, _, err := q.estimate(l)
	return a, err
}

// EstimateRecord answers a KernelQuestion about the machine of a recorder,
// which is used up.
func EstimateRecord(q *KernelQuestion, r *Recorder) (*KernelAnswer, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	l, err := r.Labelled()
	if err != nil {
		return nil, err
	}
	a, _, err := q.estimate(l)
	return a, err
}

// estimate returns the kernel for people, and what it was learned from.
func (q *KernelQuestion) estimate(l *Labelled) (*KernelAnswer, *fittedWindow, error) {
	w, err := q.learn(l, &lesson{
		state:    q.State,
		aged:     q.Ages || q.Repairs, // a day cut at midnight has few stays seen from their entry
		counts:   q.Counts,
		censored: q.Censored || q.Repairs,
	})
	if err != nil {
		return nil, nil, err
	}
	return &KernelAnswer{
		Kernel: *kernelOf(w.fit.Kernel, w.step, w.start.State, q.Ages, q.Repairs, stateSamples(w.space, w.fit)),
		Days:   len(w.days), Horizon: w.steps, Warnings: w.warnings,
	}, w, nil
}

// A SolveQuestion asks what a kernel says about a window.
type SolveQuestion struct {
	Kernel  *Kernel `json:"kernel"`
	Window  float64 `json:"window_s"`
	Elapsed float64 `json:"elapsed_s,omitempty"` // already spent in the initial state
	State   string  `json:"state,omitempty"`     // in place of the kernel's initial one
	Explain bool    `json:"explain,omitempty"`
	// Progress, where given, is called as steps of a recursion are done, by several goroutines.
	Progress func(done, of int) `json:"-"`
}

// A SolveAnswer holds the figures.
type SolveAnswer struct {
	Figures
	Method string  `json:"method"`           // sparse or dense
	Repair *Repair `json:"repair,omitempty"` // where failure states have rows
	// Down are the failure states.
	Down        []string         `json:"failure_states"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// Plots returns the reliability against the length of the window, above the
// failures by state.
func (a *SolveAnswer) Plots(context.Context) ([]ask.Plot, error) {
	return a.plots(a.Down, nil, 0)
}

// Solve answers a SolveQuestion. Window and elapsed time are taken as whole
// steps, rounded down. Errors: *ask.InputError, and that of ctx. Await lets the
// caller go when ctx ends.
func Solve(ctx context.Context, q *SolveQuestion) (*SolveAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	return parallel.Await(ctx, func() (*SolveAnswer, error) { return q.solve(ctx) })
}

// solve answers a checked kernel, in steps: window and elapsed time are rounded to them, and a warning
// says so where that matters.
func (q *SolveQuestion) solve(ctx context.Context) (*SolveAnswer, error) {
	if q.Kernel == nil {
		return nil, ask.Missing("kernel", "a kernel")
	}
	if err := ask.Positive("step_s", q.Kernel.Step, "seconds above 0"); err != nil {
		return nil, err
	}
	k, initial, err := q.Kernel.model()
	if err != nil {
		return nil, InputError(err)
	}
	space := k.Space()
	if q.State != "" {
		if initial = space.Index(q.State); initial < 0 {
			return nil, ask.Inputf("state", "no state %q, want one of %v", q.State, space.Names)
		}
	}
	step := q.Kernel.Step
	n, err := Horizon(q.Window, step)
	if err != nil {
		return nil, err
	}
	if q.Elapsed < 0 {
		return nil, ask.Inputf("elapsed", "is negative, want a time such as 10min")
	}
	u, err := steps("elapsed", q.Elapsed, step)
	if err != nil {
		return nil, err
	}
	start := smp.Start{State: initial, Elapsed: u}
	// What is asked of failure states that are left is of two sides over all states.
	repairs := slices.ContainsFunc(space.Down(), func(i int) bool { return k.Tail(i) < 1 })
	f, r, err := figures(ctx, k, start, n, step, q.part(0, repairs))
	if err != nil {
		return nil, err
	}
	f.Samples = q.Kernel.Samples
	told := r.Method == smp.Sparse || r.Repeated // transforms tell nothing
	a := &SolveAnswer{Figures: *f, Method: r.Method.String(), Down: names(space, space.Down())}
	if a.Repair, err = repair(ctx, k, start, n, step, q.part(1, repairs && told)); err != nil {
		return nil, err
	}
	if a.MTTF == nil {
		a.Warnings = append(a.Warnings, infinite(k, start)...)
	}
	a.Warnings = append(a.Warnings, offGrid(q.Window, n, "window", step)...)
	a.Warnings = append(a.Warnings, offGrid(q.Elapsed, u, "elapsed time", step)...)
	if q.Explain {
		a.Explanation = explainReliability(f)
		explainRepair(a.Explanation, a.Repair)
	}
	return a, nil
}

// part returns the progress of the first or second of two parts, or of the one part of a kernel without
// repairs.
func (q *SolveQuestion) part(number int, repairs bool) func(done, of int) {
	if q.Progress == nil || !repairs {
		return q.Progress
	}
	return func(done, of int) { q.Progress(number*of+done, 2*of) }
}

// offGrid warns of a time that is not a whole number of steps.
func offGrid(t float64, n int, what string, step float64) []string {
	// A part of 1e-6 of a step is rounding.
	if d := t - float64(n)*step; d > 1e-6*step {
		return []string{ask.Sprintf("the %s of %s is rounded down to %s of %s",
			what, ask.Time(t), fault.Count(n, "whole step"), ask.Time(step))}
	}
	return nil
}
