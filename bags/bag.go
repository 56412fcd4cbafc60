package bags

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/law"
)

// MostTasks is the greatest number of tasks of a bag.
const MostTasks = 10000000

// A Task is work that arrives at a time after the bag's submission.
type Task struct {
	Arrival float64 // s, >= 0
	Work    float64 // operations, > 0
}

// A Spread is a normal law, cut off below at a tenth of its mean.
type Spread struct {
	Mean float64 // > 0
	SD   float64 // >= 0
}

func (s Spread) draw(r *rand.Rand) float64 {
	if s.SD == 0 {
		return s.Mean
	}
	return max(0.1*s.Mean, s.Mean+s.SD*r.NormFloat64())
}

// LeastWork is the least work of a task in operations. It is far below any real task, and far
// enough above the smallest floats that dividing it by a machine's speed does not give 0.
const LeastWork = 1e-100

// A Bag is a law of bags that differ at random or, if Tasks are given, one bag.
type Bag struct {
	Name  string
	Tasks []Task // one by one; nil: drawn from what follows
	Size  Spread // number of tasks, rounded
	Work  Spread // of a task, operations, at least LeastWork
	// Arrival is the law of the time from submission to the arrival of a task (not of
	// gaps between arrivals); nil: all tasks arrive at submission.
	Arrival law.Law
	// WallClock is the user's estimate of the longest time of a task, in seconds; 0: none. The
	// credits for the bag follow from it.
	WallClock float64
}

// Bags returns the three kinds of SpeQuloS table 3, with the bounds of its section
// 4.1.3: small, of a thousand long tasks; big, of ten thousand short ones; random.
// What the table calls the variance of the sizes is taken as their standard deviation.
func Bags() []Bag {
	return []Bag{
		{Name: "small", Size: Spread{1000, 0}, Work: Spread{3.6e6, 0}, WallClock: 11000},
		{Name: "big", Size: Spread{10000, 0}, Work: Spread{6e4, 0}, WallClock: 180},
		{
			Name:      "random",
			Size:      Spread{1000, 200},
			Work:      Spread{6e4, 1e4},
			Arrival:   law.Weibull{Shape: 0.57, Scale: 91.98},
			WallClock: 2200,
		},
	}
}

// Check returns a *DomainError for the first field outside its domain.
func (b *Bag) Check() error {
	const fn, wantWork = "Bag", "a finite number of operations >= 1e-100"
	worth := func(v float64) bool { return v >= LeastWork && !math.IsInf(v, 1) }
	finite := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	if !(b.WallClock >= 0) || math.IsInf(b.WallClock, 1) {
		return &DomainError{fn, "WallClock", b.WallClock, "a finite time >= 0"}
	}
	for _, t := range b.Tasks {
		switch {
		case !(t.Arrival >= 0) || math.IsInf(t.Arrival, 1):
			return &DomainError{fn, "arrival of a task", t.Arrival, "a finite time >= 0"}
		case !worth(t.Work):
			return &DomainError{fn, "work of a task", t.Work, wantWork}
		}
	}
	if len(b.Tasks) > 0 {
		return nil
	}
	switch {
	case !(b.Size.Mean >= 1 && b.Size.Mean <= MostTasks):
		return &DomainError{fn, "Size.Mean", b.Size.Mean, "1 to 10,000,000 tasks"}
	case !(b.Size.SD >= 0 && b.Size.SD <= b.Size.Mean):
		return &DomainError{fn, "Size.SD", b.Size.SD, "0 to the mean"}
	case !worth(b.Work.Mean):
		return &DomainError{fn, "Work.Mean", b.Work.Mean, wantWork}
	case !(b.Work.SD >= 0 && b.Work.SD <= b.Work.Mean):
		return &DomainError{fn, "Work.SD", b.Work.SD, "0 to the mean"}
	case b.Arrival != nil && !finite(b.Arrival.Mean()):
		return &DomainError{fn, "mean of Arrival", b.Arrival.Mean(), "a finite time > 0"}
	}
	return nil
}

