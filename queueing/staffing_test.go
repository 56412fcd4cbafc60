package queueing

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

// leastByTrial walks up from nothing: the brute force behind LeastServers.
func leastByTrial(t *testing.T, m Model, o Objective) float64 {
	t.Helper()
	for n := 0.0; n < 1e5; n++ {
		if f, err := m.At(n); err == nil && o.Value(f) <= o.Limit && !(n == 0 && (o.Metric == Utilization || o.Metric == MeanResponse)) {
			return n
		}
	}
	t.Fatalf("no answer for %v", o)
	return 0
}

func TestLeastServersAgainstTrial(t *testing.T) {
	models := []Model{
		Loss{0.7, 1}, Loss{120, 1}, Loss{3, 40},
		MMC{0.2, 1}, MMC{120, 1}, MMC{1, 33.3},
		GGC{10, 2, 0.3, 4}, GGC{10, 2, 0, 0.5},
		ErlangA{100, 1, 1}, ErlangA{5, 3, 60}, ErlangA{0.1, 1, 0.5},
	}
	for _, m := range models {
		objectives := []Objective{{Metric: Utilization, Limit: 0.77}}
		switch m.(type) {
		case Loss:
			objectives = append(objectives, Objective{Metric: Blocking, Limit: 0.01}, Objective{Metric: Blocking, Limit: 0.5}, Objective{Metric: Blocking, Limit: 1e-30})
		default:
			f, _ := m.At(1e5)
			objectives = append(objectives,
				Objective{Metric: WaitProbability, Limit: 0.2},
				Objective{Metric: WaitTail, Limit: 0.05, Wait: 0.3},
				Objective{Metric: MeanWait, Limit: 1e-3},
				Objective{Metric: MeanResponse, Limit: f.ServiceTime * 1.01})
		}
		if _, ok := m.(ErlangA); ok {
			objectives = append(objectives, Objective{Metric: Abandonment, Limit: 0.03}, Objective{Metric: Abandonment, Limit: 0.6001})
		}
		for _, o := range objectives {
			r, err := LeastServers(m, o)
			if err != nil {
				t.Errorf("%+v, %v: %v", m, o, err)
				continue
			}
			if want := leastByTrial(t, m, o); r.Servers != want {
				t.Errorf("%T%+v, %v: %v servers, want %v", m, m, o, r.Servers, want)
			}
			if !(r.Real <= r.Servers && r.Real >= r.Servers-1) {
				t.Errorf("%T%+v, %v: real %v does not belong to %v", m, m, o, r.Real, r.Servers)
			}
			// The real answer sits on the limit.
			if f, err := m.At(r.Real); err == nil && r.Real > 0 {
				numtest.Close(t, "value at the real answer", o.Value(f), o.Limit, 1e-9)
			}
		}
	}
}

// spec/queueing 4: fewer servers than erlangs suffice under abandonment.
func TestAbandonmentBelowLoad(t *testing.T) {
	r, err := LeastServers(ErlangA{5000, 1, 1}, Objective{Metric: Abandonment, Limit: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if r.Servers != 4964 {
		t.Errorf("%v servers, want 4964", r.Servers)
	}
}

func TestLeastServersIsLeastAtScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		load := math.Exp(rapid.Float64Range(-5, math.Log(2e9)).Draw(t, "log load"))
		limit := math.Exp(rapid.Float64Range(-200, -0.01).Draw(t, "log limit"))
		service := math.Exp(rapid.Float64Range(-5, 8).Draw(t, "log service"))
		m := []Model{Loss{load / service, service}, MMC{load / service, service}, ErlangA{load / service, service, service * 3}}
		for i, o := range []Objective{{Metric: Blocking, Limit: limit}, {Metric: WaitTail, Limit: limit, Wait: service / 50}, {Metric: Abandonment, Limit: limit}} {
			r, err := LeastServers(m[i], o)
			if err != nil {
				t.Fatalf("%v: %v", o, err)
			}
			if !o.Met(r.Figures) {
				t.Fatalf("%v: %v servers do not meet it", o, r.Servers)
			}
			if r.Servers > 0 {
				if f, err := m[i].At(r.Servers - 1); err == nil && o.Met(f) {
					t.Fatalf("%v: %v servers are not least", o, r.Servers)
				}
			}
		}
	})
}

// counted counts the evaluations of a model, and ends them all after a number.
type counted struct {
	Model
	at, last *int
}

var errCounted = errors.New("enough")

func (c counted) At(servers float64) (Figures, error) {
	if *c.at++; *c.last > 0 && *c.at > *c.last {
		return Figures{}, errCounted
	}
	return c.Model.At(servers)
}

