package sizing

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// hours is a made-up day of calls per second, by the hour.
var hours = []float64{
	0.05, 0.04, 0.03, 0.03, 0.04, 0.07, 0.16, 0.34, 0.62, 0.83, 0.9, 0.86,
	0.74, 0.71, 0.78, 0.81, 0.76, 0.63, 0.46, 0.33, 0.24, 0.17, 0.11, 0.07,
}

// dayOf is that day with its rates times a factor.
func dayOf(factor float64) *traffic.Curve {
	c := &traffic.Curve{End: 86400}
	for i, r := range hours {
		c.Start, c.Rate = append(c.Start, 3600*float64(i)), append(c.Rate, r*factor)
	}
	return c
}

// A chainDay follows the probabilities of the number there, M(t)/M/n(t), by
// Runge and Kutta's steps through two days, and averages over the arrivals of
// each hour of the second what they meet: state by state.
func chainDay(t *testing.T, c *traffic.Curve, service float64, staff []int64, lossy bool, meets func(there, servers int) float64) []float64 {
	t.Helper()
	most, rate := int64(0), 0.0
	for i, n := range staff {
		most, rate = max(most, n), math.Max(rate, c.Rate[i])
	}
	size := int(math.Max(float64(most), rate*service) + 8*math.Sqrt(float64(most)) + 40)
	p := make([]float64, size+1)
	p[0] = 1
	flow := func(dp, p []float64, arrivals float64, servers int) {
		clear(dp)
		for x := range p {
			if x < size && (!lossy || x < servers) {
				dp[x] -= arrivals * p[x]
				dp[x+1] += arrivals * p[x]
			}
			if x > 0 {
				busy := x
				if !lossy { // who is there beyond the servers of the new hour waits again
					busy = min(x, servers)
				}
				gone := float64(busy) / service * p[x]
				dp[x] -= gone
				dp[x-1] += gone
			}
		}
	}
	k := [4][]float64{}
	for i := range k {
		k[i] = make([]float64, size+1)
	}
	q, met := make([]float64, size+1), make([]float64, size+1)
	out := make([]float64, len(staff))
	for range 2 {
		for i, n := range staff {
			length := c.End - c.Start[i]
			if i+1 < len(c.Start) {
				length = c.Start[i+1] - c.Start[i]
			}
			for x := range met {
				met[x] = meets(x, int(n))
			}
			step := 1 / (c.Rate[i] + float64(most+20)/service)
			run := math.Min(length, 30*service) // steady after
			steps := int(math.Ceil(run / step))
			step = run / float64(steps)
			sum := 0.0
			for range steps {
				before := floats.Dot(p, met)
				flow(k[0], p, c.Rate[i], int(n))
				for stage, h := range []float64{step / 2, step / 2, step} {
					for x := range q {
						q[x] = p[x] + h*k[stage][x]
					}
					flow(k[stage+1], q, c.Rate[i], int(n))
				}
				for x := range p {
					p[x] += step / 6 * (k[0][x] + 2*k[1][x] + 2*k[2][x] + k[3][x])
				}
				sum += step * (before + floats.Dot(p, met)) / 2
			}
			out[i] = (sum + (length-run)*floats.Dot(p, met)) / length
		}
	}
	return out
}

// MOL keeps every limit in every hour by the chain that the day really is, with
// services from a millionth of the hour to a fifteenth of it, and asks for less
// than the peak of the load would. Where services are short it asks for what
// each hour's own load needs, to the server.
func TestStaffingAgainstChain(t *testing.T) {
	late := func(service, limit float64) func(there, servers int) float64 {
		return func(there, servers int) float64 { // fewer leave in the time than are ahead
			if there < servers {
				return 0
			}
			mean := float64(servers) / service * limit
			term := math.Exp(-mean)
			sum := term
			for k := 1; k <= there-servers; k++ {
				term *= mean / float64(k)
				sum += term
			}
			return math.Min(sum, 1)
		}
	}
	second, twenty := units.Duration(0.1), units.Duration(20)
	share, blocking := units.Percentile(0.8), units.Fraction(0.01)
	mean := units.Duration(15)
	// Of the response a part is the service: 15 s and 1 % are left, of which the
	// run-off may use up some.
	response, slow := units.Duration(255), units.Duration(750)
	longer := func(there, servers int) float64 { // stages of those ahead, then the service, 240 s
		rate, own := float64(servers)/240, 1./240
		tail := math.Exp(-750 * own)
		term := math.Exp(-750 * rate)
		ahead := term
		for k := 1; k <= there-servers+1; k++ {
			tail = (rate*tail - own*ahead) / (rate - own)
			term *= 750 * rate / float64(k)
			ahead += term
		}
		return tail
	}
	for _, c := range []struct {
		name           string
		factor         float64
		service        float64
		objectives     Objectives
		lossy          bool
		limit          float64
		meets          func(there, servers int) float64
		asSIPP, atMost int64 // server hours; asSIPP: each hour's own load
	}{
		{"120 ms", 100, 0.12, Objectives{MaxWait: &second}, false, 0.05, late(0.12, 0.1), 1, 0},
		{"4 min", 0.1, 240, Objectives{MaxWait: &twenty, Percentile: &share}, false, 0.2, late(240, 20), 0, 340},
		{"loss", 0.1, 240, Objectives{MaxBlocking: &blocking}, true, 0.01, func(there, servers int) float64 {
			if there >= servers {
				return 1
			}
			return 0
		}, 0, 440},
		{"mean wait", 0.1, 240, Objectives{MaxMeanWait: &mean}, false, 15, func(there, servers int) float64 {
			return math.Max(float64(there-servers+1), 0) * 240 / float64(servers)
		}, 0, 340},
		{"mean response", 0.1, 240, Objectives{MaxMeanResponse: &response}, false, 15, func(there, servers int) float64 {
			return math.Max(float64(there-servers+1), 0) * 240 / float64(servers)
		}, 0, 340},
		{"response", 0.1, 240, Objectives{MaxResponse: &slow}, false, 0.05, longer, 0, 360},
	} {
		service := units.Point(units.Duration(c.service))
		day := dayOf(c.factor)
		a := size(t, &SizeQuestion{Traffic: Traffic{Curve: day, ServiceTime: &service}, Objectives: c.objectives})
		var staff, own []int64
		for _, v := range a.Staffing.Intervals {
			staff, own = append(staff, v.Servers), append(own, v.ServersSIPP)
			if c.asSIPP > 0 && v.Servers != v.ServersSIPP {
				t.Errorf("%s: %d servers from %v s, its own load asks for %d", c.name, v.Servers, v.Start, v.ServersSIPP)
			}
		}
		failed := 0
		for _, met := range chainDay(t, day, c.service, own, c.lossy, c.meets) {
			if met > c.limit*(1+unseen) {
				failed++
			}
		}
		for i, met := range chainDay(t, day, c.service, staff, c.lossy, c.meets) {
			if met > c.limit*(1+unseen) {
				t.Errorf("%s: hour %d with %d servers comes to %.4g, want at most %g", c.name, i, staff[i], met, c.limit)
			}
		}
		t.Logf("%s: SIPP fails in %d hours with %g, MOL takes %g", c.name, failed, a.Staffing.HoursSIPP, a.Staffing.HoursMOL)
		if c.asSIPP == 0 && failed == 0 {
			t.Errorf("%s: the loads of the hours themselves were enough, which tests nothing", c.name)
		}
		if c.atMost > 0 && a.Staffing.HoursMOL > float64(c.atMost) {
			t.Errorf("%s: %g server hours, want at most %d", c.name, a.Staffing.HoursMOL, c.atMost)
		}
	}
}

