package pool

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// An Arrival is one job as it comes.
type Arrival struct {
	At        float64 // s
	Work      float64 // on a dedicated machine, s
	Footprint float64 // that a migration moves, bits
	User      int
}

// A Workload is the jobs of a run.
type Workload interface {
	// UserCount returns how many users there are.
	UserCount() int
	// Rate returns the jobs per s, for the memory that they take.
	MeanRate() float64
	// Begin returns the jobs of one run in the order of their times; ok is
	// false after the last.
	Begin(draws *rand.Rand) (next func() (job Arrival, ok bool))
	check(fn string) error
}

// Poisson are independent jobs of users that are all alike.
type Poisson struct {
	Rate      float64 // of all users, per s
	Work      Law     // on a dedicated machine, s
	Footprint float64 // bits
	Users     int
}

// UserCount returns the number of users.
func (w Poisson) UserCount() int { return w.Users }

// MeanRate returns the rate.
func (w Poisson) MeanRate() float64 { return w.Rate }

// Begin returns the jobs of one run.
func (w Poisson) Begin(draws *rand.Rand) func() (Arrival, bool) {
	at := 0.0
	return func() (Arrival, bool) {
		at += draws.ExpFloat64() / w.Rate
		return Arrival{at, max(w.Work.Draw(draws), leastWork), w.Footprint, draws.IntN(w.Users)}, true
	}
}

// leastWork keeps the elongation of the shortest jobs a number.
const leastWork = 1e-9

func (w Poisson) check(fn string) error {
	if err := positive(fn, "rate of jobs", w.Rate); err != nil {
		return err
	}
	if err := atLeastZero(fn, "footprint", w.Footprint); err != nil {
		return err
	}
	if w.Users < 1 || w.Users > most {
		return &DomainError{fn, "users", float64(w.Users), "1 <= users <= 1e7"}
	}
	if w.Work == nil {
		return &DomainError{fn, "work", 0, "a law"}
	}
	return checkLaw(fn, "work", w.Work)
}

// A Log is jobs that came once, in the order of their times. Chance is then in
// the machines alone.
type Log []Arrival

// UserCount returns one more than the greatest user.
func (l Log) UserCount() int {
	users := 1
	for _, j := range l {
		users = max(users, j.User+1)
	}
	return users
}

// MeanRate returns the jobs per s between the first and the last.
func (l Log) MeanRate() float64 {
	if len(l) < 2 || l[len(l)-1].At == l[0].At {
		return 0
	}
	return float64(len(l)) / (l[len(l)-1].At - l[0].At)
}

// Begin returns the jobs.
func (l Log) Begin(*rand.Rand) func() (Arrival, bool) {
	i := 0
	return func() (Arrival, bool) {
		if i == len(l) {
			return Arrival{}, false
		}
		i++
		return l[i-1], true
	}
}

// sound reports whether nothing is wrong with a job after another. What is wrong is only
// written where something is: for each of millions of jobs that takes seconds.
func (a Arrival) sound(last float64) bool {
	return a.At >= last && a.Work > 0 && a.Footprint >= 0 && max(a.At, a.Work, a.Footprint) <= math.MaxFloat64 &&
		a.User >= 0 && a.User < most
}

func (l Log) check(fn string) error {
	if len(l) == 0 {
		return &DomainError{fn, "jobs of the log", 0, "at least one"}
	}
	last := 0.0
	for i, j := range l {
		if j.sound(last) {
			last = j.At
			continue
		}
		of := fmt.Sprintf(" of job %d of the log", i+1)
		if !(j.At >= last) || math.IsInf(j.At, 1) {
			return &DomainError{fn, "time" + of, j.At, "times >= 0 in order"}
		}
		if err := positive(fn, "work"+of, j.Work); err != nil {
			return err
		}
		if err := atLeastZero(fn, "footprint"+of, j.Footprint); err != nil {
			return err
		}
		if j.User < 0 || j.User >= most {
			return &DomainError{fn, "user" + of, float64(j.User), "0 <= user < 1e7"}
		}
	}
	return nil
}
