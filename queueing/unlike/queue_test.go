package unlike

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// The figures are those of the product form summed with elementary symmetric
// polynomials by another program.
func TestUnlikeReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/unlike.csv") {
		groups := []Group{{r.Float("n1"), r.Float("s1")}, {r.Float("n2"), r.Float("s2")}, {r.Float("n3"), r.Float("s3")}}
		m := Queue{ArrivalRate: r.Float("load_erl"), ServiceTime: 1, Beside: groups, Patience: r.Float("patience")}
		name, want := r.Text("figure"), r.Float("value")
		switch name {
		case "wait", "wait_response":
			m.WhenFull = Queued
		case "patient_wait", "abandon", "patient_busy":
			m.WhenFull = Impatient
		}
		f, err := m.At(0)
		if err != nil {
			t.Errorf("line %d: %v", r.Line, err)
			continue
		}
		all, _ := m.groups(0)
		got := map[string]float64{
			"blocking": f.Blocking, "wait": f.WaitProbability, "wait_response": f.MeanResponse,
			"patient_wait": f.WaitProbability, "abandon": f.Abandonment,
		}[name]
		if name == "loss_busy" || name == "patient_busy" {
			_, busy, err := m.unlike(all)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range busy {
				got += b
			}
		}
		numtest.Close(t, name+" of "+r.Text("load_erl")+" erl", got, want, 1e-12)
	}
}

// A chain is the full Markov chain of a few unlike servers: the states are the
// sets of busy servers and, above the full one, the numbers waiting.
type chain struct {
	rates    []float64 // of the servers
	arrivals float64
	patience float64 // rate at which one who waits gives up
	room     int     // places to wait
	fastest  bool    // an arrival takes the fastest idle server, not any
}

// steady returns the steady state, by elimination state by state.
func (c *chain) steady() []float64 {
	n := len(c.rates)
	full := 1<<n - 1
	size := full + 1 + c.room
	q := make([][]float64, size)
	for i := range q {
		q[i] = make([]float64, size)
	}
	for s := range full {
		idle, best := 0, -1
		for i := range n {
			if s>>i&1 == 0 {
				if idle++; best < 0 || c.rates[i] > c.rates[best] {
					best = i
				}
			}
		}
		for i := range n {
			switch {
			case s>>i&1 == 1:
				q[s][s&^(1<<i)] += c.rates[i]
			case c.fastest && i == best:
				q[s][s|1<<i] += c.arrivals
			case !c.fastest:
				q[s][s|1<<i] += c.arrivals / float64(idle)
			}
		}
	}
	total := 0.0
	for i, r := range c.rates {
		q[full][full&^(1<<i)] += r
		total += r
	}
	for k := range c.room {
		q[full+k][full+k+1] = c.arrivals
		q[full+k+1][full+k] = total + float64(k+1)*c.patience
	}
	return steadyState(q)
}

// steadyState solves a chain with the given rates, in place.
func steadyState(q [][]float64) []float64 {
	size := len(q)
	// Grassmann, Taksar, Heyman 1985: no subtraction.
	for k := size - 1; k > 0; k-- {
		out := 0.0
		for j := range k {
			out += q[k][j]
		}
		for i := range k {
			q[i][k] /= out
			for j := range k {
				if i != j {
					q[i][j] += q[i][k] * q[k][j]
				}
			}
		}
	}
	pi, sum := make([]float64, size), 1.0
	pi[0] = 1
	for k := 1; k < size; k++ {
		for i := range k {
			pi[k] += pi[i] * q[i][k]
		}
		sum += pi[k]
	}
	for k := range pi {
		pi[k] /= sum
	}
	return pi
}

// randomFleet returns a small fleet and its load.
func randomFleet(rng *rand.Rand) (speeds []float64, load float64) {
	total := 0.0
	for range 2 + rng.IntN(4) {
		speeds = append(speeds, math.Exp(3*rng.Float64()-1.5))
		total += speeds[len(speeds)-1]
	}
	return speeds, total * (0.1 + 0.75*rng.Float64())
}

