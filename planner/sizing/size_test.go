package sizing

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/drawn"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// parse reads a quantity as a user would write it.
func parse[T units.Quantity](t testing.TB, s string) *T {
	t.Helper()
	v, err := units.Parse[T](s)
	if err != nil {
		t.Fatal(err)
	}
	return &v
}

func rng[T units.Quantity](t testing.TB, s string) *units.Range[T] {
	t.Helper()
	v, err := units.ParseRange[T](s)
	if err != nil {
		t.Fatal(err)
	}
	return &v
}

// lossQuestion asks for 120 erlangs at 1 % loss.
func lossQuestion(t testing.TB, load string) *SizeQuestion {
	return &SizeQuestion{
		Traffic:    Traffic{OfferedLoad: rng[units.Erlang](t, load)},
		Objectives: Objectives{MaxBlocking: parse[units.Fraction](t, "1%")},
	}
}

func size(t testing.TB, q *SizeQuestion) *SizeAnswer {
	t.Helper()
	a, err := Size(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestSizeLoss(t *testing.T) {
	a := size(t, lossQuestion(t, "120"))
	if a.Servers != 138 || a.Model != Loss || a.Binding != "max_blocking" {
		t.Errorf("got %d servers, model %s, binding %s", a.Servers, a.Model, a.Binding)
	}
	// B(138, 120) from the recursion 1/B(n) = 1 + n/(a·B(n−1)).
	inverse := 1.0
	for n := 1.0; n <= 138; n++ {
		inverse = 1 + n/120*inverse
	}
	numtest.Close(t, "blocking", *a.Blocking, 1/inverse, 1e-12)
	if len(a.Alternatives) != 2 || a.Alternatives[0].Met || !a.Alternatives[1].Met {
		t.Errorf("alternatives %+v: one fewer must fail, one more must meet", a.Alternatives)
	}
	if a.MeanResponse != nil || a.Throughput != nil {
		t.Error("times without a service time")
	}
}

// Of no load nobody is lost on no servers, in all places that tell it; B(0, 0) is 1.
func TestSizeOfNoLoad(t *testing.T) {
	a := size(t, lossQuestion(t, "0"))
	if o := a.Objectives[0]; a.Servers != 0 || *a.Blocking != 0 || !o.Met || *o.Value != 0 || a.Binding != "" {
		t.Errorf("%d servers, blocking %v, objective %+v, %q binds", a.Servers, *a.Blocking, o, a.Binding)
	}
	if plots, err := a.Plots(context.Background()); err == nil {
		t.Errorf("a line of what is 0 is drawn: %+v", plots)
	}
}

// A rate and a service time say what erlangs do, with times.
func TestSizeFormsAgree(t *testing.T) {
	q := lossQuestion(t, "120")
	q.OfferedLoad, q.Rate, q.ServiceTime = nil, rng[units.Rate](t, "40/min"), rng[units.Duration](t, "3min")
	a := size(t, q)
	if a.Servers != 138 || a.Throughput == nil {
		t.Errorf("rate × service time: %d servers, throughput %v", a.Servers, a.Throughput)
	}
	q.ServiceTime, q.OfferedLoad = nil, rng[units.Erlang](t, "120")
	b := size(t, q)
	if b.Servers != 138 {
		t.Errorf("load and rate: %d servers", b.Servers)
	}
	numtest.Close(t, "throughput", *b.Throughput, *a.Throughput, 1e-12)
}

func TestSizeModelChoice(t *testing.T) {
	fraction := parse[units.Fraction](t, "20%")
	for _, c := range []struct {
		name string
		o    Objectives
		p    *units.Duration
		kind ModelKind
		want ModelKind
	}{
		{"blocking alone", Objectives{MaxBlocking: fraction}, nil, "", Loss},
		{"blocking and another", Objectives{MaxBlocking: fraction, MaxUtilization: fraction}, nil, "", Wait},
		{"utilization", Objectives{MaxUtilization: fraction}, nil, "", Wait},
		{"patience", Objectives{MaxUtilization: fraction}, parse[units.Duration](t, "1min"), "", Abandon},
		{"told", Objectives{MaxUtilization: fraction}, nil, Loss, Loss},
	} {
		a := size(t, &SizeQuestion{Traffic: Traffic{OfferedLoad: rng[units.Erlang](t, "10"), ServiceTime: rng[units.Duration](t, "1min"), Patience: c.p}, Objectives: c.o, Model: c.kind})
		if a.Model != c.want {
			t.Errorf("%s: model %s, want %s", c.name, a.Model, c.want)
		}
	}
}

func TestSizeBinding(t *testing.T) {
	q := &SizeQuestion{
		Traffic: Traffic{Rate: rng[units.Rate](t, "2/min"), ServiceTime: rng[units.Duration](t, "5min")},
		Objectives: Objectives{
			MaxWait: parse[units.Duration](t, "20s"), Percentile: parse[units.Percentile](t, "80%"),
			MaxUtilization: parse[units.Fraction](t, "60%"),
		},
	}
	a := size(t, q)
	if a.Servers != 17 || a.Binding != "max_utilization" {
		t.Errorf("%d servers for %s, want 17 = ceil(10/0.6) for max_utilization", a.Servers, a.Binding)
	}
	if a.Objectives[0].Servers != 14 || !a.Objectives[0].Met {
		t.Errorf("the wait alone: %+v, want 14 servers", a.Objectives[0])
	}
	numtest.Close(t, "service level", *a.ServiceLevel, *a.Objectives[0].Value, 1e-15)
}

// PCU figure 6's pool, smaller: N = Nd + 0.34/2·0.35·10000 = Nd + 595.
func TestSizeBesidePool(t *testing.T) {
	q := lossQuestion(t, "1200")
	alone := size(t, q)
	q.Pool = &Pool{Machines: 10000, Speed: 0.34, Availability: 0.35, Replicas: 2, Count: CountMean}
	a := size(t, q)
	if *a.DedicatedServers != alone.Servers-595 {
		t.Errorf("%d dedicated beside 595, %d alone", *a.DedicatedServers, alone.Servers)
	}
	numtest.Close(t, "equivalent servers", *a.EquivalentServers, float64(alone.Servers), 1e-12)
	q.Pool.Availability = 0.9
	if a := size(t, q); *a.DedicatedServers != 0 || len(a.Warnings) == 0 {
		t.Errorf("a pool of 1530 alone is enough: %d dedicated, warnings %v", *a.DedicatedServers, a.Warnings)
	}
	// Averaged over the machines up, by another program: 1.024509 % with 624
	// dedicated servers, 0.987039 % with 625.
	q.Pool.Count, q.Pool.Availability = CountAveraged, 0.35
	a = size(t, q)
	if *a.DedicatedServers != 625 || a.PublicCount != CountAveraged {
		t.Errorf("%d dedicated, counted %q", *a.DedicatedServers, a.PublicCount)
	}
	numtest.Close(t, "blocking", *a.Blocking, 0.009870385630366884, 1e-6)
	numtest.Close(t, "blocking with one fewer", *a.Alternatives[0].Blocking, 0.010245091504167391, 1e-6)
}

// The chance that a fleet meets the objective is that of the load to be at
// most what the fleet takes: (x − 80)/50 for a uniform load.
func TestUncertaintyAgainstUniform(t *testing.T) {
	q := lossQuestion(t, "80..130")
	q.Samples, q.Seed = 40000, 3
	a := size(t, q)
	for _, c := range a.Uncertainty.Candidates {
		takes, err := queueing.ErlangBLoad(float64(c.Servers), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Min(math.Max((takes-80)/50, 0), 1)
		if se := math.Sqrt(want*(1-want)/40000) + 1e-9; math.Abs(c.Chance-want) > 4*se {
			t.Errorf("%d servers: chance %v, want %v ± %v", c.Servers, c.Chance, want, se)
		}
	}
	for _, c := range []struct {
		got  *int64
		load float64
	}{{a.Uncertainty.P5, 82.5}, {a.Uncertainty.P50, 105}, {a.Uncertainty.P95, 127.5}} {
		want := size(t, &SizeQuestion{Traffic: Traffic{OfferedLoad: new(units.Point(units.Erlang(c.load)))}, Objectives: q.Objectives})
		if math.Abs(float64(*c.got-want.Servers)) > 1 {
			t.Errorf("quantile %d, at the load %v it is %d", *c.got, c.load, want.Servers)
		}
	}
}

// Draws in order of load, of which those between two of the same need are not
// sized, have the needs that they have one by one.
func TestNeedsInOrderOfLoad(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		q    SizeQuestion
	}{
		{"lost", *lossQuestion(t, "80..130")},
		{"lost, rate and service time", SizeQuestion{
			Traffic:    Traffic{Rate: rng[units.Rate](t, "1..3/s"), ServiceTime: rng[units.Duration](t, "20..60s")},
			Objectives: Objectives{MaxBlocking: parse[units.Fraction](t, "1%")},
		}},
		{"waits, rate", SizeQuestion{
			Traffic:    Traffic{Rate: rng[units.Rate](t, "1..300/s"), ServiceTime: rng[units.Duration](t, "4s")},
			Objectives: Objectives{MaxWait: parse[units.Duration](t, "2s"), Percentile: parse[units.Percentile](t, "90%")},
		}},
		{"waits, service time", SizeQuestion{
			Traffic:    Traffic{Rate: rng[units.Rate](t, "2/s"), ServiceTime: rng[units.Duration](t, "1..90s")},
			Objectives: Objectives{MaxMeanResponse: parse[units.Duration](t, "60s"), MaxMeanWait: parse[units.Duration](t, "3s")},
		}},
		{"waits, gaps that vary", SizeQuestion{
			Traffic: Traffic{Rate: rng[units.Rate](t, "1..300/s"), ServiceTime: rng[units.Duration](t, "1s"),
				ArrivalSCV: new(units.Number(4))},
			Objectives: Objectives{MaxWait: parse[units.Duration](t, "1s")},
		}},
	} {
		if !c.q.ordered() {
			t.Errorf("%s: not taken in order", c.name)
		}
		draws, want := drawnAlone(t, &c.q)
		for _, sums := range []bool{false, true} {
			needs, err := c.q.drawn(ctx, slices.Clone(draws), sums)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []float64{want[0] - 1, want[20], want[200], want[399], want[399] + 1} {
				got, err := needs.Met(n)
				if more, _ := drawn.Known(want).Met(n); err != nil || got != more {
					t.Errorf("%s: %v servers are enough in %d of the draws, %v; one by one in %d", c.name, n, got, err, more)
				}
			}
			for k, n := range want {
				if got, err := needs.At(k); err != nil || got != n {
					t.Errorf("%s: %v, %v for place %d, one by one %v", c.name, got, err, k, n)
				}
			}
		}
	}
}

// drawnAlone returns 400 draws and their needs, each searched from its own
// beginning, in rising order.
func drawnAlone(t *testing.T, q *SizeQuestion) ([][2]float64, []float64) {
	random := rand.New(rand.NewPCG(5, 0))
	draws, needs := make([][2]float64, 400), make([]float64, 400)
	for i := range draws {
		draws[i] = q.quantiles(random.Float64(), random.Float64(), random.Float64())
		n, err := needNear(context.Background(), q.loadOf(draws[i]), math.NaN(), q.fleetOf)
		if err != nil {
			t.Fatal(err)
		}
		needs[i] = q.Headroom.Covers(n)
	}
	slices.Sort(needs)
	return draws, needs
}

// Needs that do not rise with the load are searched near those of other draws, and
// are what each has by itself.
func TestNeedsInNoOrder(t *testing.T) {
	for _, q := range []SizeQuestion{{
		Traffic:    Traffic{Rate: rng[units.Rate](t, "1..300/s"), ServiceTime: rng[units.Duration](t, "1..9s")},
		Objectives: Objectives{MaxWait: parse[units.Duration](t, "2s"), Percentile: parse[units.Percentile](t, "90%")},
		Headroom:   &Headroom{Spare: 3},
	}, {
		Traffic: Traffic{Rate: rng[units.Rate](t, "1..100/s"), ServiceTime: rng[units.Duration](t, "1s"),
			ArrivalSCV: new(units.Number(0.25)), ServiceSCV: new(units.Number(0.5))},
		Objectives: Objectives{MaxMeanWait: parse[units.Duration](t, "10ms")},
	}, {
		Traffic: Traffic{Rate: rng[units.Rate](t, "1..100/s"), ServiceTime: rng[units.Duration](t, "1s"),
			Patience: parse[units.Duration](t, "3s")},
		Objectives: Objectives{MaxWait: parse[units.Duration](t, "1s")},
	}} {
		if q.ordered() {
			t.Errorf("%+v: taken in order", q.Traffic)
		}
		draws, want := drawnAlone(t, &q)
		got, err := q.drawn(context.Background(), draws, false)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.(drawn.Known), want) {
			t.Errorf("%+v: needs %v, one by one %v", q.Traffic, got, want)
		}
	}
}

// Same seed, same bytes, whatever the number of cores.
func TestUncertaintyIndependentOfCores(t *testing.T) {
	q := &SizeQuestion{
		Traffic:    Traffic{Rate: rng[units.Rate](t, "1..3/s"), ServiceTime: rng[units.Duration](t, "20..30..60s")},
		Objectives: Objectives{MaxMeanWait: parse[units.Duration](t, "1s")}, Samples: 2000, Seed: 11,
		ServerCost: units.Cost{Number: 1}, ShortfallCost: units.Cost{Number: 9},
	}
	var first []byte
	for _, procs := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(procs)
		data, err := json.Marshal(size(t, q))
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if string(first) != string(data) {
			t.Errorf("%d cores change the answer", procs)
		}
	}
}

