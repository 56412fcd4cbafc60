package spequlos

import (
	"cmp"
	"math"
	"slices"
)

// Period is how often a bag is looked at, in seconds, unless it is said otherwise.
const Period = 60.0

// instant is how long credits must last, in seconds, to be any, and how many must
// be left to start with: what rounding leaves is none.
const instant = 1e-3

// Billing says how the time of a worker is paid.
type Billing int

const (
	// BySecond bills the time that a worker ran.
	BySecond Billing = iota
	// ByHour bills each hour that a worker begins, when it begins it.
	ByHour
)

// Options say how a bag is helped.
type Options struct {
	Strategy Strategy
	Order    *Order // what may be spent; nil: nothing
	Billing  Billing
	Period   float64 // s between two looks; 0: [Period]
}

// A Scheduler starts, bills and stops the cloud workers of one bag. The zero value
// has no bag and never starts any.
type Scheduler struct {
	o        Options
	progress *Progress
	workers  []worker // in the order of their start
	running  int
	started  bool
	startAt  float64
	until    float64 // billed until, all running workers alike, as they were started at once
	now      float64
	unpaid   float64
}

type worker struct {
	until   float64 // stopped or billed until, if stopped
	stopped bool
}

// NewScheduler returns the scheduler of a bag, whose progress the caller keeps up.
// Errors: a *DomainError for a strategy that is none of [ParseStrategy], and a
// period below 0.
func NewScheduler(p *Progress, o Options) (*Scheduler, error) {
	if !(o.Period >= 0) || math.IsInf(o.Period, 1) {
		return nil, &DomainError{"NewScheduler", "Period", o.Period, "a finite time >= 0"}
	}
	if again, err := ParseStrategy(o.Strategy.String()); err != nil || again != o.Strategy {
		return nil, &DomainError{"NewScheduler", "Strategy",
			o.Strategy.When.Share, "a strategy as ParseStrategy reads it"}
	}
	o.Order = cmp.Or(o.Order, &Order{})
	o.Period = cmp.Or(o.Period, Period)
	return &Scheduler{o: o, progress: p}, nil
}

// A Decision says what to do now. Workers are numbered from 0 in the order of
// their start.
type Decision struct {
	Start int   // workers to start, the next numbers
	Stop  []int // workers to stop
	// Next is when to ask again at the latest: at the next look, or when the
	// credits run out. +Inf: there is nothing more to decide.
	Next float64
}

// Tick looks at the bag at a time, which must not fall: workers are started where
// the strategy says that it is time, once; billed; and stopped where the bag is
// done or the credits are spent. To call it as soon as the bag is done saves what
// would be billed until the next look.
func (s *Scheduler) Tick(now float64) Decision {
	if s.progress == nil {
		return Decision{Next: math.Inf(1)}
	}
	if !(now >= s.now) || math.IsInf(now, 1) { // a clock that goes back bills nothing
		now = s.now
	}
	s.now = now
	var d Decision
	s.bill(now, &d)
	if s.progress.Done() {
		s.stopAll(&d)
		d.Next = math.Inf(1)
		return d
	}
	if !s.started && s.o.Order.Left() > instant && s.o.Strategy.Starts(s.progress) {
		s.started, s.startAt = true, now
		d.Start = s.start(now)
		s.bill(now, &d)
	}
	d.Next = s.After(now)
	return d
}

// After returns when to look next at the latest, if nothing happens to the bag before a time: at
// the first look from then on, or when the credits run out. +Inf: there is nothing more to decide.
func (s *Scheduler) After(quiet float64) float64 {
	if s.progress == nil || s.progress.Done() || s.running == 0 && s.started {
		return math.Inf(1)
	}
	periods := max(1, math.Ceil((quiet-s.now)/s.o.Period))
	return min(s.now+periods*s.o.Period, s.exhausted(s.now))
}

