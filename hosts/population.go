package hosts

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/law"
)

// A Population is of machines that come and go each by what is known of it: by a
// law, an age and an hour of its own.
type Population interface {
	// Size is their number, 1 to MostMachines.
	Size() int
	// Availability is the share of time that machine i is there, 0 <= i < Size().
	Availability(i int) float64
	// Laws are those of how long a machine stays and is away, of package law: of a
	// stay of any of them, so that those that come often weigh more. Down is nil
	// where none ever leaves.
	Laws() (up, down law.Law, err error)
	// Begin draws what holds for a whole run, and returns what begins the course of
	// machine i from its own random numbers.
	Begin(chance Chance) func(i int, r *rand.Rand) Course
}

// A Course hands out what a machine does, spell by spell, from the one that covers
// time 0 on: whether it is there, and until when, in seconds, +Inf for ever. The
// second of two spells in a row may be as the first.
type Course func() (up bool, until float64)

// populationAvailability is the mean over the machines.
func populationAvailability(p Population) float64 {
	sum := 0.0
	for i := range p.Size() {
		sum += p.Availability(i)
	}
	return sum / float64(p.Size())
}

// presentOf are mean and spread of the number there, of machines that are so
// independently of each other while their group is, but for what a [Sharing] says
// that they have in common.
func (p *Platform) presentOf() (mean, sd float64) {
	g, n, groups := p.GroupAvailability(), p.Machines(), max(1, p.Groups.Count)
	variance, i := 0.0, 0
	for k := range groups {
		there, own := 0.0, 0.0
		for ; i < n && i*groups/n == k; i++ {
			a := p.Population.Availability(i)
			there, own = there+a, own+a*(1-a)
		}
		mean += g * there
		variance += g*own + g*(1-g)*there*there
	}
	if s, ok := p.Population.(Sharing); ok {
		variance += g * g * s.SharedVariance()
	}
	return mean, math.Sqrt(variance)
}

// Sharing is a Population whose machines are more or less there together.
type Sharing interface {
	Population
	// SharedVariance is that of the number there which machines have in common, at a
	// random moment, beside what each has of its own.
	SharedVariance() float64
}

// forGood is a time, in seconds, beyond which nothing is told apart: 30,000 years.
const forGood = 1e12

// drawn is the next spell of a machine of a population; time goes on in it.
func (h *Host) drawn() spell {
	up, until := h.course()
	if !(until >= h.own.until+shortest) {
		until = h.own.until + shortest
	}
	if until > forGood {
		until = math.Inf(1)
	}
	return spell{up, until}
}
