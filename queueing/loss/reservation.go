package loss

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/measured"
)

// A ReservedStream is a class of a [Reservation] system.
type ReservedStream struct {
	Stream
	// Reserve is how many servers must stay free for others after a job of
	// this class is let in, ≥ 0.
	Reserve int
}

// Reservation is a loss system with several widths of jobs and trunk
// reservation: a job of class k enters if Width + Reserve servers are free.
type Reservation struct {
	Streams  []ReservedStream
	Capacity int // servers, 0..2²⁶
}

// ReservationFigures are the steady-state figures.
type ReservationFigures struct {
	Blocking     []float64 // per class
	Accepted     []float64 // 1 − Blocking to its own digits, far beyond the capacity too
	LossOfJobs   float64   // share of all jobs
	CarriedLoad  float64   // mean busy servers, Σ A_k b_k (1 − B_k)
	Utilization  float64
	StatesSolved int               // how many of Capacity + 1 were needed
	Warning      *queueing.Warning // nil without reservation, where the recursion is exact
	// Approximation says how far off that was found, nil where it is exact.
	Approximation *queueing.Approximation
}

// Figures returns blocking by Roberts' extension of the Kaufman-Roberts
// recursion,
//
//	j·q(j) = Σ_k b_k A_k D_k(j)·q(j − b_k),  D_k(j) = 1 if j ≤ C − r_k, else 0
//	B_k = Σ_{j > C − b_k − r_k} q(j) / Σ_j q(j)
//
// where r_k is the reserve. It takes no job of a class to be there once its
// reserve is touched: exact for r_k = 0, an approximation otherwise, and
// Warning says so with the errors of docs/APPROXIMATIONS.md. All terms are positive.
//
// The work is classes × states, and only states of some weight count: far
// below the likely ones the recursion starts from any positive values, which
// are forgotten on the way up; that this happened is checked by starting
// twice, and if not, all states are computed. It ends early with the error of
// ctx. Errors: *DomainError. Source: Roberts, in Performance of data
// communication systems, 1983; Kaufman 1981.
func (q Reservation) Figures(ctx context.Context) (ReservationFigures, error) {
	ctx = given.Context(ctx)
	r, err := q.prepare()
	if err != nil {
		return ReservationFigures{}, err
	}
	start := r.start()
	var sums reservedSums
	if start > r.capacity/4 && start < r.capacity-r.keep {
		other, err := r.run(ctx, start, true)
		if err != nil {
			return ReservationFigures{}, err
		}
		if sums, err = r.run(ctx, start, false); err != nil {
			return ReservationFigures{}, err
		}
		if !sums.like(other) {
			start = 0
		}
	} else {
		start = 0
	}
	if start == 0 {
		if sums, err = r.run(ctx, 0, false); err != nil {
			return ReservationFigures{}, err
		}
	}
	return q.figures(r, sums, r.capacity+1-start), nil
}

// reservationApproximation holds what was measured with service times alike and
// unlike, as loads do not tell the service times.
var reservationApproximation = queueing.Approximation{
	Method: "Kaufman-Roberts with trunk reservation (Roberts)",
	Blocking: queueing.ErrorRange{
		Low:  math.Min(measured.ReservedAlike.Low, measured.ReservedUnlike.Low),
		High: math.Max(measured.ReservedAlike.High, measured.ReservedUnlike.High),
		Most: math.Max(measured.ReservedAlike.Most, measured.ReservedUnlike.Most),
	},
	Regime: "two classes on 8 and 24 servers, service times up to 5 times apart",
	Source: measured.ReservedUnlike.Source,
}

func reservationWarning() *queueing.Warning {
	like, unlike := measured.ReservedAlike, measured.ReservedUnlike
	return &queueing.Warning{
		Model:  reservationApproximation.Method,
		Regime: "no reservation, where it is exact",
		Advice: fmt.Sprintf("losses of two classes on 8 and 24 servers were off by %+.0f to %+.0f%% against exact chains, by %+.0f to %+.0f%% with service times 5 times apart; larger systems were not measured",
			100*like.Low, 100*like.High, 100*unlike.Low, 100*unlike.High),
	}
}

