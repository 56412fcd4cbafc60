package queues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/loss"
	"github.com/capplan/capplan/queueing/priority"
)

// A ClassAnswer holds the figures of one class. Its figures are nil where the
// queue does not have them: a class that waits has no blocking, one that is lost
// has no queue.
type ClassAnswer struct {
	Name string `json:"name"`
	// OfferedLoad counts servers, not jobs: a class whose jobs take three servers
	// each offers three times its load of jobs.
	OfferedLoad     float64  `json:"offered_load_erl"` // in servers
	Utilization     *float64 `json:"utilization"`      // busy share of all servers due to this class
	Blocking        *float64 `json:"blocking_probability"`
	MeanWait        *float64 `json:"mean_wait_s"`
	MeanResponse    *float64 `json:"mean_response_s"`
	MeanQueueLength *float64 `json:"mean_queue_length"`
	Throughput      *float64 `json:"throughput_per_s"`
	// Saturated says that the queue of the class grows without end.
	Saturated bool `json:"saturated"`
}

// named checks the names of the classes and gives those without one a number. It
// works on a copy, since the caller's classes are not ours to name.
func (q *QueueQuestion) named() ([]JobClass, error) {
	if len(q.JobClasses) == 0 {
		return nil, ask.Inputf("class", "%s wants classes, such as {class} name=batch,rate=2/min,service=20s", q.Queue)
	}
	all := slices.Clone(q.JobClasses)
	seen := map[string]bool{}
	for i := range all {
		c := &all[i]
		if c.Name == "" {
			// Numbers start with 1, as in the messages and tables that show them.
			c.Name = fmt.Sprintf("class %d", i+1)
		}
		// The names are keys of the simulated figures, where two of the same
		// would be one.
		if seen[c.Name] {
			return nil, ask.Inputf("class", "the name %q is given twice", c.Name)
		}
		seen[c.Name] = true
	}
	return all, nil
}

// priorityQueue answers for classes served by priority, the first the highest. Several
// servers are one fast server where no exact formula is known, and the answer
// then says how far off that was found.
func priorityQueue(ctx context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	classes, err := q.named()
	if err != nil {
		return nil, err
	}
	// A queue with priorities has one server by default.
	servers := cmp.Or(q.Servers, 1)
	n, err := wholeServers(servers)
	if err != nil {
		return nil, err
	}
	m := priority.Queue{Preemptive: q.Preemptive, Servers: n}
	for _, c := range classes {
		switch {
		// Both would be read as if a job held several servers at once, which this
		// queue cannot do: no answer is better than that of another system.
		case c.Servers != nil || c.Reserve != nil:
			return nil, ask.Inputf("class",
				"class %q: servers and reserve belong to the queue classes; a job of priority takes one server", c.Name)
		case c.ServiceTime == nil || !(*c.ServiceTime > 0):
			return nil, ask.Inputf("class", "class %q wants a mean service time above 0, such as service=20s", c.Name)
		case (c.Rate == nil) == (c.Load == nil):
			return nil, ask.Inputf("class", "class %q wants either a rate or a load, such as rate=2/min", c.Name)
		}
		// An SCV of 1 stands for exponential service, as everywhere where none is
		// given.
		p := priority.Class{Name: c.Name, ServiceTime: float64(*c.ServiceTime), ServiceSCV: ask.Or(c.SCV, 1.0)}
		if c.Rate != nil {
			p.ArrivalRate = float64(*c.Rate)
		} else {
			p.ArrivalRate = float64(*c.Load) / p.ServiceTime
		}
		m.Classes = append(m.Classes, p)
	}
	// Saturated is no fault of the question. It is answered as an infeasible one,
	// and all other errors are bad input.
	g, err := m.Figures(ctx)
	var saturated *queueing.SaturatedError
	if err != nil && !errors.As(err, &saturated) {
		return nil, ask.FromQueueing("class", err)
	}
	if saturated != nil {
		return nil, ask.Infeasiblef("utilization", 1, saturated.Utilization,
			"class %q is saturated: it and the classes above it offer %.6g of what the servers can do",
			saturated.Name, saturated.Utilization)
	}
	a := &QueueAnswer{Queue: q.Queue, Servers: servers}
	a.Utilization, a.MeanWait = ask.Figure(g.Utilization), ask.Figure(g.MeanWait)
	// The figures over all classes are sums, and the wait is the mean over
	// customers; each class has its own below.
	a.Approximation = ask.ApproximationOf(g.Approximation)
	rate, queue := 0.0, 0.0
	for _, c := range g.Classes {
		a.OfferedLoad += c.OfferedLoad
		rate += c.ArrivalRate
		queue += c.MeanQueueLength
		a.Classes = append(a.Classes, ClassAnswer{
			Name:            c.Name,
			OfferedLoad:     c.OfferedLoad,
			Utilization:     ask.Figure(c.Utilization),
			MeanWait:        ask.Figure(c.MeanWait),
			MeanResponse:    ask.Figure(c.MeanResponse),
			MeanQueueLength: ask.Figure(c.MeanQueueLength),
			Throughput:      ask.Figure(c.Throughput),
			Saturated:       c.Saturated,
		})
	}
	a.ArrivalRate, a.Throughput, a.MeanQueueLength = ask.Figure(rate), ask.Figure(rate), ask.Figure(queue)
	// Little's law gives the mean time in service over all classes, a/λ, without
	// weighing the classes once more.
	if rate > 0 {
		a.MeanResponse = ask.Figure(g.MeanWait + a.OfferedLoad/rate)
	}
	if g.Warning != nil {
		a.Warnings = []string{g.Warning.String()}
	}
	if q.Explain {
		a.Explanation = explainPriority(q, g, n)
	}
	return a, nil
}

