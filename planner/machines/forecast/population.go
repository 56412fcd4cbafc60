package forecast

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/frailty"
)

// A PopulationQuestion asks for machines of a fleet as they are foreseen, for
// simulations and bags of tasks.
type PopulationQuestion struct {
	Fleet *Fleet
	// Hosts are machines of the fleet, or not known to it; nil: all of them.
	Hosts []string
	// Count, above 0, is a number of unknown machines like those of the fleet, in place of Hosts.
	Count int
	// Day (weekday or weekend) and Start, seconds from midnight, are those of the day
	// after the records on which time 0 lies; an empty Day is the records' end.
	Day   string
	Start float64
	// Down is the law of how long a machine is away, in place of what the fleet knows
	// of it.
	Down law.Law
}

// Population returns the machines, and the moment of their time 0. Each run draws
// the frailty of each machine from what its record says, those of groups in common,
// and then the course of each by age and hour:
//
//	θ ~ Gamma(k + d, (k + φL)/φ),  stay: ∫ θ α(age) β(hour) = E, E ~ exponential of mean 1
//
// and likewise how long it is away, by the hazard of coming back. The hazards α and β themselves are
// taken as known, here and in the laws of spells: of few failures [Ask], [Fleet.Risk] and what stands
// on them average over what is not. At time 0 it is
// there with the share of time that it was, in odds, as that hour of the week differs
// from all; of an age as machines of the fleet have in that hour. Errors:
// *ask.InputError.
func (f *Fleet) Population(q *PopulationQuestion) (hosts.Population, time.Time, error) {
	if q == nil || f == nil {
		return nil, time.Time{}, ask.Missing("fleet", "a fitted fleet")
	}
	if err := f.check(); err != nil {
		return nil, time.Time{}, ask.Inputf("fleet", "%v", err)
	}
	if f.Returns == nil && q.Down == nil {
		return nil, time.Time{}, ask.Inputf("down",
			"the fleet file does not say how long machines stay away: fit it again to traces in which machines come "+
				"back, or give a law such as 1h")
	}
	begin, err := f.moment(q.Day, q.Start)
	if err != nil {
		return nil, time.Time{}, err
	}
	names := q.Hosts
	switch {
	case q.Count < 0 || q.Count > hosts.MostMachines:
		return nil, time.Time{}, ask.Inputf("machines", "is %d, want 1 to 10,000,000", q.Count)
	case q.Count > 0 && names != nil:
		return nil, time.Time{}, ask.Inputf("machines", "cannot be combined with names: give either")
	case q.Count == 0 && names == nil:
		names = f.names()
	}
	if q.Count == 0 && len(names) == 0 {
		return nil, time.Time{}, ask.Inputf("fleet", "has no machine")
	}
	p := &population{fleet: f, lost: &f.Hazard, down: q.Down}
	if q.Down == nil {
		p.back = f.Returns
		p.backHours = newHourClock(p.back, f, begin)
	}
	p.hours = newHourClock(p.lost, f, begin)
	p.observe(begin)
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return nil, time.Time{}, ask.Inputf("hosts", "machine %s is named twice", spell.Quote(name))
		}
		seen[name] = true
		if _, known := f.find(name); !known {
			return nil, time.Time{}, ask.Inputf("hosts", "the fleet has no machine %s%s", spell.Quote(name),
				spell.Among(name, f.names()))
		}
		p.members = append(p.members, p.member(name))
	}
	if p.alike = 1; q.Count > 0 {
		p.members, p.alike = []member{p.member("")}, q.Count
	}
	where := cmp.Or(f.calendar().Location, time.UTC)
	return p, time.Unix(int64(begin), 0).In(where), nil
}

// moment returns the unix seconds of a time of day on the next day of a kind.
func (f *Fleet) moment(day string, start float64) (float64, error) {
	if day == "" {
		return f.End, nil
	}
	first, _, err := f.at(&machines.DayWindow{Day: day, Start: start, Window: f.Hazard.Period})
	return float64(first) * f.Hazard.Period, err
}