// start starts workers; where each hour is paid when it begins, no more than can
// be paid.
func (s *Scheduler) start(now float64) int {
	n := s.o.Strategy.Workers(s.progress, now, s.o.Order.Left()/CreditsPerHour)
	s.workers, s.until = slices.Grow(s.workers, n), now
	if s.o.Billing == ByHour {
		s.until += 3600
	}
	for i := range n {
		if s.o.Billing == ByHour {
			if s.o.Order.Left() < CreditsPerHour*(1-1e-9) {
				return i
			}
			s.o.Order.Bill(CreditsPerHour)
		}
		s.workers = append(s.workers, worker{})
		s.running++
	}
	return n
}

// bill bills running workers until now, and stops them where credits run out.
func (s *Scheduler) bill(now float64, d *Decision) {
	if s.running == 0 {
		return
	}
	if s.o.Billing == BySecond {
		credits := float64(s.running) * (now - s.until) * CreditsPerHour / 3600
		s.until = now
		s.unpaid += max(0, credits-s.o.Order.Bill(credits)) / CreditsPerHour * 3600
		if s.exhausted(now)-now < instant {
			s.stopAll(d)
		}
		return
	}
	if s.until > now {
		return
	}
	hours := math.Floor((now-s.until)/3600) + 1
	if all := float64(s.running) * hours * CreditsPerHour; !s.progress.Done() && s.o.Order.Left() >= all {
		s.o.Order.Bill(all)
		s.until += hours * 3600
		return
	}
	for i := range s.workers {
		if s.workers[i].stopped {
			continue
		}
		if s.progress.Done() || s.o.Order.Left() < hours*CreditsPerHour*(1-1e-9) {
			s.stop(i)
			d.Stop = append(d.Stop, i)
			continue
		}
		s.o.Order.Bill(hours * CreditsPerHour)
	}
	s.until += hours * 3600
}

// exhausted returns when the credits run out, or the next hour is to be paid.
func (s *Scheduler) exhausted(now float64) float64 {
	if s.running == 0 {
		return math.Inf(1)
	}
	if s.o.Billing == BySecond {
		return now + s.o.Order.Left()/CreditsPerHour*3600/float64(s.running)
	}
	return s.until
}

// Idle says that a worker found no task, and returns whether it is to be stopped:
// Greedy gives up what it started too many of.
func (s *Scheduler) Idle(id int, now float64) (stop bool) {
	if s.o.Strategy.HowMany.Amount != Greedy || id < 0 || id >= len(s.workers) || s.workers[id].stopped {
		return false
	}
	s.Ended(id, now)
	return true
}

// Ended says that a worker stopped by itself, or never came up.
func (s *Scheduler) Ended(id int, now float64) {
	if id < 0 || id >= len(s.workers) || s.workers[id].stopped {
		return
	}
	now = max(now, s.now)
	s.stop(id)
	if s.o.Billing == BySecond {
		credits := (now - s.until) * CreditsPerHour / 3600
		s.unpaid += max(0, credits-s.o.Order.Bill(credits)) / CreditsPerHour * 3600
		s.workers[id].until = now
	}
}

func (s *Scheduler) stop(id int) {
	s.workers[id] = worker{s.until, true}
	s.running--
}

func (s *Scheduler) stopAll(d *Decision) {
	d.Stop = slices.Grow(d.Stop, s.running)
	for i := range s.workers {
		if !s.workers[i].stopped {
			s.stop(i)
			d.Stop = append(d.Stop, i)
		}
	}
}

// Running returns how many workers run.
func (s *Scheduler) Running() int { return s.running }

// Started returns when the workers were started, and how many; ok is false before.
func (s *Scheduler) Started() (at float64, workers int, ok bool) {
	return s.startAt, len(s.workers), s.started
}

// Billed returns the time that workers were billed for, in seconds: Spent of the
// order is CreditsPerHour/3600 times it.
func (s *Scheduler) Billed() float64 {
	sum := -s.unpaid
	for _, w := range s.workers {
		if !w.stopped {
			w.until = s.until
		}
		sum += w.until - s.startAt
	}
	return sum
}
