package loss

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A Stream is a class of jobs that each need several servers at once for the
// same time.
type Stream struct {
	Name    string
	Width   int     // servers a job needs at once, ≥ 1
	JobLoad float64 // λ·E[S] of the class in jobs (not servers), ≥ 0
	// Rate is λ ≥ 0, in any unit: the weight of the class in the share of all
	// jobs that is lost. 0 for all classes stands for service times that are
	// alike, so that rates are in proportion to JobLoad.
	Rate float64
}

// A MultiRate is a loss system with several classes that need one or more
// servers each: the stochastic knapsack. A job that does not find its Width
// free is lost. Arrivals are Poisson; the service laws count only through
// their means.
//
// The states of all fleet sizes up to a bound are kept, so that blocking at
// each of them costs no more than the widest class: this is what makes the
// least fleet provable.
type MultiRate struct {
	streams []Stream
	weight  []float64 // share of each class in the arrivals
	jobs    float64   // Σ JobLoad
	// q[j] and prefix[j] = Σ_{i≤j} q[i], true values times rescale^−e, where e
	// counts the epochs that start at or before j.
	q, prefix []float64
	epoch     []int
}

// rescale keeps the sums within float64: a new epoch starts when they pass it,
// and what is read from an older one is scaled as it is read, so that the work
// does not grow with the widths.
const rescale = 1e200

// nothing is left out beside a sum of 1 or more: numbers as small as float64 can
// hold cost processors a hundred times the work.
const nothing = 1e-290

// NewMultiRate runs Kaufman's and Roberts' recursion up to the given capacity:
//
//	j·q(j) = Σ_k b_k A_k q(j − b_k),   q(0) = 1
//
// where class k needs b_k servers and offers A_k jobs (A_k b_k erlangs). The
// unnormalised q(j) does not depend on the capacity. Time and memory are
// O(capacity·classes) and O(capacity). Sums are rescaled as they grow, so
// that neither overflow nor order matters. Source: Kaufman 1981, eq. 10;
// Roberts 1981.
func NewMultiRate(ctx context.Context, streams []Stream, capacity int) (*MultiRate, error) {
	ctx = given.Context(ctx)
	c := queueing.Domain{Func: "NewMultiRate"}
	if len(streams) == 0 {
		c.Fail("streams", 0, "at least one class")
	}
	if capacity < 0 || capacity > 1<<26 {
		c.Fail("capacity", float64(capacity), "0 <= capacity <= 67108864")
	}
	m := &MultiRate{streams: append([]Stream(nil), streams...)}
	for _, s := range m.streams {
		if s.Width < 1 {
			c.Fail("width", float64(s.Width), "width >= 1")
		}
		c.AtLeastZero("job load", s.JobLoad)
		c.Magnitude("job load", s.JobLoad)
		c.AtLeastZero("rate", s.Rate)
		m.jobs += s.JobLoad
	}
	if c.Err != nil {
		return nil, c.Err
	}
	m.weight = arrivalShares(m.streams)
	m.q, m.prefix = make([]float64, capacity+1), make([]float64, capacity+1)
	q := m.q
	q[0], m.prefix[0] = 1, 1
	lags := make([]lag, len(m.streams))
	for k := range lags {
		lags[k].scale = 1
	}
	for j := 1; j <= capacity; j++ {
		if j%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		sum := 0.0
		for k := range m.streams {
			from := j - m.streams[k].Width
			if from < 0 {
				continue
			}
			l := &lags[k]
			for l.epoch < len(m.epoch) && from >= m.epoch[l.epoch] {
				l.epoch++
				l.scale = math.Pow(rescale, float64(l.epoch-len(m.epoch)))
			}
			if q[from] >= nothing/l.scale {
				sum += m.streams[k].JobLoad * float64(m.streams[k].Width) * (q[from] * l.scale)
			}
		}
		if sum /= float64(j); sum < nothing {
			sum = 0
		}
		before := m.prefix[j-1]
		if n := len(m.epoch); n > 0 && m.epoch[n-1] == j {
			before /= rescale
		}
		q[j], m.prefix[j] = sum, before+sum
		if m.prefix[j] > rescale {
			m.epoch = append(m.epoch, j+1)
			for k := range lags {
				lags[k].scale /= rescale
			}
		}
	}
	return m, nil
}