// The least expected regret is the best over all fleets, by trial.
func TestLeastRegret(t *testing.T) {
	q := lossQuestion(t, "80..130")
	q.Samples, q.ServerCost, q.ShortfallCost = 5000, units.Cost{Number: 1}, units.Cost{Number: 19}
	u := size(t, q).Uncertainty
	best, at := math.Inf(1), int64(0)
	var chosen float64
	for _, c := range u.Candidates {
		if *c.Regret < best {
			best, at = *c.Regret, c.Servers
		}
		if c.Servers == *u.LeastRegret {
			chosen = *c.Regret
		}
	}
	if chosen > best {
		t.Errorf("chose %d with regret %v, %d has %v", *u.LeastRegret, chosen, at, best)
	}
}

func TestSizeCurve(t *testing.T) {
	c := &traffic.Curve{Start: []float64{0, 3600, 7200}, Rate: []float64{0, 0.5, 0.1}, End: 10800}
	q := &SizeQuestion{
		Traffic:    Traffic{Curve: c, ServiceTime: rng[units.Duration](t, "4min")},
		Objectives: Objectives{MaxBlocking: parse[units.Fraction](t, "1%")},
	}
	a := size(t, q)
	// The second hour is as good as stationary: Erlang B at 120 erlangs.
	if a.Servers != 138 || a.Staffing.Intervals[1].ServersSIPP != 138 {
		t.Errorf("%d servers, second hour %+v", a.Servers, a.Staffing.Intervals[1])
	}
	if v := a.Staffing.Intervals[0]; v.ServersSIPP != 0 || v.ServersMOL == 0 {
		t.Errorf("an hour without arrivals: %+v; the last jobs of the cycle are still there", v)
	}
	q.Staffing = SIPP
	if a := size(t, q); a.Staffing.Intervals[0].Servers != 0 {
		t.Errorf("by SIPP an hour without arrivals needs %d", a.Staffing.Intervals[0].Servers)
	}
}

