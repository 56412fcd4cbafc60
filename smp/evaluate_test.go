package smp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// simulatedYear is a host whose days are independent draws of one process,
// ten hours of five minutes from 8:00; the rest of the day is S1.
func simulatedYear(t testing.TB, days int) (*History, time.Time) {
	t.Helper()
	k, err := NewKernel(FiveStates(), []Atom{
		{S1, S2, 10, 0.5}, {S1, S2, 40, 0.3}, {S1, S3, 30, 0.15}, {S1, S5, 70, 0.05},
		{S2, S1, 3, 0.8}, {S2, S1, 12, 0.1}, {S2, S3, 6, 0.1},
		{S3, S1, 4, 1}, {S4, S1, 1, 1}, {S5, S1, 6, 1}})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(51, 52))
	begin := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	h := &History{Period: 300}
	for d := range days {
		at := h.StepAt(begin.AddDate(0, 0, d))
		add := func(r Run) {
			if r.Steps > 0 {
				if err := h.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		add(Run{S1, at, 96})
		s := at + 96
		for _, v := range simulate(rng, k, S1, 120) {
			add(Run{v.State, s, int64(v.Steps)})
			s += int64(v.Steps)
		}
		add(Run{S1, s, at + 288 - s})
	}
	return h, begin.AddDate(0, 0, days)
}

func TestEvaluate(t *testing.T) {
	h, end := simulatedYear(t, 400)
	var scores []*Score
	for _, steps := range []int{12, 36, 120} {
		w := Window{Clock: 8 * time.Hour, Steps: steps}
		days, without, err := h.Days(Calendar{}, w, Weekday, end, 0)
		if err != nil || len(without) != 0 {
			t.Fatal(without, err)
		}
		s, err := Evaluate(context.Background(), FiveStates(), days, w, &EvaluateOptions{Ageless: true})
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, s)
		aged, err := Evaluate(context.Background(), FiveStates(), days, w, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(aged.Predicted-s.Predicted) > 0.1 {
			t.Errorf("%d steps: predicted %.4f with ages, %.4f without", steps, aged.Predicted, s.Predicted)
		}
		// Binomial errors of the observation and of the training half.
		sd := math.Sqrt(2 * s.Empirical * (1 - s.Empirical) / float64(s.TestDays))
		t.Logf("%d steps: predicted %.4f, observed %.4f on %d days (sd %.4f), relative error %.3f", steps, s.Predicted, s.Empirical, s.TestDays, sd, s.RelativeError)
		if math.Abs(s.Predicted-s.Empirical) > 4*sd+0.02 {
			t.Errorf("%d steps: predicted %.4f, observed %.4f", steps, s.Predicted, s.Empirical)
		}
		if !s.Defined || s.TestDays+s.Excluded != 143 || s.TrainDays != 143 {
			t.Errorf("score: %+v", s)
		}
	}
	if sum := Summarize(append(scores, &Score{Steps: 36}, &Score{Steps: 36, Defined: true, RelativeError: 2})); len(sum) != 3 || sum[1].Undefined != 1 || sum[1].Scores != 2 || sum[1].Greatest != 2 {
		t.Errorf("summary: %+v", sum)
	}
	if _, err := Evaluate(context.Background(), FiveStates(), nil, Window{Steps: 3}, nil); !errors.Is(err, ErrNoData) {
		t.Errorf("no days: %v", err)
	}
}

// All test days fail: the relative error is undefined, not infinite.
func TestEvaluateUndefined(t *testing.T) {
	day := Day{Parts: []Sequence{SequenceOf([]int{S1, S1, S3, S3})}, Whole: true}
	s, err := Evaluate(context.Background(), FiveStates(), []Day{day, day, day, day}, Window{Steps: 3}, nil)
	if err != nil || s.Defined || s.RelativeError != 0 || s.Empirical != 0 || s.TestDays != 2 || s.Predicted != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestInjectNoise(t *testing.T) {
	h, end := simulatedYear(t, 40)
	w := Window{Clock: 8 * time.Hour, Steps: 12}
	days, _, err := h.Days(Calendar{}, w, Weekday, end, 0)
	if err != nil {
		t.Fatal(err)
	}
	before := len(h.Runs)
	predict := func(h *History) float64 {
		days, _, err := h.Days(Calendar{}, w, Weekday, end, 0)
		if err != nil {
			t.Fatal(err)
		}
		f, err := EstimateCensored(FiveStates(), Sequences(days))
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Kernel.Reliability(context.Background(), w.Steps, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, d := range days {
			start, _ := d.Parts[0].Start()
			c, err := r.From(context.Background(), start)
			if err != nil {
				t.Fatal(err)
			}
			total += c.Reliability[w.Steps]
		}
		return total / float64(len(days))
	}
	clean := predict(h)
	last := clean
	for _, n := range []int{0, 4, 16} {
		noisy, placed, err := InjectNoise(rand.New(rand.NewPCG(1, 1)), h, Calendar{}, days, Noise{Instances: n, Clock: 8*time.Hour + 30*time.Minute, Spread: 25 * time.Minute})
		if err != nil || placed != n {
			t.Fatalf("placed %d of %d, %v", placed, n, err)
		}
		var steps, was int64
		for i, r := range noisy.Runs {
			steps += r.Steps
			if i > 0 && r.First < noisy.Runs[i-1].End() {
				t.Fatal("runs overlap")
			}
		}
		for _, r := range h.Runs {
			was += r.Steps
		}
		if steps != was {
			t.Errorf("%d steps, before %d", steps, was)
		}
		got := predict(noisy)
		if n == 0 && got != clean || n > 0 && got >= last {
			t.Errorf("%d instances: R = %v, before %v", n, got, last)
		}
		last = got
	}
	if len(h.Runs) != before {
		t.Error("the history was changed")
	}
}

// By hand: n = 1 leaves K = 1; n = 2, p = 1/2 gives K = 1 without error and
// K = 2 with 1/2, at odds 2 to 1; n = 3, p = 1/2: 3/8·|3/2−1| + 3/8·|3/4−1| +
// 1/8·|1/2−1| over 7/8 = 11/28.
func TestExpectedError(t *testing.T) {
	for _, c := range []struct {
		p    float64
		n    int
		want float64
	}{{0.3, 1, 0.7}, {0.5, 2, 1.0 / 6}, {0.5, 3, 11.0 / 28}, {1, 7, 0}, {0, 7, 0}, {0.5, 0, 0}, {1e-300, 3, 1}} {
		got, err := ExpectedError(c.p, c.n)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("ExpectedError(%v, %d) = %v, %v, want %v", c.p, c.n, got, err, c.want)
		}
	}
	// Many days: √(2(1−p)/(πpn)), the mean of |N(0,1)| times the deviation.
	got, _ := ExpectedError(0.6, 20000)
	if want := math.Sqrt(2 * 0.4 / (math.Pi * 0.6 * 20000)); math.Abs(got/want-1) > 1e-3 {
		t.Errorf("20000 days: %v, want %v", got, want)
	}
	if _, err := ExpectedError(1.5, 3); err == nil {
		t.Error("p = 1.5 was taken")
	}
}

// Of four training days one is free, of four test days two: 1/4 for 1/2.
func TestEvaluateShare(t *testing.T) {
	day := func(digits string) Day { return Day{Parts: []Sequence{SequenceOf(path(digits))}, Whole: true} }
	days := []Day{day("1133"), day("1111"), day("1233"), day("1315"), day("1111"), day("1112"), day("1133"), day("1131")}
	s, err := EvaluateShare(FiveStates(), days, Window{Steps: 3}, nil)
	if err != nil || s.Predicted != 0.25 || s.Empirical != 0.5 || s.RelativeError != 0.5 || s.Free != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	// One whole free day, one cut after two samples, one that fails at step 2
	// and one at step 3: 2/3 · 1/2.
	days[0], days[1], days[2], days[3] = day("1111"), Day{Parts: []Sequence{SequenceOf(path("12"))}}, day("1133"), day("1113")
	if s, _ = EvaluateShare(FiveStates(), days, Window{Steps: 3}, nil); math.Abs(s.Predicted-1.0/3) > 1e-15 {
		t.Errorf("with a day in part: %+v", s)
	}
	for i := range 4 {
		days[i] = day("3311") // begin failed: nothing is known
	}
	if s, _ = EvaluateShare(FiveStates(), days, Window{Steps: 3}, nil); s.Predicted != 0.5 {
		t.Errorf("without a training day that begins up: %+v", s)
	}
}

// Without a day to test on nothing is predicted, nor solved: a window of ten million steps takes no time.
func TestEvaluateWithoutTestDays(t *testing.T) {
	day := Day{Parts: []Sequence{SequenceOf([]int{0, 0, 0, 1})}, Known: 1}
	s, err := Evaluate(context.Background(), FiveStates(), []Day{day}, Window{Steps: 10_000_000}, nil)
	if err != nil || s.TrainDays != 1 || s.TestDays != 0 || s.Defined || s.Predicted != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What lies too far from the mean to count is not added up, and is not missed.
func TestExpectedErrorIsThatOfAllShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		n := 1 + rng.IntN(3000)
		p := []float64{rng.Float64(), math.Pow(10, -6*rng.Float64()), 1 - math.Pow(10, -12*rng.Float64())}[rng.IntN(3)]
		all, _ := math.Lgamma(float64(n) + 1)
		var total, chance float64
		for k := n; k > 0; k-- {
			a, _ := math.Lgamma(float64(k) + 1)
			b, _ := math.Lgamma(float64(n-k) + 1)
			w := math.Exp(all - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
			total, chance = total+w*math.Abs(p*float64(n)/float64(k)-1), chance+w
		}
		if got, err := ExpectedError(p, n); err != nil || math.Abs(got-total/chance) > 1e-11*(1+total/chance) {
			t.Errorf("ExpectedError(%v, %d) = %v, %v, want %v", p, n, got, err, total/chance)
		}
	}
}
