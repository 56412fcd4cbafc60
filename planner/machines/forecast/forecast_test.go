package forecast_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
)

const monday = 1767571200 // 2026-01-05, unix seconds

// fleet hands the records of twelve machines, in two sites, to a learning that has them
// not: days from a first one on. Machine i fails with a chance of 0.2 % and more in a step of 5 min.
func fleet(t *testing.T, l *forecast.Learning, first, days int) {
	t.Helper()
	for i := range 12 {
		name := []string{"a/", "b/"}[i%2] + string(rune('a'+i))
		if l.Has(name) {
			continue
		}
		r := l.Labelling().NewRecorder(name)
		draw := rand.New(rand.NewPCG(7, uint64(i)))
		for d := range 40 {
			for s := 0; s < 288; {
				up := min(288-s, 1+int(-math.Log(1-draw.Float64())/(0.002*float64(1+i))))
				down := min(288-s-up, 2)
				if d >= first && d < first+days {
					at := float64(monday + 86400*d + 300*s)
					if err := r.AddSpell(at, at+300*float64(up), true, 300); err != nil {
						t.Fatal(err)
					}
					if down > 0 {
						if err := r.AddSpell(at+300*float64(up), at+300*float64(up+down), false, 300); err != nil {
							t.Fatal(err)
						}
					}
				}
				s += up + down
			}
		}
		if err := l.Add(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
}

func fitted(t *testing.T, group func(string) string, before *forecast.Fleet, first, days int) *forecast.Fleet {
	t.Helper()
	l, err := forecast.NewLearning(machines.Labelling{}, group, before)
	if err != nil {
		t.Fatal(err)
	}
	fleet(t, l, first, days)
	f, err := l.Fleet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// twentyDays are fitted once: no test changes what a copy of them holds.
func twentyDays(t *testing.T) *forecast.Fleet {
	t.Helper()
	ofTwentyDays.Do(func() { ofTwentyDays.fleet = fitted(t, nil, nil, 0, 20) })
	if ofTwentyDays.fleet == nil {
		t.Fatal("the twenty days were not fitted")
	}
	f := *ofTwentyDays.fleet
	return &f
}

var ofTwentyDays struct {
	sync.Once
	fleet *forecast.Fleet
}

func site(machine string) string { return machine[:1] }

var nine = machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 2 * 3600}

// A machine that fails ever more often has ever less chance, within its band; one
// that nobody knows that of the fleet; and a file says what the fleet said.
func TestAsk(t *testing.T) {
	f := twentyDays(t)
	a, err := forecast.Ask(context.Background(), &forecast.Question{Fleet: f, DayWindow: nine, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Machines) != 12 || a.Choice != a.Machines[0].Name || a.Horizon != 24 || a.Step != 300 || a.Date != "2026-01-26" || a.Explanation == nil {
		t.Fatalf("%+v", a)
	}
	// Hazards of 0.002(1 + i) a step, 24 steps: within a few hundredths.
	for _, m := range a.Machines {
		want := math.Exp(-24 * 0.002 * float64(1+m.Name[2]-'a'))
		if math.Abs(m.Reliability-want) > 0.12 || *m.Low > m.Reliability || *m.High < m.Reliability || m.Exposure < 15*86400 {
			t.Errorf("%+v, want about %.3f", m, want)
		}
	}
	var file bytes.Buffer
	if err := json.NewEncoder(&file).Encode(f); err != nil {
		t.Fatal(err)
	}
	kept, err := forecast.ReadFleet(context.Background(), "f.json", bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	b, err := forecast.Ask(context.Background(), &forecast.Question{Fleet: kept, DayWindow: nine, Explain: true})
	if err != nil || !reflect.DeepEqual(a.Machines, b.Machines) {
		t.Errorf("from the file: %+v, %v", b, err)
	}
	x, err := forecast.Ask(context.Background(), &forecast.Question{Fleet: kept, DayWindow: nine, Host: "new"})
	if err != nil || x.Reliability != x.Typical || x.Machines[0].Known || !strings.Contains(strings.Join(x.Warnings, "\n"), `no record of "new"`) {
		t.Errorf("a machine that is not known: %+v, %v", x, err)
	}
}

// Days that are added come to what all days come to, and a day that counted is
// refused.
func TestAddDays(t *testing.T) {
	want := fitted(t, site, nil, 0, 20)
	got := fitted(t, site, fitted(t, site, nil, 0, 12), 12, 8)
	if got.End != want.End || len(got.Records) != len(want.Records) {
		t.Fatalf("%v, want %v", got.End, want.End)
	}
	for i, m := range got.Hazard.Machines {
		// At the seam the age is not known, and a stay is cut in two.
		numtest.Close(t, "failures", m.Failures, want.Hazard.Machines[i].Failures, 1e-12)
		numtest.Close(t, "frailty", m.Frailty, want.Hazard.Machines[i].Frailty, 0.05)
	}
	l, err := forecast.NewLearning(machines.Labelling{}, nil, got)
	if err != nil {
		t.Fatal(err)
	}
	r := l.Labelling().NewRecorder("a/a")
	if err := r.AddSpell(monday+86400, monday+2*86400, true, 300); err != nil {
		t.Fatal(err)
	}
	var input *ask.InputError
	if err := l.Add(context.Background(), r); !errors.As(err, &input) || input.Field != "trace" {
		t.Errorf("a day that counted: %v", err)
	}
}

// Without groups the law is the product over machines; with them the mean is the
// same, and the ends have more.
func TestJoint(t *testing.T) {
	for _, group := range []func(string) string{nil, site} {
		f := fitted(t, group, nil, 0, 3)
		a, err := forecast.Joint(context.Background(), &forecast.JointQuestion{Fleet: f, DayWindow: nine, Least: 2, Hosts: []string{"a/a", "a/c", "a/e"}})
		if err != nil {
			t.Fatal(err)
		}
		p := make([]float64, 3)
		total, mean := 0.0, 0.0
		for i, m := range a.Machines {
			p[i] = m.Reliability
			mean += p[i]
			if m.Exposure < 2*86400 || m.Exposure > 3*86400 {
				t.Errorf("%s was seen free for %v s of three days", m.Name, m.Exposure)
			}
		}
		for n, v := range a.Law {
			total += v
			mean -= float64(n) * v
		}
		numtest.Close(t, "sum", total, 1, 1e-12)
		if math.Abs(mean) > 1e-9 {
			t.Errorf("mean differs by %v", mean)
		}
		apart := p[0]*p[1]*p[2] + p[0]*p[1]*(1-p[2]) + p[0]*(1-p[1])*p[2] + (1-p[0])*p[1]*p[2]
		numtest.Close(t, "apart", a.Apart, apart, 1e-12)
		if group == nil {
			numtest.Close(t, "at least two", a.Chance, apart, 1e-12)
		} else if all := p[0] * p[1] * p[2]; a.Law[3] <= all || a.Groups != 1 {
			t.Errorf("all three with %v, want above %v; %d groups", a.Law[3], all, a.Groups)
		}
	}
}

func TestErrors(t *testing.T) {
	f := fitted(t, nil, nil, 0, 2)
	for field, edit := range map[string]func(*forecast.Question){
		"fleet":   func(q *forecast.Question) { q.Fleet = nil },
		"day":     func(q *forecast.Question) { q.Day = "sunday" },
		"window":  func(q *forecast.Question) { q.Window = 10 },
		"elapsed": func(q *forecast.Question) { q.Elapsed = ask.Figure(-1) },
		"level":   func(q *forecast.Question) { q.Level = 2 },
	} {
		q := &forecast.Question{Fleet: f, DayWindow: nine}
		edit(q)
		_, err := forecast.Ask(context.Background(), q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for field, q := range map[string]*forecast.JointQuestion{
		"least": {Fleet: f, DayWindow: nine, Least: 13},
		"hosts": {Fleet: f, DayWindow: nine, Hosts: []string{"a/a", "a/a"}},
		"fleet": {DayWindow: nine},
	} {
		_, err := forecast.Joint(context.Background(), q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, text := range []string{"", "{", `{"model":"smp"}`, "{\n\"modle\": 1}", `{"model":"frailty","hazard":{"period_s":-1}}`} {
		_, err := forecast.ReadFleet(context.Background(), "f.json", strings.NewReader(text))
		var file *machines.FileError
		if !errors.As(err, &file) || file.File != "f.json" || file.Line < 1 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Twenty days from a Monday on end where a Sunday begins: the next day of the weekend is that
// Sunday, and not the Saturday after it. A record that ends within a day leaves none of it.
func TestNextDayOfAKind(t *testing.T) {
	f := twentyDays(t)
	for _, c := range []struct {
		day, want string
		more      float64
	}{
		{"weekend", "2026-01-25", 0},
		{"weekday", "2026-01-26", 0},
		{"weekend", "2026-01-31", 300},
		{"weekend", "2026-01-25", -300},
	} {
		g := *f
		g.End += c.more
		w := machines.DayWindow{Day: c.day, Start: nine.Start, Window: nine.Window}
		a, err := forecast.Ask(context.Background(), &forecast.Question{Fleet: &g, DayWindow: w})
		if err != nil {
			t.Fatal(err)
		}
		if a.Date != c.want {
			t.Errorf("%s after %+g s: %s, want %s", c.day, c.more, a.Date, c.want)
		}
	}
}