// Capacity returns the greatest number of servers that m can be asked about.
func (m *MultiRate) Capacity() int { return len(m.prefix) - 1 }

// StreamBlocking returns the chance that a job of class k is lost with the
// given whole number of servers within 0..Capacity: Σ_{j>n−b} q(j)/Σ_{j≤n} q(j).
func (m *MultiRate) StreamBlocking(k, servers int) (float64, error) {
	if k < 0 || k >= len(m.streams) {
		return 0, &queueing.DomainError{Func: "MultiRate.StreamBlocking", Arg: "class", Value: float64(k), Want: "a class of the system"}
	}
	if servers < 0 || servers > m.Capacity() {
		return 0, &queueing.DomainError{Func: "MultiRate.StreamBlocking", Arg: "servers", Value: float64(servers), Want: "servers within 0..Capacity"}
	}
	return m.streamBlocking(k, servers), nil
}

// streamBlocking adds up the states that leave less than a width free, in
// which no term is negative, so that small chances keep their digits.
func (m *MultiRate) streamBlocking(k, n int) float64 {
	width := m.streams[k].Width
	if width > n {
		return 1
	}
	e := len(m.epoch)
	for e > 0 && m.epoch[e-1] > n {
		e--
	}
	sum, scale := 0.0, 1.0
	for j := n; j > n-width; j-- {
		for e > 0 && m.epoch[e-1] > j {
			e--
			scale /= rescale
		}
		sum += m.q[j] * scale
	}
	return math.Min(sum/m.prefix[n], 1) // above 1 by rounding alone
}

// streamAccepted returns 1 − streamBlocking without cancellation: if the load is a million times
// the capacity, the carried load depends on it.
func (m *MultiRate) streamAccepted(k, n int) float64 {
	open := n - m.streams[k].Width
	if open < 0 {
		return 0
	}
	scale := 1.0
	for e := len(m.epoch) - 1; e >= 0 && m.epoch[e] > open; e-- {
		if m.epoch[e] <= n {
			scale /= rescale
		}
	}
	return m.prefix[open] / m.prefix[n] * scale
}

// Blocking returns the share of all jobs that is lost with the given number
// of servers, and the mean number of busy servers.
func (m *MultiRate) Blocking(servers int) (jobs, carried float64, err error) {
	if servers < 0 || servers > m.Capacity() {
		return 0, 0, &queueing.DomainError{Func: "MultiRate.Blocking", Arg: "servers", Value: float64(servers), Want: "servers within 0..Capacity"}
	}
	for k, s := range m.streams {
		b := m.streamBlocking(k, servers)
		jobs += m.weight[k] * b
		carried += s.JobLoad * float64(s.Width) * m.streamAccepted(k, servers)
	}
	return math.Min(jobs, 1), carried, nil // above 1 by rounding alone
}

// arrivalShares returns the share of each class in all arrivals: 0 for all
// where nothing arrives.
func arrivalShares(streams []Stream) []float64 {
	share, total := make([]float64, len(streams)), 0.0
	for k, s := range streams {
		share[k] = s.Rate
		total += s.Rate
	}
	if total == 0 {
		for k, s := range streams {
			share[k] = s.JobLoad
			total += s.JobLoad
		}
	}
	for k := range share {
		if total > 0 {
			share[k] /= total
		}
	}
	return share
}

// Peakedness returns Z = Σ b²A / Σ bA, the variance over the mean of the
// number of busy servers if there were infinitely many: 1 when every job needs
// one server. It is 0 without load.
func Peakedness(streams []Stream) float64 {
	var first, second float64
	for _, s := range streams {
		w := float64(s.Width)
		first += w * s.JobLoad
		second += w * w * s.JobLoad
	}
	if first == 0 {
		return 0
	}
	return second / first
}