// The evaluations of a model are bounded wherever the answer lies, and an error of
// the model ends them.
func TestLeastServersEvaluations(t *testing.T) {
	most := 0
	for _, load := range []float64{1e-300, 0.3, 7.5, 1e4, 9e11} {
		for _, service := range []float64{1e-3, 1e6} {
			for _, m := range []Model{
				Loss{load / service, service}, MMC{load / service, service}, MMCK{load / service, service, 5},
				ErlangA{load / service, service, service * 1e3}, ErlangA{load / service, service, service * 1e-3},
				GGC{load / service, service, 0, 2}, GGC{load / service, service, 4, 4},
			} {
				for _, limit := range []float64{1e-300, 1e-3, 0.999999} {
					for _, metric := range []Metric{Blocking, WaitProbability, WaitTail, MeanWait, MeanResponse, Utilization, Abandonment, LateShare} {
						at, last := 0, 0
						o := Objective{Metric: metric, Limit: limit}
						if metric == WaitTail || metric == LateShare {
							o.Wait = service * math.Sqrt(limit)
						}
						_, _ = LeastServers(counted{m, &at, &last}, o)
						if most = max(most, at); at > 120 {
							t.Errorf("%T, %v erl of %v s, %v: %d evaluations", m, load, service, o, at)
						}
					}
				}
			}
		}
	}
	t.Log("most evaluations:", most)
	for _, last := range []int{1, 2, 4, 6} {
		at := 0
		if _, err := LeastServers(counted{MMC{120, 1}, &at, &last}, Objective{Metric: MeanWait, Limit: 1e-3}); !errors.Is(err, errCounted) || at > last+1 {
			t.Errorf("%v after %d evaluations of %d", err, at, last)
		}
	}
}

func TestErlangBLoadInvertsErlangB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Exp(rapid.Float64Range(-3, 20).Draw(t, "log servers"))
		p := math.Exp(rapid.Float64Range(-100, -0.001).Draw(t, "log blocking"))
		a, err := ErlangBLoad(n, p)
		if err != nil {
			t.Fatal(err)
		}
		if a == 0 {
			return // the load would be below the range of float64
		}
		b, err := LogErlangB(n, a)
		if err != nil {
			t.Fatal(err)
		}
		if !(b <= math.Log(p)) || math.Abs(b-math.Log(p)) > 1e-9*math.Max(1, n*1e-4) {
			t.Fatalf("ln B(%v, %v) = %v, want at most and close to %v", n, a, b, math.Log(p))
		}
	})
}

// Erlang's own table, as printed in any book on teletraffic: the load that n
// lines take at a given loss.
func TestErlangBLoadTable(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/erlangtable.csv") {
		got, err := ErlangBLoad(r.Float("lines"), r.Float("blocking"))
		if err != nil {
			t.Fatal(err)
		}
		if want := r.Float("load_erl"); math.Abs(got-want) > r.Float("half_digit") {
			t.Errorf("line %d: load %v, printed %v", r.Line, got, want)
		}
	}
}

func TestGreatestInvertsLeastServers(t *testing.T) {
	o := Objective{Metric: WaitTail, Limit: 0.2, Wait: 20}
	rate, err := Greatest(o, 100/180.0, func(rate float64) (Figures, error) { return MMC{rate, 180}.At(100) })
	if err != nil {
		t.Fatal(err)
	}
	r, err := LeastServers(MMC{rate, 180}, o)
	if err != nil || r.Servers != 100 {
		t.Errorf("at the greatest rate %v: %v servers, %v; want 100", rate, r.Servers, err)
	}
	r, err = LeastServers(MMC{rate * (1 + 1e-9), 180}, o)
	if err != nil || r.Servers != 101 {
		t.Errorf("just above it: %v servers, %v; want 101", r.Servers, err)
	}
}

func TestInfeasible(t *testing.T) {
	for _, c := range []struct {
		m Model
		o Objective
	}{
		{Loss{1, 1}, Objective{Metric: Blocking, Limit: 0}},
		{MMC{1, 1}, Objective{Metric: MeanWait, Limit: 0}},
		{MMC{1, 2}, Objective{Metric: MeanResponse, Limit: 2}},
		{MMC{1, 2}, Objective{Metric: MeanResponse, Limit: 1}},
		{ErlangA{1, 2, 3}, Objective{Metric: Abandonment, Limit: 0}},
		{MMC{1, 2}, Objective{Metric: Utilization, Limit: 0}},
	} {
		if _, err := LeastServers(c.m, c.o); !errors.Is(err, ErrInfeasible) {
			t.Errorf("%v: error %v, want infeasible", c.o, err)
		}
	}
	_, err := Greatest(Objective{Metric: MeanResponse, Limit: 1}, 10, func(x float64) (Figures, error) { return MMC{x, 2}.At(20) })
	if !errors.Is(err, ErrInfeasible) {
		t.Errorf("mean response below the service time: %v, want infeasible", err)
	}
}

func TestDomainErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, bad := range []float64{-1, nan, inf, -inf, 1e13} {
		var d *DomainError
		if _, err := ErlangB(bad, 1); !errors.As(err, &d) || d.Arg != "servers" {
			t.Errorf("ErlangB(%v, 1): %v", bad, err)
		}
		if _, err := ErlangB(1, bad); !errors.As(err, &d) || d.Arg != "load" {
			t.Errorf("ErlangB(1, %v): %v", bad, err)
		}
		if _, err := (ErlangA{1, 1, bad * 1e7}).At(3); !errors.As(err, &d) || d.Arg != "patience" {
			t.Errorf("ErlangA patience %v: %v", bad, err)
		}
		if _, err := LeastServers(MMC{bad, 1}, Objective{Metric: MeanWait, Limit: 1}); !errors.As(err, &d) {
			t.Errorf("MMC rate %v: %v", bad, err)
		}
	}
	if _, err := ErlangC(5, 5); !errors.Is(err, ErrUnstable) {
		t.Errorf("ErlangC(5, 5): %v, want unstable", err)
	}
	if _, err := (GGC{1, 1, -1, 1}).At(3); err == nil {
		t.Error("negative SCV accepted")
	}
}

// A guess changes the work and not the answer.
func TestLeastNear(t *testing.T) {
	for _, load := range []float64{0, 0.3, 7, 120.5, 8000} {
		for _, o := range []Objective{{Metric: Blocking, Limit: 0.01}, {Metric: MeanWait, Limit: 0.2}} {
			var m Model = Loss{ArrivalRate: load / 2, ServiceTime: 2}
			if o.Metric == MeanWait {
				m = MMC{ArrivalRate: load / 2, ServiceTime: 2}
			}
			for _, others := range []float64{0, 2.5} {
				want, err := LeastBeside(m, o, others)
				if err != nil {
					t.Fatal(err)
				}
				for _, guess := range []float64{0, want.Servers, want.Servers + 0.5, want.Servers + 100, 1e6} {
					got, err := LeastNear(m, o, others, guess)
					if err != nil || got.Servers != want.Servers || got.Figures != want.Figures {
						t.Errorf("%+v %+v beside %v, guess %v: %v servers, want %v; %v", m, o, others, guess, got.Servers, want.Servers, err)
					}
				}
			}
		}
	}
	if _, err := LeastNear(MMC{ArrivalRate: 1, ServiceTime: 1}, Objective{Metric: MeanWait, Limit: 1}, 0, math.Inf(1)); err == nil {
		t.Error("an infinite guess is taken")
	}
}

// lossAlone is a loss system of another package, which has no way to give the
// logarithm of its blocking.
type lossAlone struct{ Loss }

func (l lossAlone) At(servers float64) (Figures, error) {
	f, err := l.Loss.At(servers)
	return Figures{Servers: f.Servers, ArrivalRate: f.ArrivalRate, OfferedLoad: f.OfferedLoad, Blocking: f.Blocking}, err
}

func TestLeastServersOfAModelFromElsewhere(t *testing.T) {
	r, err := LeastServers(lossAlone{Loss{120, 1}}, Objective{Metric: Blocking, Limit: 0.01})
	if err != nil || r.Servers != 138 {
		t.Errorf("%v servers, %v, want 138", r.Servers, err)
	}
}

// A field that is outside is named, not the load or the servers that follow from it.
func TestLeastServersNamesTheField(t *testing.T) {
	o := Objective{Metric: MeanWait, Limit: 0.01}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for arg, v := range map[string][2]float64{"arrival rate": {bad, 3}, "service time": {3, bad}} {
			rate, service := v[0], v[1]
			for _, m := range []Model{
				Loss{rate, service}, MMC{rate, service}, MMCPS{rate, service}, GGC{rate, service, 2, 0.5},
				GIGC{GGC{rate, service, 2, 0.5}}, ErlangA{rate, service, 1}, MMCK{rate, service, 3},
				GGCBy{GGC: GGC{rate, service, 2, 0.5}}, InUnits{MMC{rate, service}, 60}, Wide{GGC{rate, service, 2, 0.5}, 2},
			} {
				_, err := LeastServers(m, o)
				var e *DomainError
				if !errors.As(err, &e) || e.Arg != arg {
					t.Errorf("%T of %v and %v: %v, want an error about the %s", m, rate, service, err, arg)
				}
			}
		}
	}
	for _, m := range []Model{MMC{1e9, 1e9}, MMCPS{1e9, 1e9}} {
		_, err := LeastServers(m, o)
		var e *DomainError
		if !errors.As(err, &e) || e.Arg != "load" {
			t.Errorf("%T: %v, want an error about the load", m, err)
		}
	}
}

// The least real number of servers lies between whole ones whose figures are dear: each is
// asked for once, and few are.
func TestLeastRealAsksForFewWholes(t *testing.T) {
	for _, load := range []float64{7, 90, 1000} {
		kept := map[float64]Figures{}
		m := rememberingGIGC{GIGC{GGC: GGC{ArrivalRate: load, ServiceTime: 1, ArrivalSCV: 2, ServiceSCV: 3}}, kept}
		r, err := LeastServers(m, Objective{Metric: ResponseShare, Wait: 5, Limit: 0.06})
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) > 9 {
			t.Errorf("%v erl: %d fleets were asked for", load, len(kept))
		}
		if !(r.Real > r.Servers-1 && r.Real <= r.Servers) {
			t.Errorf("%v erl: %v servers of %v", load, r.Servers, r.Real)
		}
	}
}
