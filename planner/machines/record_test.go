package machines

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// The grid by definition, moment by moment: a step is S5 if the machine was
// down at any quarter of a step in it, S1 if it was up in all of them, else
// unknown. Spells have ends at quarters of a step.
func TestSpellsOnGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		const d, span = 60.0, 400
		state := make([]byte, span) // of each quarter: 0 unknown, 1 up, 2 down
		h := &Trace{Name: "h"}
		for at := rng.IntN(9); at < span-20; {
			length := 1 + rng.IntN(18)
			up := rng.IntN(2) == 0
			begin, end := float64(at)*d/4, float64(at+length)*d/4
			if m := len(h.Spells) - 1; m >= 0 && h.Spells[m].Up == up && h.Spells[m].End == begin {
				h.Spells[m].End = end
			} else {
				h.Spells = append(h.Spells, Spell{begin, end, up})
			}
			for q := at; q < at+length; q++ {
				state[q] = 2
				if up {
					state[q] = 1
				}
			}
			at += length
			if rng.IntN(5) == 0 {
				at += rng.IntN(11)
			}
		}
		period := d
		l := &Labelling{Period: &period}
		out, err := l.Label(h)
		if err != nil {
			t.Fatal(err)
		}
		for k := range span / 4 {
			want := "up"
			for _, q := range state[4*k : 4*k+4] {
				if q == 2 {
					want = "down"
				}
				if q == 0 && want == "up" {
					want = "unknown"
				}
			}
			got := "unknown"
			if s, ok := out.History.At(int64(k)); ok {
				got = map[int]string{smp.S1: "up", smp.S5: "down"}[s.State]
			}
			if got != want {
				t.Fatalf("step %d is %s, want %s: %v", k, got, want, h.Spells)
			}
		}
	}
}

// A failure of no length still is one.
func TestSpellOfNoLength(t *testing.T) {
	period := 60.0
	l := &Labelling{Period: &period}
	out, err := l.Label(&Trace{Spells: []Spell{{0, 130, true}, {130, 130, false}, {130, 600, true}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []smp.Run{{State: smp.S1, First: 0, Steps: 2}, {State: smp.S5, First: 2, Steps: 1}, {State: smp.S1, First: 3, Steps: 7}}
	if !reflect.DeepEqual(out.History.Runs, want) {
		t.Errorf("%v, want %v", out.History.Runs, want)
	}
}

// A long record, whose period is decided before its end, is labelled as smp
// labels it whole.
func TestRecorderStreams(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	h := &Trace{Name: "h"}
	now := 0.0
	for range 24 * periodFrom {
		now += 6
		if rng.IntN(200) == 0 {
			now += 6 * float64(rng.IntN(40))
		}
		h.Samples = append(h.Samples, smp.Sample{Time: now, Load: rng.Float64(), FreeMemory: math.NaN()})
	}
	l := &Labelling{}
	got, err := l.Label(h)
	if err != nil {
		t.Fatal(err)
	}
	want, counts, err := smp.Label(got.Thresholds, h.Samples)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.History, want) || got.counts != counts || got.Thresholds.Period != 6 {
		t.Errorf("%+v, want %+v", got.counts, counts)
	}
	// A break is unknown, not S5.
	h.Breaks = []int{5000}
	for i := range h.Samples[5000:] {
		h.Samples[5000+i].Time += 86400
	}
	if got, err = l.Label(h); err != nil {
		t.Fatal(err)
	}
	if _, known := got.History.At(got.History.StepAt(got.Moment(int64(h.Samples[4999].Time/6) + 10))); known {
		t.Error("the time of a break is known")
	}
	if got.counts.Gaps != counts.Gaps {
		t.Errorf("%d gaps, want %d", got.counts.Gaps, counts.Gaps)
	}
}

// Periods that change behind the first samples are found too.
func TestRecorderMixedPeriods(t *testing.T) {
	h := &Trace{Name: "h"}
	now := 0.0
	for i := range 2 * periodFrom {
		now += 6
		if i > periodFrom {
			now += 2.5
		}
		h.Samples = append(h.Samples, smp.Sample{Time: now, FreeMemory: math.NaN()})
	}
	_, err := (&Labelling{}).Label(h)
	var input *ask.InputError
	if !errors.As(err, &input) || input.Field != "period" {
		t.Errorf("mixed periods: %v", err)
	}
	period := 6.0
	if _, err := (&Labelling{Period: &period}).Label(h); err != nil {
		t.Errorf("with the period given: %v", err)
	}
	r := (&Labelling{}).NewRecorder("h")
	if err := errors.Join(r.Add(h.Samples[0]), r.AddSpell(0, 1, true, 0)); err == nil {
		t.Error("samples and spells in one record")
	}
	if _, err := (&Labelling{}).NewRecorder("h").Labelled(); fmt.Sprint(err) == "<nil>" {
		t.Error("an empty record has no error")
	}
}

// A record whose samples come every hour after a month of every five minutes
// says nothing of the time between them: it does not make the machine gone.
func TestPeriodThatChanges(t *testing.T) {
	sample := func(at float64) smp.Sample { return smp.Sample{Time: at, Load: 0.1, FreeMemory: math.NaN()} }
	h := &Trace{Name: "h"}
	at := 1704067200.0
	for range 30 * 288 {
		h.Samples = append(h.Samples, sample(at))
		at += 300
	}
	for range 20 {
		h.Samples = append(h.Samples, sample(at))
		at += 3600
	}
	var input *ask.InputError
	if _, err := (&Labelling{}).Label(h); !errors.As(err, &input) || input.Field != "period" {
		t.Errorf("%v, want an error of the period", err)
	}
	period := 3600.0
	if l, err := (&Labelling{Period: &period}).Label(h); err != nil || len(l.History.Runs) != 1 {
		t.Errorf("with the longer period: %v", err)
	}
	// A machine that is off every night is none such.
	h.Samples, at = nil, 1704067200
	for range 40 {
		for range 12 {
			h.Samples = append(h.Samples, sample(at))
			at += 300
		}
		at += 16 * 3600
	}
	if _, err := (&Labelling{}).Label(h); err != nil {
		t.Errorf("off every night: %v", err)
	}
}