func (q Reservation) figures(r reservedRun, sums reservedSums, states int) ReservationFigures {
	f := ReservationFigures{
		Blocking:     make([]float64, len(q.Streams)),
		Accepted:     make([]float64, len(q.Streams)),
		Utilization:  sums.busy,
		CarriedLoad:  sums.busy * float64(q.Capacity),
		StatesSolved: states,
	}
	streams := make([]Stream, len(q.Streams))
	for k, s := range q.Streams {
		streams[k] = s.Stream
	}
	share := arrivalShares(streams)
	for k, s := range q.Streams {
		f.Blocking[k] = 1
		if i := r.of[k]; i >= 0 {
			f.Blocking[k], f.Accepted[k] = sums.full[i], sums.open[i]
		}
		f.LossOfJobs += share[k] * f.Blocking[k]
		if s.Reserve > 0 {
			f.Warning, f.Approximation = reservationWarning(), &reservationApproximation
		}
	}
	f.LossOfJobs = math.Min(f.LossOfJobs, 1) // above 1 by rounding alone
	return f
}

// reservedRun is a system in units of the greatest common divisor of all
// widths, classes of equal width and limit merged.
type reservedRun struct {
	unit, capacity, keep int
	share                float64 // of the capacity that the units are, below 1 where it is no multiple
	width, limit         []int   // limit: the greatest j that a job of the class may lead to
	load                 []float64
	last                 []int // the states from which jobs still enter, of all classes
	of                   []int // by class: where in last, -1 for none
}

func (q Reservation) prepare() (reservedRun, error) {
	c := queueing.Domain{Func: "Reservation"}
	if len(q.Streams) == 0 {
		c.Fail("streams", 0, "at least one class")
	}
	if q.Capacity < 0 || q.Capacity > 1<<26 {
		c.Fail("capacity", float64(q.Capacity), "0 <= capacity <= 67108864")
	}
	r := reservedRun{}
	for k, s := range q.Streams {
		of := " of " + fault.Part("class", s.Name, k)
		if s.Width < 1 {
			c.Fail("width"+of, float64(s.Width), "width >= 1")
		}
		if s.Reserve < 0 {
			c.Fail("reserve"+of, float64(s.Reserve), "reserve >= 0")
		}
		c.AtLeastZero("job load"+of, s.JobLoad)
		c.Magnitude("job load"+of, s.JobLoad)
		r.unit = numeric.GCD(r.unit, s.Width)
	}
	if c.Err != nil {
		return r, c.Err
	}
	r.capacity = q.Capacity / r.unit
	r.share = 1
	if q.Capacity > 0 {
		r.share = float64(r.capacity*r.unit) / float64(q.Capacity)
	}
	type kind struct{ width, limit int }
	at := map[kind]int{}
	for _, s := range q.Streams {
		r.keep = max(r.keep, min(s.Width+s.Reserve, q.Capacity)/r.unit+2)
		if s.Width > q.Capacity-s.Reserve {
			r.of = append(r.of, -1)
			continue
		}
		last := (q.Capacity - s.Width - s.Reserve) / r.unit
		if i := slices.Index(r.last, last); i >= 0 {
			r.of = append(r.of, i)
		} else {
			r.of, r.last = append(r.of, len(r.last)), append(r.last, last)
		}
		if s.JobLoad == 0 {
			continue
		}
		id := kind{s.Width / r.unit, (q.Capacity - s.Reserve) / r.unit}
		k, ok := at[id]
		if !ok {
			k = len(r.width)
			at[id] = k
			r.width, r.limit, r.load = append(r.width, id.width), append(r.limit, id.limit), append(r.load, 0)
		}
		r.load[k] += s.JobLoad * float64(id.width)
	}
	return r, nil
}

// start returns a state below which the weight is less than e^(−80) of the
// whole, by the large-deviation rate θj − Σ A_k(e^{θb_k} − 1) of the busy
// servers in an unlimited fleet; 0 where there is none.
func (r reservedRun) start() int {
	mean, variance, free := 0.0, 0.0, r.capacity
	for k, a := range r.load {
		mean += a
		variance += a * float64(r.width[k])
		free = min(free, r.limit[k]-r.width[k])
	}
	peak := math.Min(mean, float64(free))
	if !(peak > 0) {
		return 0
	}
	rate := func(j float64) float64 {
		slope := func(theta float64) float64 {
			s := -j
			for k, a := range r.load {
				s += a * math.Exp(theta*float64(r.width[k]))
			}
			return s
		}
		if j >= mean {
			return 0
		}
		lo := -1 / math.Sqrt(variance)
		for slope(lo) > 0 {
			lo *= 2
		}
		theta := numeric.Root(func(x float64) float64 { return slope(x) }, 0, mean-j, lo, slope(lo))
		v := theta * j
		for k, a := range r.load {
			v -= a / float64(r.width[k]) * math.Expm1(theta*float64(r.width[k]))
		}
		return v
	}
	base := rate(peak)
	lo, hi := 0.0, peak
	for hi-lo > 1+1e-3*peak {
		if mid := (lo + hi) / 2; rate(mid)-base > 80 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return int(lo)
}
