package pool

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/sim"
)

func TestMain(m *testing.M) {
	audited = 1 // conservation laws, in every run of the tests
	os.Exit(m.Run())
}

func simulate(t testing.TB, p Pool, o sim.Options) sim.Result {
	t.Helper()
	r, err := sim.Run(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func figure(t testing.TB, r sim.Result, name string) sim.Estimate {
	t.Helper()
	f, ok := r.Figure(name)
	if !ok {
		t.Fatalf("no figure %s", name)
	}
	return f
}

// small is the paper's pool at a twentieth of its size.
func small(load float64) Pool {
	p := Default(load / 5000)
	p.Dedicated, p.Public.Machines = 5, 500
	return p
}

var day = sim.Options{Seed: 1, Replications: 2, Horizon: 86400, WarmUp: 21600}

// In the limit the pool is the chain of unlike.Elastic: machines that are alike
// and never fail, transfers that take no time, an epoch of a five-hundredth of the
// work, exponential work, one replica, and no job given up.
func TestElasticLimit(t *testing.T) {
	audited = 500
	defer func() { audited = 1 }()
	cases := []struct {
		dedicated   int
		load, speed float64
	}{{20, 20, .34}, {10, 20, .46}, {21, 20, .34}, {20, 15, .2}}
	if !longtest.Wanted() {
		cases = cases[:1]
	}
	for _, c := range cases {
		p := Default(c.load / 1000)
		p.Dedicated, p.Replicas = c.dedicated, 1
		p.Public = Public{Machines: 1000, Speed: Constant(c.speed)}
		p.Jobs = Poisson{Rate: c.load / 1000, Work: law.Exponential{Scale: 1000}, Users: 1}
		p.Link.Latency, p.Epoch, p.CoolDown = 0, 2, 0
		p.Agreement.MaxElongation = math.Inf(1)
		want, err := unlike.Elastic{ArrivalRate: c.load / 1000, ServiceTime: 1000, Speed: c.speed}.At(float64(c.dedicated))
		if err != nil {
			t.Fatal(err)
		}
		r := simulate(t, p, sim.Options{Seed: 5, Replications: longtest.Of(4, 10), Horizon: 1e5, WarmUp: 1e4})
		for _, f := range []struct {
			name string
			want float64
		}{
			{"mean_jobs", want.MeanJobs},
			// Of all jobs together: the policy gives short ones more than their share,
			// so that the mean over jobs is another figure.
			{"elongation_of_all", want.Elongation},
			{"public_work_share", want.PublicShare},
		} {
			got := figure(t, r, f.name)
			if !got.Holds(f.want) {
				t.Errorf("N = %d, a = %v, s = %v: %s %.5g..%.5g, the chain has %.5g", c.dedicated, c.load, c.speed,
					f.name, got.Low, got.High, f.want)
			}
		}
	}
}

// Without dedicated machines and failures a job runs on the fastest of its
// replicas, and the uplink carries k·m·λ, as section 4.6 has it.
func TestReplicasAlone(t *testing.T) {
	for _, k := range []int{1, 2, 3} {
		p := Default(.002) // few: of many the slow would be taken the longer
		p.Dedicated, p.Replicas = 0, k
		p.Public.Coming = Coming{}
		p.Agreement.MaxElongation = math.Inf(1)
		r := simulate(t, p, sim.Options{Seed: 2, Replications: 10, Horizon: 5e5, WarmUp: 5e4})
		// E[1/max of k], by mpmath over the lognormal law of mean .34 and cv .5.
		slowness := map[int]float64{1: 3.676470588235294, 2: 2.7145652153585196, 3: 2.3432548413125522}[k]
		wait := 60 + .1 + 8 // half an epoch, and 1 MB at 1 Mbit/s
		if got, want := figure(t, r, "elongation"), slowness-1+wait/5000; !got.Holds(want) {
			t.Errorf("k = %d: elongation %.5g..%.5g, want %.5g", k, got.Low, got.High, want)
		}
		if got, want := figure(t, r, "uplink_use"), float64(k)*8e6*.002/100e6; !got.Holds(want) {
			t.Errorf("k = %d: uplink %.5g..%.5g, want %.5g", k, got.Low, got.High, want)
		}
		if got := figure(t, r, "mean_wait_s"); math.Abs(got.Mean-wait) > 1.5 {
			t.Errorf("k = %d: mean wait %.5g, want %.5g", k, got.Mean, wait)
		}
	}
}

// Whatever the parameters, nothing is lost or made: each epoch is audited.
func TestConservation(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 60 {
		p := small(5 * math.Exp(3*r.Float64()))
		p.Public.Machines = []int{0, 3, 60, 500}[r.IntN(4)]
		p.Dedicated = r.IntN(8)
		if p.Dedicated+p.Public.Machines == 0 {
			p.Dedicated = 1
		}
		p.Replicas = 1 + r.IntN(4)
		p.Policy = Policy(r.IntN(2))
		p.Epoch = []float64{7, 120, 1000}[r.IntN(3)]
		p.CoolDown = p.Epoch * float64(r.IntN(3))
		p.Frozen = []float64{1, .1, 1e-3}[r.IntN(3)]
		p.FromStore = r.IntN(2) == 0
		p.Oldest = []float64{60, 3600, math.Inf(1)}[r.IntN(3)]
		p.Link.Latency = []float64{0, .1}[r.IntN(2)]
		p.Link.Up, p.Link.Down = 1e6*math.Exp(6*r.Float64()), 1e6*math.Exp(6*r.Float64())
		w := p.Jobs.(Poisson)
		w.Footprint = []float64{0, 8e6, 8e8}[r.IntN(3)]
		w.Users = 1 + r.IntN(5)
		w.Work = Mixture{{.5, law.Exponential{Scale: 3000}}, {.3, LogNormalOf(5000, 2)}, {.2, Constant(100)}}
		p.Jobs = w
		if r.IntN(3) == 0 {
			p.Public.Coming.Traces = []Trace{{600, 100}, {50, 3000, 90, 20}}
			p.Public.Speeds = []float64{.2, 1.5, .4}
		}
		o := sim.Options{Seed: uint64(i), Replications: 1, Horizon: 40000, WarmUp: 5000 * float64(r.IntN(2))}
		if _, err := sim.Run(context.Background(), p, o); err != nil {
			t.Errorf("case %d, %+v: %v", i, p, err)
		}
	}
}

// Work that dedicated machines did alone leaves no share to public ones, not even below 0 by
// rounding.
func TestNoPublicWork(t *testing.T) {
	p := small(4)
	p.Public.Machines, p.Jobs = 0, Poisson{Rate: .04, Work: law.Exponential{Scale: 100}, Users: 1}
	if f := figure(t, simulate(t, p, day), "public_work_share"); f.Mean != 0 || f.Low != 0 {
		t.Errorf("%g, from %g", f.Mean, f.Low)
	}
}

func TestSameSeedSameFigures(t *testing.T) {
	var first []byte
	for _, workers := range []int{1, 2, 8} {
		o := day
		o.Replications, o.Workers, o.Horizon = 4, workers, 40000
		r := simulate(t, small(25), o)
		var b bytes.Buffer
		for _, f := range r.Figures {
			fmt.Fprintln(&b, f.Name, f.Mean, f.Low, f.High)
		}
		if first == nil {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("%d workers: other figures", workers)
		}
	}
}

// With and without the policy the same jobs come and the same machines go.
func TestCommonChance(t *testing.T) {
	a, b := small(25), small(25)
	b.Policy = Static
	ra, rb := simulate(t, a, day), simulate(t, b, day)
	gone := map[string]bool{"migrations_per_epoch": true, "down_migration_s": true}
	for name := range gone {
		if f := figure(t, rb, name); f.Mean != 0 {
			t.Errorf("static: %s = %v", name, f.Mean)
		}
		if f := figure(t, ra, name); !(f.Mean > 0) {
			t.Errorf("preemptive: %s = %v", name, f.Mean)
		}
	}
	var seen [2][]float64
	for k, p := range []Pool{a, b} {
		for i := range 300 {
			x := newRun(&p, replication(t))
			for t := range 3 {
				v := 0.0
				if x.look(int32(i), 1e4*float64(t)) {
					v = 1
				}
				seen[k] = append(seen[k], v, x.hosts[i].until, x.hosts[i].speed)
			}
			if i < 30 {
				job, _ := x.next()
				seen[k] = append(seen[k], x.coming.At, x.coming.Work, job.At)
			}
		}
	}
	if fmt.Sprint(seen[0]) != fmt.Sprint(seen[1]) {
		t.Error("machines or jobs depend on the policy")
	}
}

// A replication by itself, for tests of parts.
type probe struct{ got *sim.Replication }

func (p *probe) Figures() []sim.Figure { return Pool{}.Figures() }
func (p *probe) Replicate(r *sim.Replication) error {
	p.got = r
	return nil
}

func replication(t testing.TB) *sim.Replication {
	t.Helper()
	p := &probe{}
	if _, err := sim.Run(context.Background(), p, sim.Options{Seed: 4, Replications: 1, Horizon: 1e6}); err != nil {
		t.Fatal(err)
	}
	return p.got
}

// The manager misses a replica after a time of δ on average, between 0 and 2δ: its
// last pulse is up to δ old when it dies, and the next epoch up to δ away.
func TestDetection(t *testing.T) {
	p := Default(.05)
	p.Dedicated = 0
	r := simulate(t, p, day)
	got := figure(t, r, "detection_s")
	numtest.Close(t, "detection", got.Mean, 120, .05)
}

func BenchmarkDay(b *testing.B) {
	audited = 0
	defer func() { audited = 1 }()
	for _, rate := range []float64{.1, .3} {
		b.Run(fmt.Sprintf("machines=10000/rate=%g", rate), func(b *testing.B) {
			events := uint64(0)
			for i := range b.N {
				o := sim.Options{Seed: uint64(i), Replications: 1, Horizon: 86400, WarmUp: 21600, Workers: 1}
				events += simulate(b, Default(rate), o).Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