// explainPriority names the formula by which the figures came about: which one
// depends on the number of servers, on whether service is interrupted, and on
// whether an exact form is known.
func explainPriority(q *QueueQuestion, g priority.PriorityFigures, servers int) *ask.Explanation {
	e := &ask.Explanation{Model: "priority classes, non-preemptive"}
	formula, source := "W_k = R_K/((1−σ_{k−1})(1−σ_k)), R_K = ½ Σ λE[S²]", "Cobham 1954"
	if q.Preemptive {
		e.Model = "priority classes, preemptive-resume"
		formula, source = "T_k = E[S_k]/(1−σ_{k−1}) + R_k/((1−σ_{k−1})(1−σ_k))", "Jaiswal 1968; InterGrid eq. "+
			"4 for two classes"
	}
	switch {
	case g.Chained:
		formula = "π_{l+1} = π_l·R of the chain of the classes' numbers, level l the lowest class's"
		source = "Latouche, Ramaswami 1993"
		e.Assume("exponential services")
	case servers > 1 && g.Approximation == nil && q.Preemptive:
		formula, source = "classes 1..k together are M/M/c: Σ_{i≤k} λ_i W_i = a·C(c, a)/(c − a)", "Erlang C by levels"
	case servers > 1 && g.Approximation == nil:
		formula, source = "W_k = C(c, a)·E[S]/c/((1−σ_{k−1})(1−σ_k))", "Kella, Yechiali 1985"
	case servers > 1:
		formula += ", of one server of c-fold speed, times C(c, a)/(a/c)"
		source += "; Bondi, Buzen 1984"
		e.Model += ", approximately by " + g.Approximation.Method
	}
	for _, c := range g.Classes {
		if math.IsNaN(c.MeanWait) {
			e.Step(c.Name, "λ = 0", "nobody arrives; no exact form is known for the wait of a single arrival",
				"as asked for")
			continue
		}
		e.Step(c.Name, formula, ask.Sprintf("W = %v s, T = %v s", c.MeanWait, c.MeanResponse), source)
	}
	e.Assume("Poisson arrivals by class; first come, first served within a class; interruptions cost nothing")
	return e
}

