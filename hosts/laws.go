package hosts

import (
	"slices"

	"github.com/capplan/capplan/law"
)

// recordedKnots is how many quantiles a law of recorded times has.
const recordedKnots = 40

// Laws returns the laws of how long a machine stays and is away, down nil where it
// never leaves. Of records they pass through the quantiles of all spells; those cut
// at the ends of the record are left out. A Population has its own. Groups are left aside. Errors: those of
// Check, and a *DomainError for records without whole spells.
func (p *Platform) Laws() (up, down law.Law, err error) {
	if err := p.Check(); err != nil {
		return nil, nil, err
	}
	if p.Population != nil {
		return p.Population.Laws()
	}
	if len(p.Records) == 0 {
		return p.Up, p.Down, nil
	}
	var spells [2][]float64 // up, down
	for _, r := range p.Records {
		for i := range r.Changes {
			end := r.Span
			if i+1 < len(r.Changes) {
				end = r.Changes[i+1]
			}
			if d := end - r.Changes[i]; d > 0 && end < r.Span {
				spells[i%2] = append(spells[i%2], d)
			}
		}
	}
	if len(spells[0]) < 2 || len(spells[1]) < 2 {
		return nil, nil, &DomainError{"Laws", "number of whole spells",
			float64(min(len(spells[0]), len(spells[1]))), "at least 2 up and 2 down"}
	}
	if up, err = quantileLaw(spells[0]); err != nil {
		return nil, nil, err
	}
	down, err = quantileLaw(spells[1])
	return up, down, err
}

func quantileLaw(times []float64) (law.Law, error) {
	slices.Sort(times)
	p, t := make([]float64, recordedKnots+1), make([]float64, recordedKnots+1)
	for i := range p {
		p[i] = float64(i) / recordedKnots
		t[i] = max(shortest, times[int(p[i]*float64(len(times)-1)+0.5)])
	}
	return law.NewLogLinear(p, t)
}