func testLog() *joblog.Summary {
	return &joblog.Summary{
		Jobs: 100, ArrivalRate: 0.05, InterarrivalSCV: 1.5, ServiceMean: 100, ServiceSCV: 2,
		ProcessorsMean: 2, WorkMean: 220, OfferedLoad: 11, Peakedness: 3.1,
		Classes: []joblog.Class{
			{Processors: 1, Jobs: 60, Rate: 0.03, ServiceMean: 90, OfferedLoad: 2.7},
			{Processors: 4, Jobs: 30, Rate: 0.015, ServiceMean: 100, OfferedLoad: 6},
			{Processors: 8, Jobs: 10, Rate: 0.005, ServiceMean: 57.5, OfferedLoad: 2.3},
		},
	}
}

func TestSizeLog(t *testing.T) {
	q := &SizeQuestion{Traffic: Traffic{Log: testLog()}, Objectives: Objectives{MaxBlocking: parse[units.Fraction](t, "2%")}}
	a := size(t, q)
	// By summing the product form over all states (jobs of 1, 4, 8).
	blocked := func(n int) float64 {
		load, width, share := []float64{2.7, 1.5, 2.3 / 8}, []int{1, 4, 8}, []float64{0.6, 0.3, 0.1}
		sum, lost, p1 := 0.0, 0.0, 1.0
		for i := 0; i <= n; i++ {
			p2 := p1
			for j := 0; i+4*j <= n; j++ {
				p3 := p2
				for k := 0; i+4*j+8*k <= n; k++ {
					sum += p3
					for c := range width {
						if i+4*j+8*k+width[c] > n {
							lost += p3 * share[c]
						}
					}
					p3 *= load[2] / float64(k+1)
				}
				p2 *= load[1] / float64(j+1)
			}
			p1 *= load[0] / float64(i+1)
		}
		return lost / sum
	}
	n := int(a.Servers)
	if !(blocked(n) <= 0.02 && blocked(n-1) > 0.02) {
		t.Errorf("%d processors lose %v, one fewer %v", n, blocked(n), blocked(n-1))
	}
	numtest.Close(t, "blocking", *a.Blocking, blocked(n), 1e-12)
	if a.ServersReal != nil || a.Log == nil || len(a.Log.Classes) != 3 {
		t.Errorf("log answer %+v", a)
	}
	// A fleet that is too small for the widest jobs may lose few enough, and says which it loses.
	for servers, warned := range map[int64]bool{7: true, 8: false} {
		c, err := Check(context.Background(), &CheckQuestion{SizeQuestion: *q, Servers: servers})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(c.Warnings, "jobs of more than 7 processors are always lost") != warned {
			t.Errorf("%d processors: warnings %q", servers, c.Warnings)
		}
	}
	// A queue that waits holds the widest job at least.
	q.Objectives = Objectives{MaxUtilization: parse[units.Fraction](t, "100%")}
	q.Log.OfferedLoad, q.Log.Classes = 0.5, []joblog.Class{{Processors: 8, Jobs: 3, Rate: 0.001, ServiceMean: 62.5, OfferedLoad: 0.5}}
	if a := size(t, q); a.Servers != 8 || a.Binding != "widest_job" {
		t.Errorf("%d processors for %s, want 8 for widest_job", a.Servers, a.Binding)
	}
}