// classesQueue answers for loss with classes that need several servers each. Capacity and
// servers are two words for the same here: those who think of links say capacity.
func classesQueue(ctx context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	classes, err := q.named()
	if err != nil {
		return nil, err
	}
	capacity := ask.Or(q.Capacity, q.Servers)
	// The bound of 2²⁶ is that of the recursion, which keeps a number for each
	// state. Converting to int and back refuses fractions without a limit on the
	// digits.
	if !(capacity >= 1) || capacity > 1<<26 || capacity != float64(int(capacity)) {
		return nil, ask.Inputf("capacity", "%g servers, want a whole number from 1 to 67108864, such as {capacity} 100",
			capacity)
	}
	streams, clocked, err := classStreams(classes)
	if err != nil {
		return nil, err
	}
	m := loss.Reservation{Capacity: int(capacity), Streams: streams}
	g, err := m.Figures(ctx)
	if err != nil {
		return nil, ask.FromQueueing("class", err)
	}
	a := &QueueAnswer{Queue: q.Queue, Servers: capacity, CarriedLoad: ask.Figure(g.CarriedLoad)}
	a.Figures = sizing.Figures{Blocking: ask.Figure(g.LossOfJobs), Utilization: ask.Figure(g.Utilization),
		MeanWait: ask.Figure(0)}
	a.Approximation = ask.ApproximationOf(g.Approximation)
	served, offered, lost := 0.0, 0.0, 0.0
	// Accepted comes from the model and not as 1 − blocking, which loses its
	// digits where nearly all are lost.
	for i, s := range m.Streams {
		b, accepted, servers := g.Blocking[i], g.Accepted[i], s.JobLoad*float64(s.Width)
		a.OfferedLoad += servers
		lost += servers * b
		offered += s.Rate
		served += s.Rate * accepted
		c := ClassAnswer{
			Name:        s.Name,
			OfferedLoad: servers,
			Blocking:    ask.Figure(b),
			Utilization: ask.Figure(servers * accepted / capacity),
			MeanWait:    ask.Figure(0),
		}
		if of := classes[i]; of.Rate != nil {
			c.Throughput, c.MeanResponse = ask.Figure(float64(*of.Rate)*accepted), ask.Figure(float64(*of.ServiceTime))
		}
		a.Classes = append(a.Classes, c)
	}
	if clocked {
		a.ArrivalRate, a.Throughput = ask.Figure(offered), ask.Figure(served)
	}
	a.LostLoad = ask.Figure(lost)
	if g.Warning != nil {
		a.Warnings = []string{g.Warning.String()}
	}
	if q.Explain {
		a.Explanation = explainClasses(&m, g)
	}
	return a, nil
}

// classStreams are the classes as the model has them. A class may give its load alone. Then no figure
// per second can be told, neither of it nor of all classes together: clocked is false, and blocking
// over all jobs is weighed by loads instead of rates. Errors: *ask.InputError of class.
func classStreams(classes []JobClass) (streams []loss.ReservedStream, clocked bool, err error) {
	clocked = true
	for _, c := range classes {
		s := loss.ReservedStream{Stream: loss.Stream{Name: c.Name, Width: 1}}
		switch {
		case c.SCV != nil:
			return nil, false, ask.Inputf("class",
				"class %q: loss does not depend on the scv of the service times: leave scv out", c.Name)
		case c.Load != nil && c.Rate == nil && c.ServiceTime == nil:
			s.JobLoad, clocked = float64(*c.Load), false
		case c.Load == nil && c.Rate != nil && c.ServiceTime != nil:
			s.Rate = float64(*c.Rate)
			s.JobLoad = s.Rate * float64(*c.ServiceTime)
		default:
			return nil, false, ask.Inputf("class", "class %q wants either a load, or a rate and a service time", c.Name)
		}
		if c.Servers != nil {
			s.Width = int(min(*c.Servers, 1<<30))
		}
		s.Reserve = int(min(ask.Value(c.Reserve), 1<<30))
		streams = append(streams, s)
	}
	if !clocked {
		// A rate of 0 for all takes service times for alike, so that jobs are weighed by their loads.
		for i := range streams {
			streams[i].Rate = 0
		}
	}
	return streams, clocked, nil
}

// explainClasses shows the recursion and what each class loses by it.
func explainClasses(m *loss.Reservation, g loss.ReservationFigures) *ask.Explanation {
	e := &ask.Explanation{Model: "multi-rate loss system (Kaufman-Roberts)"}
	e.Step("states", "j·q(j) = Σ_k b_k A_k q(j − b_k)", ask.Sprintf("%d classes, %v servers, %d states of weight",
		len(m.Streams), float64(m.Capacity), g.StatesSolved), "Kaufman 1981, eq. 10; Roberts 1983 with reservation")
	for i, s := range m.Streams {
		e.Step(s.Name, "B_k = Σ_{j > C − b_k − r_k} q(j) / Σ q(j)", ask.Sprintf("b = %d, r = %d, A = %v: B = %v",
			s.Width, s.Reserve, s.JobLoad, g.Blocking[i]), "Kaufman 1981")
	}
	e.Assume("Poisson arrivals by class; the laws of service count through their means; exact without reserve")
	return e
}