// Draw returns the tasks of one bag in the order of their arrival. Errors: those of
// Check.
func (b *Bag) Draw(r *rand.Rand) ([]Task, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	if len(b.Tasks) > 0 {
		tasks := slices.Clone(b.Tasks)
		sortTasks(tasks)
		return tasks, nil
	}
	if r == nil {
		return nil, &DomainError{"Bag.Draw", "r", math.NaN(), "a source of random numbers"}
	}
	tasks := make([]Task, max(1, int(math.Round(b.Size.draw(r)))))
	for i := range tasks {
		tasks[i].Work = b.Work.draw(r)
		if b.Arrival == nil {
			continue
		}
		t, err := b.Arrival.Quantile(r.Float64())
		if err != nil {
			return nil, err
		}
		tasks[i].Arrival = t
	}
	sortTasks(tasks)
	return tasks, nil
}

func sortTasks(t []Task) {
	sooner := func(a, b Task) int { return cmp.Compare(a.Arrival, b.Arrival) }
	if !slices.IsSortedFunc(t, sooner) { // they are if all arrive at the beginning
		slices.SortStableFunc(t, sooner)
	}
}

// late returns the share of the tasks that has not arrived at each cell of a grid; nil if all
// arrive at the beginning.
func (b *Bag) late(g attempts.Grid) []float64 {
	out := make([]float64, len(g.F))
	if len(b.Tasks) == 0 {
		if b.Arrival == nil {
			return nil
		}
		for i := range out {
			out[i] = law.Survival(b.Arrival, float64(i)*g.Step)
		}
		return out
	}
	for _, t := range b.Tasks {
		for i := 0; i < len(out) && float64(i)*g.Step < t.Arrival; i++ {
			out[i] += 1 / float64(len(b.Tasks))
		}
	}
	if slices.Max(out) == 0 {
		return nil
	}
	return out
}

// lastTask returns when the last listed task arrives, in seconds; 0 if tasks are not listed.
func (b *Bag) lastTask() float64 {
	last := 0.0
	for _, t := range b.Tasks {
		last = max(last, t.Arrival)
	}
	return last
}

// begins reports whether a listed task arrives at the beginning.
func (b *Bag) begins() bool {
	return slices.ContainsFunc(b.Tasks, func(t Task) bool { return t.Arrival == 0 })
}

// MeanSize returns the mean number of tasks.
func (b *Bag) MeanSize() float64 {
	if len(b.Tasks) > 0 {
		return float64(len(b.Tasks))
	}
	return b.Size.Mean
}

// TotalWork returns the mean number of operations of the bag.
func (b *Bag) TotalWork() float64 {
	if len(b.Tasks) == 0 {
		return b.Size.Mean * b.Work.Mean
	}
	sum := 0.0
	for _, t := range b.Tasks {
		sum += t.Work
	}
	return sum
}

// Unlike returns the coefficient of variation of the tasks' work, ≥ 0: its standard deviation over
// its mean. For a normal law it is that before the cut. Time is linear in the number of listed
// tasks.
func (b *Bag) Unlike() float64 {
	if len(b.Tasks) == 0 {
		return b.Work.SD / b.Work.Mean
	}
	mean, sum := b.TotalWork()/float64(len(b.Tasks)), 0.0
	for _, t := range b.Tasks {
		sum += (t.Work/mean - 1) * (t.Work/mean - 1)
	}
	return math.Sqrt(sum / float64(len(b.Tasks)))
}

// LargestWork returns the work of the largest task; for a normal law, three standard
// deviations above the mean.
func (b *Bag) LargestWork() float64 {
	if len(b.Tasks) == 0 {
		return b.Work.Mean + 3*b.Work.SD
	}
	most := 0.0
	for _, t := range b.Tasks {
		most = max(most, t.Work)
	}
	return most
}
