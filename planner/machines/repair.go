package machines

import (
	"context"
	"errors"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A Repair says how a machine that comes back after a failure spends its time. Times
// are null where they are infinite, or where some state is never left.
type Repair struct {
	// Up is the chance to be in no failure state at the window's end, whatever
	// happened on the way; Share is the share of the window's steps spent so. Both
	// are of a state just entered, and null with an elapsed time.
	Up    *float64 `json:"availability_at_end"`
	Share *float64 `json:"interval_availability"`
	// In the long run, by the law that the process settles in.
	LongRun  *float64 `json:"availability"`
	MeanUp   *float64 `json:"mean_up_s"`
	MeanDown *float64 `json:"mean_down_s"`
	Cycle    *float64 `json:"cycle_s"` // mean time from one failure to the next
	// Failures are entries from a state that is none.
	Failures *float64 `json:"failures_per_day"`
	// Reason is why there is no law of the long run.
	Reason string `json:"reason,omitempty"`

	States []RepairState `json:"states"`
}

// A RepairState is one state of a machine that is repaired.
type RepairState struct {
	State string `json:"state"`
	// Failure says that the machine is not free in it.
	Failure bool `json:"failure"`
	// Sojourn is the mean stay; null where the state is not always left.
	Sojourn  *float64 `json:"mean_sojourn_s"`
	Recovery *float64 `json:"mttr_s"`           // from its entry until the machine is free; null for a state that is no failure
	Entries  *float64 `json:"share_of_entries"` // in the long run
	// Time is the share of the long run that is spent in it; null without a law
	// of the long run, as Entries.
	Time *float64 `json:"share_of_time"`
}

// repair returns the figures of a kernel that has rows of failure states; nil for
// one that has none. n steps from the start. Other times than Up and Share are
// those of the long run.
func repair(ctx context.Context, k *smp.Kernel, start smp.Start, n int, step float64,
	progress func(done, of int)) (*Repair, error) {
	space := k.Space()
	exits := k.Exit()
	// If the failure states are never left, the kernel says nothing of repairs.
	if !slices.ContainsFunc(space.Down(), func(i int) bool { return slices.Max(exits[i]) > 0 }) {
		return nil, nil
	}
	out := &Repair{}
	if start.Elapsed == 0 {
		a, err := k.Availability(ctx, n, &smp.Options{Progress: progress})
		if err != nil {
			return nil, InputError(err)
		}
		law := make([]float64, len(space.Names))
		law[start.State] = 1
		up, _, err := a.From(law)
		if err != nil {
			return nil, InputError(err)
		}
		out.Up, out.Share = ask.Figure(up[n]), ask.Figure(smp.Interval(up)[n-1])
	}
	reached, number, err := reachable(k, start.State)
	if err != nil {
		return nil, InputError(err)
	}
	limit, err := reached.Limit()
	switch {
	case errors.Is(err, smp.ErrNoLimit):
		out.Reason = notSettled(reached)
	case err != nil:
		return nil, InputError(err)
	default:
		out.LongRun = ask.Figure(limit.Availability)
		out.MeanUp, out.MeanDown = ask.Figure(limit.MeanUp*step), ask.Figure(limit.MeanDown*step)
		out.Cycle = ask.Figure((limit.MeanUp + limit.MeanDown) * step)
		out.Failures = ask.Figure(limit.FailureRate / step * 86400)
	}
	recovery, err := k.MTTRs()
	if err != nil {
		return nil, InputError(err)
	}
	for i, name := range space.Names {
		s := RepairState{State: name, Failure: space.Failure[i]}
		if m, err := k.MeanSojourn(i); err == nil {
			s.Sojourn = ask.Figure(m * step)
		}
		if space.Failure[i] {
			s.Recovery = ask.Figure(recovery[i] * step)
		}
		if j := number[i]; limit != nil && j >= 0 {
			s.Entries, s.Time = ask.Figure(limit.Embedded[j]), ask.Figure(limit.Stationary[j])
		}
		out.States = append(out.States, s)
	}
	return out, nil
}

// reachable returns the process on the states that can be reached from one, and the
// number in it of each state, −1 for those that cannot: a state that was never seen
// must not keep the others from having a law of the long run.
func reachable(k *smp.Kernel, from int) (*smp.Kernel, []int, error) {
	all, exits := k.Space(), k.Exit()
	number := slices.Repeat([]int{-1}, len(exits))
	number[from] = 0
	order := []int{from}
	for at := 0; at < len(order); at++ {
		for j, p := range exits[order[at]] {
			if p > 0 && number[j] < 0 {
				number[j] = len(order)
				order = append(order, j)
			}
		}
	}
	var space smp.Space
	var tail []float64
	for _, i := range order {
		space.Names = append(space.Names, all.Names[i])
		space.Failure = append(space.Failure, all.Failure[i])
		tail = append(tail, k.Tail(i))
	}
	var atoms []smp.Atom
	for _, a := range k.Atoms() {
		if number[a.From] >= 0 {
			a.From, a.To = number[a.From], number[a.To]
			atoms = append(atoms, a)
		}
	}
	out, err := smp.NewKernelTails(space, atoms, tail)
	return out, number, err
}

// notSettled names the states that keep a process from settling.
func notSettled(k *smp.Kernel) string {
	for i, name := range k.Space().Names {
		if k.Tail(i) > 0 {
			return name + " is not always left"
		}
	}
	return "the states in which the process settles depend on where it begins"
}

// explainRepair adds the formulas.
func explainRepair(e *ask.Explanation, r *Repair) {
	if e == nil || r == nil {
		return
	}
	show := func(v *float64) string {
		if v == nil {
			return "none"
		}
		return ask.Digits(*v)
	}
	e.Step("availability", "A_i(k) = [i up] S_i(k) + Σ_j Σ_{l≤k} q_ij(l) A_j(k−l), all states j",
		"A = "+show(r.Up)+" at the window's end, "+show(r.Share)+" of the window", "Markov renewal equation")
	e.Step("long run", "π = π P, A = Σ_{i up} π_i m_i / Σ_i π_i m_i", "A = "+show(r.LongRun),
		"Çınlar 1969, Markov renewal theory")
}
