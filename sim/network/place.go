package network

// A place is a station in a run.
type place struct {
	servers float64 // +Inf of a delay
	slower  float64
	ordered bool
	// lines are all who are there: one line where it is in order of arrival, the served in any order
	// before those who wait, else one for each class, in any order.
	lines [][]customer
	there int
	of    []int     // how many by class
	rate  []float64 // of completions by class
	next  [][]way   // from here, by class, once somebody goes on
	since float64   // when the sums were brought up to date
	sums  placeSums
}

// A way leads to a station with a chance.
type way struct {
	to     int
	chance float64
}

// placeSums are what a station adds up from the end of the warm-up on.
type placeSums struct{ busy, number, came float64 }

// ways returns the ways of positive chance from a station.
func (p *place) ways(classes, class int, chances []float64) []way {
	if p.next == nil {
		p.next = make([][]way, classes)
	}
	if p.next[class] == nil {
		p.next[class] = []way{}
		for to, chance := range chances {
			if chance > 0 {
				p.next[class] = append(p.next[class], way{to, chance})
			}
		}
	}
	return p.next[class]
}

// weigh computes the rates of a station anew: k of the n there are served at
// min(n, c)·k/n over their mean service.
func (x *run) weigh(station int) {
	p := &x.places[station]
	total, share := 0.0, 1.0
	if n := float64(p.there); n > p.servers {
		share = (p.servers + p.slower*(n-p.servers)) / n
	}
	for k, m := range p.of {
		if p.rate[k] = 0; m > 0 {
			p.rate[k] = float64(m) * share / x.n.Classes[k].Demands[station]
		}
		total += p.rate[k]
	}
	x.rates.set(station, total)
}

// settle adds up what a station held since it changed last.
func (x *run) settle(p *place) {
	if !x.counts {
		return
	}
	dt, n := x.now-p.since, float64(p.there)
	p.sums.number += n * dt
	p.sums.busy += min(n, p.servers) * dt
	p.since = x.now
}