// A population is machines of a fleet by its model.
type population struct {
	fleet      *Fleet
	lost, back *frailty.Model // back nil: by the law down
	down       law.Law
	hours      *hourClock // of lost
	backHours  *hourClock
	members    []member
	alike      int       // machines that each of the members stands for, whose order is that of the members
	free       []float64 // chance of an age bin, of a machine that is there at time 0
	gone       []float64 // and of how long it has been away
	share      float64   // of time that machines of the fleet are there, 0 < share <= 1
	odds       []float64 // how the odds of each hour differ; nil where back is
	hour       int       // of odds at time 0
	first      int       // that of the week at time 0, from Monday on
	weeks      []week    // where back is nil: by frailty, see weekAt
}

// A member is what is known of one machine.
type member struct {
	lost, back frailty.Machine
	share      float64 // of time that it is there
	hours      *week   // that of each hour, where back is nil
}

// observe sums up what machines of the fleet were seen to do. Exposures count
// half steps; the half step in which a spell began belongs to it and to no age.
func (p *population) observe(begin float64) {
	f := p.fleet
	hour := (frailty.Clock{Period: 1, Calendar: f.calendar()}).Hour(int64(begin))
	p.hour = hour
	var free, gone [frailty.Ages]float64
	var all [2]float64 // free, gone: in half steps
	var at [2][frailty.Hours]float64
	for i := range f.Records {
		r := &f.Records[i]
		for k, of := range [][2]*frailty.Cells{{&r.Exposure, &r.Failures}, {&r.Absence, &r.Returned}} {
			seen := [2]*[frailty.Ages]float64{&free, &gone}[k]
			of[0].Each(func(age, h int, n int64) {
				all[k] += float64(n)
				at[k][h] += float64(n)
				if h == hour {
					seen[age] += float64(n)
				}
			})
			of[1].Each(func(_, h int, n int64) { // the half step before the spell was seen to begin
				all[k] += float64(n)
				at[k][h] += float64(n)
			})
		}
	}
	p.free, p.gone = cumulated(free[:]), cumulated(gone[:])
	// Without returns nothing is known of absences but the law that was given,
	// and shares follow from it machine by machine.
	if p.back == nil {
		at := time.Unix(int64(begin), 0).In(cmp.Or(f.calendar().Location, time.UTC))
		p.first = int(at.Weekday()+6)%7*24 + at.Hour()
		p.share, p.weeks = 1, p.allWeeks()
		return
	}
	p.share = all[0] / (all[0] + all[1])
	p.odds = make([]float64, frailty.Hours)
	for h := range p.odds {
		p.odds[h] = 1
		if away := 1 - p.share; away > 0 { // a half step as all hours are, for those never seen to be away
			p.odds[h] = (at[0][h] + p.share) / (at[1][h] + away) * away / p.share
		}
	}
}