// On small fleets the product form is the full chain, over all sets of busy
// servers and the queue.
func TestUnlikeAgainstChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 60 {
		speeds, load := randomFleet(rng)
		const service, patience = 20.0, 13.0
		var groups []Group
		var rates []float64
		for _, s := range speeds {
			groups, rates = append(groups, Group{1, s}), append(rates, s/service)
		}
		m := Queue{ArrivalRate: load / service, ServiceTime: service, Beside: groups, Patience: patience}
		full := 1<<len(speeds) - 1
		total := 0.0
		for _, r := range rates {
			total += r
		}
		for _, when := range []WhenFull{Lossy, Queued, Impatient} {
			m.WhenFull = when
			c := chain{rates: rates, arrivals: m.ArrivalRate}
			switch when {
			case Queued:
				c.room = int(-36/math.Log(m.ArrivalRate/total)) + 2
			case Impatient:
				c.room, c.patience = 150, 1/patience
			}
			pi := c.steady()
			f, err := m.At(0)
			if err != nil {
				t.Fatal(err)
			}
			busy, late, waiting := make([]float64, len(speeds)), 0.0, 0.0
			for s, x := range pi {
				for i := range busy {
					if s >= full || s>>i&1 == 1 {
						busy[i] += x
					}
				}
				if s >= full {
					late += x
					waiting += float64(s-full) * x
				}
			}
			served, jobs := 0.0, 0.0
			for i, b := range busy {
				served += b * rates[i]
				jobs += b
			}
			_, got, err := m.unlike(groups)
			if err != nil {
				t.Fatal(err)
			}
			for i := range busy {
				numtest.Close(t, "share of time busy", got[i], busy[i], 1e-9)
			}
			numtest.Close(t, "throughput", f.Throughput, served, 1e-9)
			numtest.Close(t, "utilization", f.Utilization, served/total, 1e-9)
			switch when {
			case Lossy:
				numtest.Close(t, "blocking", f.Blocking, late, 1e-9)
				numtest.Close(t, "response", f.MeanResponse, jobs/served, 1e-9)
			default:
				numtest.Close(t, "wait probability", f.WaitProbability, late, 1e-9)
				numtest.Close(t, "mean wait", f.MeanWait, waiting/m.ArrivalRate, 1e-8)
			}
			switch when {
			case Queued:
				numtest.Close(t, "response", f.MeanResponse, (jobs+waiting)/m.ArrivalRate, 1e-9)
			case Impatient:
				numtest.Close(t, "abandonment", f.Abandonment, waiting/patience/m.ArrivalRate, 1e-8)
			}
		}
	}
}

// Where the fastest idle server is taken, less is lost and fewer wait than
// where any is, and no less than with servers that are all of the greatest
// speed.
func TestUnlikeFastestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	most := 0.0
	for range 300 {
		speeds, load := randomFleet(rng)
		var groups []Group
		top, total := 0.0, 0.0
		for _, s := range speeds {
			groups, top, total = append(groups, Group{1, s}), math.Max(top, s), total+s
		}
		for _, room := range []int{0, int(-36/math.Log(load/total)) + 2} {
			m := Queue{ArrivalRate: load, ServiceTime: 1, Beside: groups}
			low, err := queueing.ErlangB(float64(len(speeds)), load/top)
			if room > 0 {
				m.WhenFull = Queued
				low, err = queueing.ErlangC(float64(len(speeds)), load/top)
			}
			if err != nil {
				t.Fatal(err)
			}
			f, err := m.At(0)
			if err != nil {
				t.Fatal(err)
			}
			random := f.Blocking + f.WaitProbability
			fastest := 0.0
			pi := (&chain{rates: speeds, arrivals: load, room: room, fastest: true}).steady()
			for _, x := range pi[1<<len(speeds)-1:] {
				fastest += x
			}
			if fastest > random*(1+1e-9) || fastest < low*(1-1e-9) {
				t.Errorf("speeds %v, %v erl, room %d: fastest first %v, at random %v, bound %v",
					speeds, load, room, fastest, random, low)
			}
			most = math.Max(most, random/fastest)
		}
	}
	t.Logf("at random at most %.3g times as many find all busy", most)
	if most < 1.2 {
		t.Error("the dispatch makes no difference: the test sees nothing")
	}
}

// The cases of a fleet planned as so many more servers: what was promised and
// what holds.
func TestUnlikeFastMachines(t *testing.T) {
	for _, c := range []struct{ n, speed, want float64 }{{29, 2.2, 0.0363}, {1, 64, 0.439}} {
		b, err := Blocking(50, Group{c.n, c.speed})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(b-c.want) > 0.0005 {
			t.Errorf("%v machines of speed %v block %v, want %v", c.n, c.speed, b, c.want)
		}
	}
	fast := Queue{ArrivalRate: 0.5, ServiceTime: 100, AddedSpeed: 2.2}
	r, err := queueing.LeastServers(fast, queueing.Objective{Metric: queueing.Blocking, Limit: 0.01})
	if err != nil || r.Servers != 33 {
		t.Errorf("%v servers of speed 2.2, %v, want 33", r.Servers, err)
	}
}