// At returns the figures with a whole number of servers within 0..Capacity
// (a fraction is dropped: part of a server runs nothing). Blocking is the
// share of jobs lost, Throughput counts jobs, OfferedLoad and Utilization
// servers. Rates are in units of a mean service, since the model has no clock.
func (m *MultiRate) At(servers float64) (queueing.Figures, error) {
	c := queueing.Domain{Func: "MultiRate.At"}
	c.AtLeastZero("servers", servers)
	if c.Err == nil && servers >= float64(len(m.q)) {
		c.Fail("servers", servers, "servers within 0..Capacity")
	}
	if c.Err != nil {
		return queueing.Figures{}, c.Err
	}
	n := int(servers)
	lost, carried, err := m.Blocking(n)
	if err != nil {
		return queueing.Figures{}, err
	}
	f := queueing.Figures{Servers: float64(n), ArrivalRate: m.jobs, ServiceTime: 1, Blocking: lost}
	for k, s := range m.streams {
		f.OfferedLoad += s.JobLoad * float64(s.Width)
		f.Throughput += m.jobs * m.weight[k] * m.streamAccepted(k, n)
	}
	if n > 0 {
		f.Utilization = m.busyShare(n, carried)
	}
	return f, nil
}

// busyShare is carried/n. Where all but a billionth is busy it is what the idle
// servers leave, Σ_{j<n} prefix[j]/prefix[n] of them: of those few states count,
// and no rounding takes it above 1.
func (m *MultiRate) busyShare(n int, carried float64) float64 {
	if share := carried / float64(n); share < 1-1e-9 {
		return share
	}
	e := len(m.epoch)
	for e > 0 && m.epoch[e-1] > n {
		e--
	}
	idle, scale := 0.0, 1.0
	for j := n - 1; j >= 0; j-- {
		for e > 0 && m.epoch[e-1] > j {
			e--
			scale /= rescale
		}
		term := m.prefix[j] / m.prefix[n] * scale
		if idle += term; term < 1e-20*idle || term == 0 {
			break
		}
	}
	return 1 - idle/float64(n)
}

// LeastMultiRate returns the fewest servers with which the classes meet an
// objective on Blocking (the share of all jobs lost) or Utilization, and the
// system that answers for the classes up to somewhat more. It was computed
// that this number meets and one server fewer does not; with several widths
// blocking need not fall at every single step, so that a smaller number may
// meet by chance. Memory is bounded: at most 2²⁴ servers, 256 MB.
func LeastMultiRate(ctx context.Context, streams []Stream, o queueing.Objective) (queueing.Requirement, *MultiRate, error) {
	ctx = given.Context(ctx)
	if err := o.Check("LeastMultiRate"); err != nil {
		return queueing.Requirement{}, nil, err
	}
	if o.Metric != queueing.Blocking && o.Metric != queueing.Utilization {
		return queueing.Requirement{}, nil, &queueing.DomainError{Func: "LeastMultiRate", Arg: "metric",
			Value: float64(o.Metric), Want: "Blocking or Utilization"}
	}
	load, widest := 0.0, 0
	for _, s := range streams {
		load += s.JobLoad * float64(s.Width)
		widest = max(widest, s.Width)
	}
	if o.Limit == 0 && load > 0 {
		return queueing.Requirement{}, nil, &queueing.InfeasibleError{Objective: o,
			Reason: "it falls towards 0 as servers are added but never reaches it"}
	}
	const most = 1 << 24
	guess := load + 4*math.Sqrt(load*Peakedness(streams)) + float64(2*widest) + 8
	for {
		capacity := int(math.Min(guess, most))
		m, err := NewMultiRate(ctx, streams, capacity)
		if err != nil {
			return queueing.Requirement{}, nil, err
		}
		meets := func(n float64) bool {
			f, err := m.At(n)
			return err == nil && o.Met(f)
		}
		// One more than the answer must be there to compare with.
		if n, ok := numeric.LeastInteger(meets, 0, math.Min(load, float64(capacity-1)), float64(capacity-1)); ok {
			f, err := m.At(n)
			return queueing.Requirement{Servers: n, Real: n, Figures: f}, m, err
		}
		if capacity == most {
			return queueing.Requirement{}, nil, &queueing.DomainError{Func: "LeastMultiRate", Arg: "load",
				Value: load, Want: "a load whose answer is at most 2^24 servers"}
		}
		guess *= 2
	}
}
