package spequlos

import (
	"fmt"
	"math"
)

// Progress is what is known of a bag: how many of its tasks were assigned to a
// worker for the first time, how many completed, and when.
type Progress struct {
	size      int
	assigned  []float64 // times, in order
	completed []float64
	early     float64 // greatest execution variance of the first half
}

// mostRoom is the number of tasks for which a Progress makes room at once.
const mostRoom = 10_000_000

// NewProgress returns the progress of a bag of that many tasks, none assigned.
func NewProgress(size int) (*Progress, error) {
	if size < 1 {
		return nil, &DomainError{"NewProgress", "size", float64(size), "at least 1 task"}
	}
	// The room for all of a bag at once is half of what growing into it takes; that of
	// a bag larger than any that is simulated is not promised.
	room := min(size, mostRoom)
	return &Progress{size: size, assigned: make([]float64, 0, room), completed: make([]float64, 0, room)}, nil
}

// Assign counts a task that a worker was given for the first time at a time since
// the bag's submission. Errors: ErrOrder for a time before an earlier one of its
// kind, and for more tasks than the bag has.
func (p *Progress) Assign(at float64) error {
	if err := p.follows("assigned", p.assigned, at); err != nil {
		return err
	}
	p.assigned = append(p.assigned, at)
	return nil
}

// Complete counts a task that is done. Errors: as [Progress.Assign], and ErrOrder
// for a task that nobody was given.
func (p *Progress) Complete(at float64) error {
	if err := p.follows("completed", p.completed, at); err != nil {
		return err
	}
	k := len(p.completed)
	if k >= len(p.assigned) {
		return fmt.Errorf("spequlos: task %d completed, %d assigned: %w", k+1, len(p.assigned), ErrOrder)
	}
	p.completed = append(p.completed, at)
	if 2*(k+1) <= p.size {
		p.early = max(p.early, p.Variance(k+1))
	}
	return nil
}

func (p *Progress) follows(what string, before []float64, at float64) error {
	n := len(before)
	switch {
	case !(at >= 0) || math.IsInf(at, 1):
		return &DomainError{"Progress", what, at, "a finite time >= 0"}
	case n == p.size:
		return fmt.Errorf("spequlos: more tasks %s than the %d of the bag: %w", what, p.size, ErrOrder)
	case n > 0 && at < before[n-1]:
		return fmt.Errorf("spequlos: %s at %v s, after one at %v s: %w", what, at, before[n-1], ErrOrder)
	}
	return nil
}

// Size returns the number of tasks of the bag.
func (p *Progress) Size() int { return p.size }

// Assigned returns how many were given to a worker at least once.
func (p *Progress) Assigned() int { return len(p.assigned) }

// Completed returns how many are done.
func (p *Progress) Completed() int { return len(p.completed) }

// Waiting returns how many nobody was given yet.
func (p *Progress) Waiting() int { return p.size - len(p.assigned) }

// Done reports whether the whole bag is done.
func (p *Progress) Done() bool { return len(p.completed) == p.size }

// tasks is the least number of tasks that are a share of the bag.
func (p *Progress) tasks(share float64) int {
	return int(math.Ceil(share*float64(p.size)*(1-1e-12) - 1e-9))
}

// CompletionTime returns t_c, the time at which a share of the bag, above 0 and at
// most 1, was done; ok is false where it is not yet.
func (p *Progress) CompletionTime(share float64) (t float64, ok bool) {
	return nth(p.completed, p.tasks(share), share)
}

// AssignmentTime returns t_a, the time at which a share of the bag was assigned.
func (p *Progress) AssignmentTime(share float64) (t float64, ok bool) {
	return nth(p.assigned, p.tasks(share), share)
}

func nth(times []float64, k int, share float64) (float64, bool) {
	k = max(k, 1)
	if !(share > 0 && share <= 1) || k > len(times) {
		return 0, false
	}
	return times[k-1], true
}

// Variance returns the execution variance t_c − t_a of the k-th task: how long
// after the k-th assignment the k-th completion came. k is within 1..Completed;
// else it is NaN.
func (p *Progress) Variance(k int) float64 {
	if k < 1 || k > len(p.completed) {
		return math.NaN()
	}
	return p.completed[k-1] - p.assigned[k-1]
}

// IdealTime returns t_c(0.9)/0.9, the time that the bag would take if it went on
// as it did up to nine tenths; ok is false before that.
func (p *Progress) IdealTime() (t float64, ok bool) {
	t, ok = p.CompletionTime(0.9)
	return t / 0.9, ok
}

// TailSlowdown returns the bag's time over the ideal one; ok is false where the
// bag is not done, or nine tenths of it were done at once. It is above 0.9.
func (p *Progress) TailSlowdown() (s float64, ok bool) {
	ideal, _ := p.IdealTime()
	if !p.Done() || p.size == 0 || ideal == 0 {
		return 0, false
	}
	return p.completed[p.size-1] / ideal, true
}