// cumulated returns the law of a bin; nil where none was seen.
func cumulated(n []float64) []float64 {
	out, sum := make([]float64, len(n)), 0.0
	for i, v := range n {
		sum += v
		out[i] = sum
	}
	if sum == 0 {
		return nil
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// shrinkage is how much of a machine's record the fleet's share of time weighs: a day.
const shrinkage = 86400

// member returns what is known of a machine; of no name, nothing.
func (p *population) member(name string) member {
	m := member{share: p.share, lost: frailty.Machine{Frailty: 1}, back: frailty.Machine{Frailty: 1}}
	k, known := p.fleet.find(name)
	if known {
		m.lost, _ = p.lost.Machine(name)
	}
	if p.back == nil {
		m.hours = p.weekOf(m.lost)
		m.share = stat.Mean(m.hours[:], nil)
		return m
	}
	if known {
		m.back, _ = p.back.Machine(name)
		r := &p.fleet.Records[k]
		half := p.lost.Period / 2
		free := float64(r.Exposure.Total()+r.Failures.Total()) * half
		gone := float64(r.Absence.Total()+r.Returned.Total()) * half
		m.share = (free + shrinkage*p.share) / (free + gone + shrinkage)
	}
	return m
}

// Size is the number of machines.
func (p *population) Size() int { return len(p.members) * p.alike }

// Availability is the share of time that machine i was there, with a day of the
// fleet's beside its own.
func (p *population) Availability(i int) float64 { return p.members[i/p.alike].share }

// groupChance is the entity of a group's frailty: "frgd".
const groupChance uint64 = 0x66726764

// Begin draws the frailties of groups. What it returns draws the course of one
// machine, and is called once for each.
func (p *population) Begin(chance hosts.Chance) func(i int, r *rand.Rand) hosts.Course {
	shared := map[string]float64{}
	for i := range p.lost.Groups {
		g := &p.lost.Groups[i]
		shared[g.Name] = pick(g, chance(groupChance, uint64(i)).Float64())
	}
	return func(i int, r *rand.Rand) hosts.Course {
		m := &p.members[i/p.alike]
		phi, ok := shared[m.lost.Group]
		if !ok {
			// A machine of no group has a factor of 1.
			phi = 1
		}
		c := &drawing{p: p, r: r}
		c.lost = drawn(p.lost, m.lost, phi, r)
		if p.back != nil {
			c.back = drawn(p.back, m.back, 1, r)
		}
		there := 0.0
		if p.back == nil {
			there = p.weekAt(c.lost)[p.first]
		} else {
			there = share(m.share, p.odds[p.hour])
		}
		c.up = there == 1 || r.Float64() < there
		return c.next
	}
}

// pick draws from the law of a group's frailty.
func pick(g *frailty.Group, u float64) float64 {
	for i, w := range g.Weight {
		if u -= w; u < 0 {
			return g.Frailty[i]
		}
	}
	return g.Frailty[len(g.Frailty)-1]
}

// drawn draws a frailty by what is known of a machine, from the gamma law of the frailty given its
// record and its group's φ.
func drawn(m *frailty.Model, x frailty.Machine, phi float64, r *rand.Rand) float64 {
	theta := law.Gamma{Shape: m.Shape + x.Failures, Scale: phi / (m.Shape + phi*x.Expected)}.Draw(r)
	return math.Max(theta, math.SmallestNonzeroFloat64)
}

// A drawing is the course of one machine in one run.
type drawing struct {
	p          *population
	r          *rand.Rand
	lost, back float64 // its frailties
	up         bool    // the spell that comes next
	t          float64
	begun      bool
}

// next returns the next spell, up or away, and when it ends.
func (c *drawing) next() (bool, float64) {
	up, age := c.up, frailty.Age{}
	// At time 0 a spell is under way, and its age is drawn from those seen then.
	seen := c.p.gone
	if up {
		seen = c.p.free
	}
	if !c.begun && seen != nil {
		u := c.r.Float64()
		age = frailty.AgeOf(min(sort.SearchFloat64s(seen, u), frailty.Ages-1))
	}
	switch {
	case up:
		c.t = c.p.hours.stay(c.p.lost, c.t, age, c.r.ExpFloat64()/c.lost)
	case c.p.back != nil:
		c.t = c.p.backHours.stay(c.p.back, c.t, age, c.r.ExpFloat64()/c.back)
	default:
		c.t += c.away()
	}
	if c.begun && (up || c.p.back != nil) {
		c.t += c.p.lost.Period / 2 // it began between two samples, and ages count from the second
	}
	c.begun, c.up = true, !up
	return up, c.t
}

// away draws from the law that was given; of a machine that is away at time 0, what
// is left.
func (c *drawing) away() float64 {
	l := c.p.down
	if c.begun {
		t, err := l.Quantile(c.r.Float64())
		if err != nil {
			return l.Mean()
		}
		return t
	}
	// Of a spell that time 0 falls into the whole is length-biased, and what is
	// left of it is uniform.
	whole, err := law.LengthBiasedQuantile(l, c.r.Float64())
	if err != nil {
		whole = l.Mean()
	}
	return whole * c.r.Float64()
}

// Describe says what a population stands on, for the name of a platform; no question
// asks for all machines.
func (f *Fleet) Describe(name string, q *PopulationQuestion, at time.Time) string {
	what := "all machines"
	switch {
	case q == nil:
	case q.Count > 0:
		what = "machines like those"
	case q.Hosts != nil:
		what = "machines"
	}
	return fmt.Sprintf("%s of %s as predicted from %s on", what, name, at.Format("2006-01-02 15:04"))
}