// Added servers of any speed never do harm, and the logarithm of 1/B is
// convex: the cheapest mix is searched with both.
func TestUnlikeMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 400 {
		a := math.Exp(8*rng.Float64() - 2)
		groups := make([]Group, 2+rng.IntN(3))
		rate := 0.0
		for i := range groups {
			groups[i] = Group{a * rng.Float64(), math.Exp(4*rng.Float64() - 2)}
			rate += groups[i].Servers * groups[i].Speed
		}
		at := func(when WhenFull, more, speed float64) queueing.Figures {
			f, err := (Queue{
				ArrivalRate: a, ServiceTime: 1, Beside: groups, AddedSpeed: speed, WhenFull: when, Patience: 0.7,
			}).At(more)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		speed, step := math.Exp(6*rng.Float64()-3), 1e-2+a*rng.Float64()
		none, some, more := at(Lossy, 0, speed), at(Lossy, step, speed), at(Lossy, 2*step, speed)
		if some.Blocking > none.Blocking*(1+1e-12) {
			t.Errorf("%v: %v more of speed %v lose more", groups, step, speed)
		}
		if 2*some.Laws().LogBlocking < (none.Laws().LogBlocking+more.Laws().LogBlocking)*(1-1e-11)-1e-11 {
			t.Errorf("%v: −ln B is not convex along speed %v", groups, speed)
		}
		x, y := at(Impatient, 0, speed), at(Impatient, step, speed)
		if y.Abandonment > x.Abandonment*(1+1e-10) {
			t.Errorf("%v: %v more of speed %v: more give up", groups, step, speed)
		}
		if rate <= a {
			continue
		}
		const up = 1 + 1e-11
		x, y = at(Queued, 0, speed), at(Queued, step, speed)
		if y.WaitProbability > x.WaitProbability*up || y.MeanWait > x.MeanWait*up || y.WaitTail(0.3) > x.WaitTail(0.3)*up {
			t.Errorf("%v: %v more of speed %v: waits are longer", groups, step, speed)
		}
	}
}

// Servers of one speed, in one group or two, are those of the closed forms.
func TestUnlikeAlike(t *testing.T) {
	m := Queue{ArrivalRate: 1.2, ServiceTime: 100, Beside: []Group{{20, 2.2}}, AddedSpeed: 2.2, WhenFull: Queued}
	f, err := m.At(40)
	g, _ := queueing.MMC{ArrivalRate: 1.2, ServiceTime: 100 / 2.2}.At(60)
	if err != nil || f.MeanWait != g.MeanWait || f.OfferedLoad != 120 || f.Utilization != g.Utilization {
		t.Errorf("%+v, %v, want %+v", f, err, g)
	}
	if floor := m.Floor(); math.Abs(floor-(120/2.2-20)) > 1e-12 {
		t.Errorf("floor %v", floor)
	}
	if _, err := m.At(30); !errors.Is(err, queueing.ErrUnstable) {
		t.Errorf("50 servers of speed 2.2: %v", err)
	}
}

func TestUnlikeDomain(t *testing.T) {
	for _, m := range []Queue{
		{ArrivalRate: -1, ServiceTime: 1}, {ArrivalRate: 1}, {ArrivalRate: 1, ServiceTime: 1, AddedSpeed: -1},
		{ArrivalRate: 1, ServiceTime: 1, Beside: []Group{{1, 0}}},
		{ArrivalRate: 1, ServiceTime: 1, Beside: []Group{{-1, 1}}},
		{ArrivalRate: 1, ServiceTime: 1, WhenFull: 7},
		{ArrivalRate: 1, ServiceTime: 1, Beside: []Group{{1, 2}, {1, 3}}, WhenFull: Impatient},
	} {
		if _, err := m.At(1); !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("%+v: %v, want a DomainError", m, err)
		}
	}
}

func BenchmarkUnlike(b *testing.B) {
	m := Queue{ArrivalRate: 120, ServiceTime: 1, Beside: []Group{{12, 2.2}, {77, 0.8}}}
	for b.Loop() {
		if _, err := m.At(51); err != nil {
			b.Fatal(err)
		}
	}
}
