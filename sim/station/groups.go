package station

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Group is machines of one speed among unlike ones. Who is served takes an idle
// one at random.
type Group struct {
	Machines float64 // ≥ 0
	PerJob   float64 // machines that a job holds at once, its replicas; 0 is 1
	Speed    float64 // > 0, of the server that services are of
	// Up is the chance that a machine is there, drawn once for each run, as for
	// outages that last longer than a service; 0 is 1. What a share of a server is
	// left of the machines up is one with that chance.
	Up float64
}

func (g *Group) up() float64 {
	if g.Up == 0 {
		return 1
	}
	return g.Up
}

func (g *Group) perJob() float64 {
	if g.PerJob == 0 {
		return 1
	}
	return g.PerJob
}

// rate is what the machines do on average, in servers of speed 1.
func (g *Group) rate() float64 { return g.Machines * g.up() / g.perJob() * g.Speed }

// servers draws how many there are in a run.
func (g *Group) servers(r *rand.Rand) int {
	n := g.Machines
	if p := g.up(); p < 1 && n > 0 {
		n = distuv.Binomial{N: math.Round(n), P: p, Src: r}.Rand()
	}
	n /= g.perJob()
	whole := math.Floor(n)
	if r.Float64() < n-whole {
		whole++
	}
	return int(whole)
}

func (s *Station) checkGroups(d *domain) {
	if len(s.Groups) == 0 {
		return
	}
	sum := 0.0
	for i := range s.Groups {
		g := &s.Groups[i]
		if !(g.Machines >= 0 && g.Machines <= maxServers) {
			d.fail("Groups.Machines", g.Machines, "0 <= Machines <= 2^30")
		}
		if !(g.Speed > 0) || math.IsInf(g.Speed, 1) {
			d.fail("Groups.Speed", g.Speed, "finite Speed > 0")
		}
		if !(g.Up >= 0 && g.Up <= 1) {
			d.fail("Groups.Up", g.Up, "0 <= Up <= 1")
		}
		if !(g.PerJob >= 0) || math.IsInf(g.PerJob, 1) {
			d.fail("Groups.PerJob", g.PerJob, "finite PerJob >= 0")
		}
		sum += g.Machines / g.perJob()
	}
	if !(sum > 0 && sum <= maxServers) {
		d.fail("Groups", sum, "0 < servers <= 2^30")
	}
	wide := false
	for _, c := range s.Classes {
		wide = wide || c.Width > 1 || c.Reserve > 0
	}
	if s.Order != FCFS || s.Preemptive || s.Places > 0 || len(s.Shifts) > 0 || len(s.Jobs) > 0 || wide {
		d.fail("Groups", sum, "none but for narrow customers in order of arrival, without places, shifts and logs")
	}
}

// staff makes the servers of a run.
func (d *desk) staff(r *rand.Rand) {
	d.servers = 0
	for i := range d.st.Groups {
		n := d.st.Groups[i].servers(r)
		d.idle = append(d.idle, n)
		d.servers += n
	}
	d.pick = r
}

// assign takes an idle server of a group for a customer, who is served at its speed.
func (d *desk) assign(c *customer) {
	free := 0
	for _, n := range d.idle {
		free += n
	}
	u := d.pick.IntN(free)
	for g, n := range d.idle {
		if u -= n; u < 0 {
			d.idle[g]--
			c.group = int32(g)
			c.left /= d.st.Groups[g].Speed
			c.length = c.left
			return
		}
	}
}
