package spequlos

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

// bag returns the progress of a bag whose tasks were all assigned at once and
// completed at these times.
func bag(t *testing.T, size int, times ...float64) *Progress {
	t.Helper()
	p, err := NewProgress(size)
	if err != nil {
		t.Fatal(err)
	}
	for range size {
		if err := p.Assign(0); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range times {
		if err := p.Complete(at); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func order(t *testing.T, credits float64) *Order {
	t.Helper()
	var b Bank
	if err := b.Deposit("u", credits); err != nil {
		t.Fatal(err)
	}
	o, err := b.Order("u", credits)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestStrategyNames(t *testing.T) {
	if n := len(Strategies()); n != 18 {
		t.Errorf("%d strategies, want 3 × 2 × 3", n)
	}
	for _, s := range Strategies() {
		if got, err := ParseStrategy(s.String()); err != nil || got != s {
			t.Errorf("%v: read as %v, %v", s, got, err)
		}
	}
	got, err := ParseStrategy("95a-20-d")
	want := Strategy{When{Assigned, 0.95}, HowMany{Exactly, 20}, Duplicate}
	if err != nil || got != want || got.String() != "95A-20-D" {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for text, part := range map[string]string{
		"9C-C-X": "X", "9B-C-R": "9B", "9C-Q-R": "Q", "0C-C-R": "0C", "C-C-R": "C", "9C-0-R": "0", "9C": "9C", "": "", "9C-C-R-R": "9C-C-R-R",
	} {
		_, err := ParseStrategy(text)
		var s *StrategyError
		if !errors.As(err, &s) || s.Part != part {
			t.Errorf("%q: error %v, want of part %q", text, err, part)
		}
	}
	if _, err := ParseStrategy("9C-C-X"); !strings.Contains(err.Error(), "did you mean 9C-C-") {
		t.Errorf("no suggestion: %v", err)
	}
}

func TestStarts(t *testing.T) {
	strategy := func(text string) Strategy {
		s, err := ParseStrategy(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	nine := bag(t, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	eight := bag(t, 10, 1, 2, 3, 4, 5, 6, 7, 8)
	if c := strategy("9C-G-F"); !c.Starts(nine) || c.Starts(eight) {
		t.Error("9C starts at another count than 9 of 10")
	}
	if a := strategy("9A-G-F"); !a.Starts(bag(t, 10)) {
		t.Error("9A does not start with all assigned")
	}
	// All assigned at 0: the variance of the k-th is its completion, 5 at most over
	// the first half, so that 10 doubles it.
	if d := strategy("D-G-F"); d.Starts(bag(t, 10, 1, 2, 3, 4, 5, 9.9)) || !d.Starts(bag(t, 10, 1, 2, 3, 4, 5, 10)) || d.Starts(bag(t, 10, 1, 2, 3, 4, 5)) {
		t.Error("D starts elsewhere than at a doubled variance beyond the half")
	}
	// 9 of 10 done at 9 h: the last takes 1 h more at that rate. 5 hours are 5
	// workers for 1 h; of a bag whose rest takes 10 h, half a worker.
	hours := func(h ...float64) []float64 {
		for i := range h {
			h[i] *= 3600
		}
		return h
	}
	p := bag(t, 10, hours(1, 2, 3, 4, 5, 6, 7, 8, 9)...)
	for text, want := range map[string]int{"9C-G-F": 5, "9C-C-F": 5, "9C-7-F": 7} {
		if got := strategy(text).Workers(p, 9*3600, 5.9); got != want {
			t.Errorf("%s starts %d workers, want %d", text, got, want)
		}
	}
	if got := strategy("9C-C-F").Workers(bag(t, 10, hours(4, 8, 12, 16, 20, 24, 28, 32, 36)...), 36*3600, 9); got != 2 { // 9 h over 4 h
		t.Errorf("conservative starts %d workers, want 2", got)
	}
	if got := strategy("9C-C-F").Workers(bag(t, 10, hours(9, 18, 27, 36, 45, 54, 63, 72, 81)...), 81*3600, 3); got != 1 {
		t.Errorf("conservative starts %d workers, want at least 1", got)
	}
	if got := strategy("9C-G-F").Workers(p, 9*3600, 0); got != 0 {
		t.Errorf("%d workers for nothing", got)
	}
}

func TestTailSlowdown(t *testing.T) {
	p := bag(t, 10, 10, 20, 30, 40, 50, 60, 70, 80, 90, 200)
	s, ok := p.TailSlowdown()
	if !ok {
		t.Fatal("no slowdown")
	}
	numtest.Close(t, "slowdown", s, 2, 1e-12) // 200 over 90/0.9
}

func TestProgressRefuses(t *testing.T) {
	p := bag(t, 2, 5)
	for name, err := range map[string]error{
		"before the last": p.Complete(4),
		"a third":         p.Assign(9),
	} {
		if !errors.Is(err, ErrOrder) {
			t.Errorf("%s: %v", name, err)
		}
	}
	q, _ := NewProgress(3)
	if err := q.Complete(1); !errors.Is(err, ErrOrder) {
		t.Errorf("completed before it was assigned: %v", err)
	}
	var d *DomainError
	if err := q.Assign(math.NaN()); !errors.As(err, &d) {
		t.Errorf("at NaN: %v", err)
	}
	if _, err := NewProgress(0); !errors.As(err, &d) {
		t.Errorf("no tasks: %v", err)
	}
}

// The paper's own example, 200 nodes a day, is 6000 credits; a top-up gives only
// what is missing.
func TestBank(t *testing.T) {
	var b Bank
	if d, err := b.TopUp("u", 6000); d != 6000 || err != nil {
		t.Errorf("top-up of an empty account %v, %v", d, err)
	}
	o, err := b.Order("u", 2500)
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := b.TopUp("u", 6000); d != 2500 {
		t.Errorf("top-up %v, want 6000 − 3500", d)
	}
	if d, _ := b.TopUp("u", 100); d != 0 || b.Balance("u") != 6000 {
		t.Errorf("top-up to less than there is: %v, balance %v", d, b.Balance("u"))
	}
	if paid := o.Bill(400); paid != 400 || o.Left() != 2100 {
		t.Errorf("paid %v, left %v", paid, o.Left())
	}
	if back := o.Close(); back != 2100 || b.Balance("u") != 8100 || o.Close() != 0 || o.Bill(1) != 0 {
		t.Errorf("back %v, balance %v", back, b.Balance("u"))
	}
	if _, err := b.Order("u", 8101); !errors.Is(err, ErrCredits) {
		t.Errorf("more than there is: %v", err)
	}
	var d *DomainError
	if err := b.Deposit("u", -1); !errors.As(err, &d) {
		t.Errorf("deposit of −1: %v", err)
	}
	if _, err := b.Order("u", -1); !errors.As(err, &d) {
		t.Errorf("order of −1: %v", err)
	}
}

// Whatever happens, what is spent is what was billed and never above the order.
func TestSchedulerConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 40).Draw(t, "size")
		p, _ := NewProgress(size)
		credits := rapid.Float64Range(0, 60).Draw(t, "credits")
		var b Bank
		_ = b.Deposit("u", credits)
		o, _ := b.Order("u", credits)
		all := append(Strategies(), Strategy{When{Completed, 0.3}, HowMany{Exactly, 7}, Flat})
		s, err := NewScheduler(p, Options{
			Strategy: rapid.SampledFrom(all).Draw(t, "strategy"),
			Order:    o,
			Billing:  rapid.SampledFrom([]Billing{BySecond, ByHour}).Draw(t, "billing"),
		})
		if err != nil {
			t.Fatal(err)
		}
		now, started, running := 0.0, 0, map[int]bool{}
		for range 400 {
			d := s.Tick(now)
			for range d.Start {
				running[started] = true
				started++
			}
			for _, id := range d.Stop {
				if !running[id] {
					t.Fatalf("worker %d stopped, which does not run", id)
				}
				delete(running, id)
			}
			if len(running) != s.Running() {
				t.Fatalf("%d run, the scheduler says %d", len(running), s.Running())
			}
			if d.Next <= now {
				t.Fatalf("at %v asked to come again at %v", now, d.Next)
			}
			if o.Spent() > o.Limit() || math.Abs(o.Spent()-s.Billed()*CreditsPerHour/3600) > 1e-6 {
				t.Fatalf("spent %v of %v, billed %v s", o.Spent(), o.Limit(), s.Billed())
			}
			if math.IsInf(d.Next, 1) {
				if p.Done() && len(running) > 0 {
					t.Fatal("workers run after the end")
				}
				break
			}
			now = d.Next
			if rapid.Bool().Draw(t, "assigned") && p.Waiting() > 0 {
				_ = p.Assign(now)
			}
			if rapid.Bool().Draw(t, "completed") && p.Completed() < p.Assigned() {
				_ = p.Complete(now)
			}
			for id := range started {
				if running[id] && rapid.IntRange(0, 9).Draw(t, "idle") == 0 && s.Idle(id, now) {
					delete(running, id)
				}
			}
		}
	})
}

// 30 credits are 2 hours: two workers run for one, each paid by the second; paid by
// the hour they stop then too, and one that ends early is paid for its hour.
func TestSchedulerStopsWithItsCredits(t *testing.T) {
	for _, billing := range []Billing{BySecond, ByHour} {
		p := bag(t, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9)
		strategy, _ := ParseStrategy("9C-2-R")
		s, err := NewScheduler(p, Options{Strategy: strategy, Order: order(t, 30), Billing: billing})
		if err != nil {
			t.Fatal(err)
		}
		now, starts := 60.0, 0
		d := s.Tick(now)
		for !math.IsInf(d.Next, 1) {
			starts += d.Start
			now = d.Next
			d = s.Tick(now)
		}
		if starts != 2 || len(d.Stop) != 2 || math.Abs(now-3660) > 1e-6 {
			t.Errorf("billing %v: %d started, %v stopped at %v", billing, starts, d.Stop, now)
		}
		numtest.Close(t, "spent", s.o.Order.Spent(), 30, 1e-9)
		numtest.Close(t, "billed", s.Billed(), 7200, 1e-9)
	}
	p := bag(t, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	strategy, _ := ParseStrategy("9C-G-R")
	s, err := NewScheduler(p, Options{Strategy: strategy, Order: order(t, 45), Billing: ByHour})
	if err != nil {
		t.Fatal(err)
	}
	if d := s.Tick(60); d.Start != 3 {
		t.Fatalf("%d started, want 3", d.Start)
	}
	if !s.Idle(1, 70) || s.Running() != 2 {
		t.Error("greedy keeps a worker without a task")
	}
	numtest.Close(t, "spent", s.o.Order.Spent(), 45, 1e-12)
}

// α is the weighted median: of the ratios 1, 2 and 4 with weights 10, 10 and 15 it
// is 2, where the sum of differences is least by trying all.
func TestPredict(t *testing.T) {
	var a Archive
	for _, r := range []PastRun{{10, []float64{5, 10}}, {20, []float64{5, 20}}, {60, []float64{7.5, 60}}} {
		if err := a.Add("e", r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := a.Predict("e", 0.5, 100)
	if err != nil {
		t.Fatal(err)
	}
	best, least := 0.0, math.Inf(1)
	for alpha := 0.5; alpha < 6; alpha += 0.001 {
		if sum := math.Abs(10*alpha-10) + math.Abs(10*alpha-20) + math.Abs(15*alpha-60); sum < least {
			best, least = alpha, sum
		}
	}
	numtest.Close(t, "alpha", got.Alpha, best, 1e-3)
	numtest.Close(t, "time", got.Time, 400, 1e-12)
	numtest.Close(t, "success", got.Success, 1.0/3, 1e-12)
	if none, err := a.Predict("other", 0.5, 100); err != nil || none.Alpha != 1 || none.Time != 200 || !math.IsNaN(none.Success) {
		t.Errorf("without history: %+v, %v", none, err)
	}
	for _, r := range []PastRun{{}, {math.NaN(), []float64{1}}, {9, []float64{5, 4}}} {
		if err := a.Add("e", r); err == nil {
			t.Errorf("%v is kept", r)
		}
	}
	done := bag(t, 4, 1, 2, 3, 8)
	r, err := done.Past()
	if err != nil || r.Total != 8 || len(r.Times) != 4 || r.at(0.5) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := bag(t, 4, 1).Past(); !errors.Is(err, ErrHistory) {
		t.Errorf("a bag that is not done: %v", err)
	}
}

// A look at which nothing has happened since the one before decides nothing, so that looking only
// when something may have happened starts and stops the same workers at the same times.
func TestLooksWithoutNews(t *testing.T) {
	type decision struct {
		at    float64
		start int
		stop  []int
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 20).Draw(t, "size")
		gaps := rapid.SliceOfN(rapid.Float64Range(0, 20000), 2*size, 2*size).Draw(t, "gaps")
		credits := rapid.Float64Range(0, 3000).Draw(t, "credits")
		all := append(Strategies(), Strategy{When{Completed, 0.3}, HowMany{Exactly, 7}, Flat})
		strategy := rapid.SampledFrom(all).Draw(t, "strategy")
		billing := rapid.SampledFrom([]Billing{BySecond, ByHour}).Draw(t, "billing")
		// The tasks are all assigned, one after another, and then completed.
		follow := func(next func(s *Scheduler, d Decision, news float64) float64) (made []decision, spent float64) {
			p, _ := NewProgress(size)
			var b Bank
			_ = b.Deposit("u", credits)
			o, _ := b.Order("u", credits)
			s, err := NewScheduler(p, Options{Strategy: strategy, Order: o, Billing: billing})
			if err != nil {
				t.Fatal(err)
			}
			look, news := 0.0, 0.0
			for i := 0; i < len(gaps) || !math.IsInf(look, 1) && look < news+1e6; {
				if i < len(gaps) && news+gaps[i] <= look {
					news += gaps[i]
					if i < size {
						_ = p.Assign(news)
					} else {
						_ = p.Complete(news)
					}
					i++
					continue
				}
				d := s.Tick(look)
				if d.Start > 0 || len(d.Stop) > 0 {
					made = append(made, decision{look, d.Start, d.Stop})
				}
				if i == len(gaps) {
					look = next(s, d, math.Inf(1))
				} else {
					look = next(s, d, news+gaps[i])
				}
			}
			return made, o.Spent()
		}
		want, cost := follow(func(_ *Scheduler, d Decision, _ float64) float64 { return d.Next })
		made, spent := follow(func(s *Scheduler, _ Decision, news float64) float64 { return s.After(news) })
		// Credits run out when they do by what was billed each minute or at once, which round differently.
		same := slices.EqualFunc(made, want, func(a, b decision) bool {
			return math.Abs(a.at-b.at) < instant && a.start == b.start && slices.Equal(a.stop, b.stop)
		})
		if !same || math.Abs(spent-cost) > 1e-6 {
			t.Fatalf("each minute: %v for %v credits; when there is news: %v for %v", want, cost, made, spent)
		}
	})
}