func TestSizeInfeasible(t *testing.T) {
	q := lossQuestion(t, "120")
	q.MaxBlocking = new(units.Fraction(0))
	_, err := Size(context.Background(), q)
	var e *ask.InfeasibleError
	if !errors.As(err, &e) || !errors.Is(err, ask.ErrInfeasible) || e.Constraint != "max_blocking" {
		t.Errorf("blocking 0: %v", err)
	}
	q = &SizeQuestion{
		Traffic:    Traffic{OfferedLoad: rng[units.Erlang](t, "10"), ServiceTime: rng[units.Duration](t, "10s")},
		Objectives: Objectives{MaxMeanResponse: parse[units.Duration](t, "9s")},
	}
	_, err = Size(context.Background(), q)
	if !errors.As(err, &e) || e.Infimum != 10 || e.Limit != 9 {
		t.Errorf("response below service: %v", err)
	}
}

func TestSizeBadInput(t *testing.T) {
	blocking, wait := parse[units.Fraction](t, "1%"), parse[units.Duration](t, "20s")
	load, service, rate := rng[units.Erlang](t, "10"), rng[units.Duration](t, "1min"), rng[units.Rate](t, "1/s")
	patience, scv := parse[units.Duration](t, "1min"), parse[units.Number](t, "2")
	for _, c := range []struct {
		field string
		q     SizeQuestion
	}{
		{"load", SizeQuestion{Objectives: Objectives{MaxBlocking: blocking}}},
		{"load", SizeQuestion{Traffic: Traffic{ServiceTime: service}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"objective", SizeQuestion{Traffic: Traffic{OfferedLoad: load}}},
		{"load", SizeQuestion{Traffic: Traffic{OfferedLoad: load, Rate: rate, ServiceTime: service}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"service_time", SizeQuestion{Traffic: Traffic{Rate: rate}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"service_time", SizeQuestion{Traffic: Traffic{OfferedLoad: load}, Objectives: Objectives{MaxWait: wait}}},
		{"max_wait", SizeQuestion{Traffic: Traffic{OfferedLoad: load, ServiceTime: service}, Objectives: Objectives{MaxWait: wait}, Model: Loss}},
		{"max_abandon", SizeQuestion{Traffic: Traffic{OfferedLoad: load}, Objectives: Objectives{MaxAbandon: blocking}}},
		{"patience", SizeQuestion{Traffic: Traffic{OfferedLoad: load}, Objectives: Objectives{MaxAbandon: blocking}, Model: Abandon}},
		{"patience", SizeQuestion{Traffic: Traffic{OfferedLoad: load, Patience: patience}, Objectives: Objectives{MaxBlocking: blocking}, Model: Loss}},
		{"arrival_scv", SizeQuestion{Traffic: Traffic{OfferedLoad: load, ArrivalSCV: scv}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"service_scv", SizeQuestion{Traffic: Traffic{OfferedLoad: load, ServiceSCV: scv}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"percentile", SizeQuestion{Traffic: Traffic{OfferedLoad: load}, Objectives: Objectives{MaxBlocking: blocking, Percentile: parse[units.Percentile](t, "90%")}}},
		{"load", SizeQuestion{Traffic: Traffic{OfferedLoad: load, Log: testLog()}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"service_time", SizeQuestion{Traffic: Traffic{Log: testLog(), ServiceTime: service}, Objectives: Objectives{MaxBlocking: blocking}}},
		{"model", SizeQuestion{Traffic: Traffic{OfferedLoad: load}, Objectives: Objectives{MaxBlocking: blocking}, Model: "queue"}},
	} {
		_, err := Size(context.Background(), &c.q)
		var e *ask.InputError
		if !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%+v: error %v, want one about %s", c.q, err, c.field)
		}
	}
}

func TestSizeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q := lossQuestion(t, "80..130")
	if _, err := Size(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkSize(b *testing.B) {
	for _, c := range []struct{ name, load string }{{"load=120", "120"}, {"load=1e6", "1e6"}, {"load=80..130/samples=10000", "80..130"}} {
		b.Run(c.name, func(b *testing.B) {
			q := lossQuestion(b, c.load)
			for b.Loop() {
				size(b, q)
			}
		})
	}
}

// Intervals that need as many whole servers differ in load: need and figures
// are those of the greatest, as if it were the only load. The figures are
// Erlang's of 3 servers and 0.88 erl: a³/6 / (1 + a + a²/2 + a³/6).
func TestSizeCurvePeak(t *testing.T) {
	ctx := context.Background()
	const a = 0.88
	blocking := a * a * a / 6 / (1 + a + a*a/2 + a*a*a/6)
	for _, rates := range [][]float64{{0.04, 0.088, 0.04}, {0.088, 0.04, 0.04}, {0.04, 0.04, 0.088}} {
		for _, method := range []StaffingMethod{SIPP, MOL} {
			q := &SizeQuestion{
				Traffic: Traffic{
					Curve:       &traffic.Curve{Start: []float64{0, 36000, 72000}, Rate: rates, End: 108000},
					ServiceTime: rng[units.Duration](t, "10s"),
				},
				Objectives: Objectives{MaxBlocking: new(units.Fraction(0.05))},
				Staffing:   method,
			}
			size, err := Size(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			check, err := Check(ctx, &CheckQuestion{SizeQuestion: *q, Servers: 3})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []Figures{size.Figures, check.Figures} {
				numtest.Close(t, "load", f.OfferedLoad, a, 1e-9)
				numtest.Close(t, "blocking", *f.Blocking, blocking, 1e-9)
			}
			certain, err := Size(ctx, &SizeQuestion{
				Traffic:    Traffic{OfferedLoad: rng[units.Erlang](t, "0.88")},
				Objectives: q.Objectives,
			})
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "fractional need", *size.ServersReal, *certain.ServersReal, 1e-9)
		}
	}
}

// Ten million draws are minutes of work in all, none of which begins once the
// run was stopped.
func TestStoppedDrawsAreNotSized(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q := lossQuestion(t, "80..130")
	if needs, err := q.drawn(ctx, make([][2]float64, 3), false); needs != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("needs in order: %v, %v, want none and %v", needs, err, context.Canceled)
	}
	if _, err := needNear(ctx, q.Nominal(), math.NaN(), q.fleetOf); !errors.Is(err, context.Canceled) {
		t.Errorf("a draw was sized after the stop: %v, want %v", err, context.Canceled)
	}
}