// A server costs nothing that is not there: hourly steps of requests of 120 ms,
// found with 13 servers where 10 are enough.
func TestStaffingOfShortServices(t *testing.T) {
	service, wait := units.Point(units.Duration(0.12)), units.Duration(0.1)
	for _, scv := range []units.Number{0, 0.5, 1, 4} {
		q := &SizeQuestion{Traffic: Traffic{Curve: dayOf(100), ServiceTime: &service, ServiceSCV: &scv}, Objectives: Objectives{MaxWait: &wait}}
		a := size(t, q)
		for _, v := range a.Staffing.Intervals {
			if v.ServersMOL != v.ServersSIPP {
				t.Errorf("SCV %v: %d servers from %v s, its own load asks for %d", scv, v.ServersMOL, v.Start, v.ServersSIPP)
			}
		}
	}
}

// The answer for a day is what the intervals ask for, though each of several limits
// has a load of its own in an interval, and the run-off uses up a part of some: one
// server fewer does not do, and a check agrees.
func TestDayAnswersAsItsIntervals(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 11))
	ptr := func(x float64) *units.Duration { return new(units.Duration(x)) }
	for k := range longtest.Of(60, 300) {
		day, services := dayOf(1), []float64{180, 1800, 7200}
		s := services[r.IntN(len(services))]
		scale := []float64{1, 10, 100, 1000}[r.IntN(4)] / s
		for i := range day.Rate {
			day.Rate[i] *= scale * (0.5 + 0.7*r.Float64())
			if k%3 == 0 && i < 7 {
				day.Rate[i] = 0
			}
		}
		var o Objectives
		for _, i := range r.Perm(5)[:1+k%3] {
			switch i {
			case 0:
				o.MaxWait, o.Percentile = ptr(s*[]float64{0.02, 0.3}[r.IntN(2)]), new(units.Percentile(0.5))
			case 1:
				o.MaxMeanWait = ptr(s * []float64{0.01, 0.1, 1}[r.IntN(3)])
			case 2:
				o.MaxUtilization = new(units.Fraction([]float64{0.6, 0.85, 0.95}[r.IntN(3)]))
			case 3:
				o.MaxMeanResponse = ptr(s * []float64{1.05, 1.5}[r.IntN(2)])
			case 4:
				o.MaxBlocking = new(units.Fraction(0.4))
			}
		}
		service := units.Point(units.Duration(s))
		q := &SizeQuestion{Traffic: Traffic{Curve: day, ServiceTime: &service}, Objectives: o, Model: Wait}
		a := size(t, q)
		most := int64(0)
		for _, v := range a.Staffing.Intervals {
			most = max(most, v.Servers)
		}
		if a.Servers != most || a.Alternatives[0].Met || *a.ServersReal <= float64(most-1) || *a.ServersReal > float64(most) {
			t.Errorf("day %d: %d servers, with a fraction %v, one fewer met %v; the intervals ask for %d",
				k, a.Servers, *a.ServersReal, a.Alternatives[0].Met, most)
		}
		for n, met := range map[int64]bool{most: true, most - 1: false} {
			c, err := Check(t.Context(), &CheckQuestion{*q, n})
			if err != nil || c.Met != met || c.Needed != most {
				t.Errorf("day %d: %d servers met %v, needed %d, %v; want %v and %d", k, n, c.Met, c.Needed, err, met, most)
			}
		}
	}
}
