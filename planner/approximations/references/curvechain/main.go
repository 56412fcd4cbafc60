//go:build ignore

// Curvechain computes the chance to wait in each hour of days that are staffed by SIPP,
// lagged SIPP and MOL, exactly, and prints planner/approximations/references/curves.csv
// (two CPU minutes):
// the chain M(t)/M/c(t) by uniformization, day after day until they repeat. A server whose
// shift ends finishes its job, so the state is how many are in the system and how many
// work beyond the shift. Only the loads that the days are staffed for are the package's.
//
//	go run planner/approximations/references/curvechain/main.go > planner/approximations/references/curves.csv
package main

import (
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/capplan/capplan/queueing/varying"
)

const hours = 24

func main() {
	fmt.Println("method,swing,load,service,servers,wait_probability,source")
	for _, method := range []varying.Method{varying.SIPP, varying.LaggedSIPP, varying.MOL} {
		for _, swing := range []float64{0.2, 0.5} {
			for _, load := range []float64{10, 25, 50} {
				for _, service := range []float64{0.1, 0.15, 0.3, 0.5, 1, 2} {
					c := varying.Cycle{End: hours}
					for i := range hours {
						c.Start = append(c.Start, float64(i))
						c.Rate = append(c.Rate, load/service*(1+swing*math.Sin(2*math.Pi*(float64(i)+0.5)/hours)))
					}
					loads, err := varying.IntervalLoads(c, service, 1, method)
					if err != nil {
						log.Fatal(err)
					}
					var servers []int
					var words, waits []string
					for _, a := range loads {
						servers = append(servers, staffed(a))
						words = append(words, fmt.Sprint(staffed(a)))
					}
					for _, w := range day(c.Rate, 1/service, servers) {
						waits = append(waits, fmt.Sprintf("%.6g", w))
					}
					fmt.Printf("%v,%g,%g,%g,%s,%s,curvechain\n",
						method, swing, load, service, strings.Join(words, " "), strings.Join(waits, " "))
				}
			}
		}
	}
}

// staffed is the least number of servers for which one in five waits, by Erlang's
// recursion.
func staffed(a float64) int {
	lost := 1.0
	for n := 1; ; n++ {
		lost = a * lost / (float64(n) + a*lost)
		if s := float64(n); s > a && lost/(1-a/s*(1-lost)) <= 0.2 {
			return n
		}
	}
}

// chances is a law over the number that work beyond their shift, and the number
// in the system. zero returns a law of no weight, for numbers up to the bounds.
type chances [][]float64

func zero(beyond, most int) chances {
	p := make(chances, beyond+1)
	for e := range p {
		p[e] = make([]float64, most+1)
	}
	return p
}

// day returns the chance to wait in each hour of a day that follows many like it.
// The number in the system is cut at six times the most servers and a hundred
// more, where the chance of more is below all printed digits.
func day(rate []float64, mu float64, servers []int) []float64 {
	greatest := 0
	for _, s := range servers {
		greatest = max(greatest, s)
	}
	p := zero(0, 6*greatest+100)
	p[0][0] = 1
	wait := make([]float64, hours)
	before := servers[hours-1]
	for yesterday := -1.0; math.Abs(wait[hours-1]-yesterday) > 1e-10; {
		yesterday = wait[hours-1]
		for i := range hours {
			p = p.change(before, servers[i])
			p, wait[i] = p.hour(rate[i], mu, servers[i])
			before = servers[i]
		}
	}
	return wait
}

// change ends one shift and begins the next. Whoever is served at the end of a
// shift is served to the end, by a server that works beyond it.
func (p chances) change(before, after int) chances {
	most := 0
	busy := func(e, n int) int {
		if e > 0 {
			return before + e
		}
		return min(n, before)
	}
	for e := range p {
		for n, v := range p[e] {
			if v > 0 {
				most = max(most, busy(e, n)-after)
			}
		}
	}
	q := zero(most, len(p[0])-1)
	for e := range p {
		for n, v := range p[e] {
			if v > 0 {
				q[max(0, busy(e, n)-after)][n] += v
			}
		}
	}
	return q
}

// hour returns the law after an hour and the mean chance that all servers are
// taken. Uniformization cuts the hour into parts of at most 20 jumps on average,
// whose Poisson weights are all ordinary numbers.
func (p chances) hour(rate, mu float64, servers int) (chances, float64) {
	last := len(p[0]) - 1
	uniform := rate + float64(servers+len(p)-1)*mu
	parts := math.Ceil(uniform / 20)
	wait := 0.0
	for range int(parts) {
		sum := zero(len(p)-1, last)
		v, weight, passed := p, math.Exp(-uniform/parts), 0.0
		for j := 1; j < 150; j++ {
			passed += weight
			taken := 0.0
			next := zero(len(p)-1, last)
			for e := range v {
				for n, x := range v[e] {
					if x == 0 {
						continue
					}
					sum[e][n] += weight * x
					if n >= servers {
						taken += x
					}
					up, down := rate, float64(min(n, servers))*mu
					if e > 0 {
						down = float64(servers+e) * mu
					}
					if n == last {
						up = 0
					} else {
						next[e][n+1] += x * up / uniform
					}
					if n > 0 {
						next[max(0, e-1)][n-1] += x * down / uniform
					}
					next[e][n] += x * (1 - (up+down)/uniform)
				}
			}
			wait += math.Max(0, 1-passed) / uniform * taken
			v = next
			weight *= uniform / parts / float64(j)
		}
		p = sum
	}
	return p, wait
}
