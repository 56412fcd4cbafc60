package spequlos

import (
	"math"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/spell"
)

// A Strategy says when cloud workers are started, how many, and how tasks come to
// them. Its text is that of the paper, such as 9C-C-R.
type Strategy struct {
	When    When
	HowMany HowMany
	How     How
}

// A Trigger is what a start waits for.
type Trigger byte

const (
	Completed Trigger = 'C' // a share of the tasks are done
	Assigned  Trigger = 'A' // a share of the tasks were given to a worker
	Varied    Trigger = 'D' // the execution variance doubled
)

// When says when workers are started.
type When struct {
	Trigger Trigger
	Share   float64 // of the tasks, above 0 and below 1; of Varied 0
}

// An Amount is how the number of workers is chosen.
type Amount byte

const (
	Greedy       Amount = 'G' // one for each hour that the order pays
	Conservative Amount = 'C' // as many as the order pays until the bag should be done
	Exactly      Amount = 'N' // a given number
)

// MostWorkers is the greatest number of cloud workers of a bag.
const MostWorkers = 1000000

// HowMany says how many workers are started.
type HowMany struct {
	Amount  Amount
	Workers int // of Exactly, >= 1
}

// How says how tasks come to the cloud workers.
type How byte

const (
	// Flat workers ask the middleware as all others do.
	Flat How = 'F'
	// Reschedule workers ask the middleware and are served first: with a task
	// that waits, else with a copy of one that runs elsewhere.
	Reschedule How = 'R'
	// Duplicate workers ask a server of their own, to which all tasks that are
	// not done are copied.
	Duplicate How = 'D'
)

// Strategies returns the 18 combinations of the paper, in its order.
func Strategies() []Strategy {
	var all []Strategy
	for _, how := range []How{Flat, Reschedule, Duplicate} {
		for _, when := range []When{{Completed, 0.9}, {Assigned, 0.9}, {Varied, 0}} {
			for _, amount := range []Amount{Greedy, Conservative} {
				all = append(all, Strategy{when, HowMany{Amount: amount}, how})
			}
		}
	}
	return all
}

// String returns the name, such as 9C-C-R: nine tenths completed, conservative,
// reschedule. 95C stands for 95 %, a number in the middle for that many workers.
func (s Strategy) String() string {
	when := string(s.When.Trigger)
	if s.When.Trigger != Varied {
		digits := strings.TrimPrefix(strconv.FormatFloat(s.When.Share, 'f', -1, 64), "0.")
		when = digits + when
	}
	amount := string(s.HowMany.Amount)
	if s.HowMany.Amount == Exactly {
		amount = strconv.Itoa(s.HowMany.Workers)
	}
	return when + "-" + amount + "-" + string(s.How)
}

// mostDigits of a share: a bag of a million tasks can be told by the task.
const mostDigits = 6

// ParseStrategy reads a name as [Strategy.String] writes it; case does not matter.
// The error is a *StrategyError.
func ParseStrategy(text string) (Strategy, error) {
	var s Strategy
	parts := strings.Split(strings.ToUpper(strings.TrimSpace(text)), "-")
	fail := func(part, want string) error {
		var names []string
		for _, s := range Strategies() {
			names = append(names, s.String())
		}
		return &StrategyError{text, part, want, spell.Nearest(strings.ToUpper(text), names)}
	}
	if len(parts) != 3 {
		return s, fail(text,
			"of three parts: when (9C, 9A or D), how many (G, C or a number) and how (F, R or D), such as 9C-C-R")
	}
	switch when := parts[0]; {
	case when == "D":
		s.When = When{Trigger: Varied}
	case strings.HasSuffix(when, "C"), strings.HasSuffix(when, "A"):
		digits := when[:len(when)-1]
		share, err := strconv.ParseFloat("0."+digits, 64)
		if err != nil || len(digits) == 0 || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" || share == 0 {
			return s, fail(when,
				"when to start: 9C (nine tenths completed; 95C is 95%), 9A (assigned) or D (variance doubled)")
		}
		s.When = When{Trigger(when[len(when)-1]), share}
	default:
		return s, fail(when, "when to start: 9C (nine tenths completed), 9A (assigned) or D (variance doubled)")
	}
	switch parts[1] {
	case "G", "C":
		s.HowMany.Amount = Amount(parts[1][0])
	default:
		n, err := strconv.Atoi(parts[1])
		if err != nil || n < 1 || n > MostWorkers {
			return s, fail(parts[1], "how many to start: G (greedy), C (conservative) or a number of workers")
		}
		s.HowMany = HowMany{Exactly, n}
	}
	switch parts[2] {
	case "F", "R", "D":
		s.How = How(parts[2][0])
	default:
		return s, fail(parts[2], "how tasks come to the cloud: F (flat), R (reschedule) or D (duplicate)")
	}
	return s, nil
}

// Starts says whether it is time to start cloud workers:
//
//	Completed, Assigned   so many of the tasks, the share rounded up
//	Varied                k > n/2 and var(k) >= 2 max of var over the first half
//
// with k of n tasks completed.
func (s Strategy) Starts(p *Progress) bool {
	if p == nil || p.size == 0 {
		return false
	}
	switch s.When.Trigger {
	case Completed:
		return p.Completed() >= p.tasks(s.When.Share)
	case Assigned:
		return p.Assigned() >= p.tasks(s.When.Share)
	case Varied:
		k := p.Completed()
		return 2*k > p.size && p.Variance(k) >= 2*p.early
	}
	return false
}

// Workers returns how many workers to start now, if an order pays for S hours of one worker:
//
//	Greedy          ⌊S⌋
//	Conservative    max(1, ⌊min(S/t, S)⌋),  t = (t_c(x)/x − t_c(x)) in hours
//
// where x is the share completed now. It is at least one, but none if S is 0. Before anything is
// completed t is unknown, and Conservative starts one. Source: SpeQuloS section 3.5, with the
// minimum in place of the printed maximum.
func (s Strategy) Workers(p *Progress, now, hours float64) int {
	if !(hours > 0) || p == nil || p.size == 0 {
		return 0
	}
	n := 1.0
	switch s.HowMany.Amount {
	case Exactly:
		return s.HowMany.Workers
	case Greedy:
		n = hours
	case Conservative:
		if x := float64(p.Completed()) / float64(p.size); x > 0 {
			left := max(0, now/x-now) / 3600
			n = min(hours/left, hours)
		}
	}
	return int(min(max(1, math.Floor(n)), MostWorkers))
}
