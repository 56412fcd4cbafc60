package bags

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/hosts"
)

// A node is machines of one speed.
type node struct {
	share float64
	speed float64
}

// In how many steps the normal law of speeds is cut: under BOINC, whose results are
// followed for each, in fewer.
const (
	speedNodes = 144
	boincNodes = 36
)

// nodesOf cuts the law of speeds, normal and no less than a tenth of its mean, into so
// many steps of equal width up to the floor and above. Steps of equal width keep the few
// slow machines apart, by which a bag's last tasks wait.
func nodesOf(s hosts.Speed, steps int) []node {
	if s.SD == 0 {
		return []node{{1, s.Mean}}
	}
	floor := (0.1 - 1) * s.Mean / s.SD // in standard deviations
	var all []node
	low := max(-5, floor)
	if below := distuv.UnitNormal.CDF(low); floor > -8 {
		all = append(all, node{below, 0.1 * s.Mean})
	}
	width := (4.5 - low) / float64(steps)
	for i := range steps {
		a := low + float64(i)*width
		share := distuv.UnitNormal.CDF(a+width) - distuv.UnitNormal.CDF(a)
		// The mean of a normal between two points.
		z := (distuv.UnitNormal.Prob(a) - distuv.UnitNormal.Prob(a+width)) / math.Max(share, 1e-300)
		all = append(all, node{share, max(0.1*s.Mean, s.Mean+s.SD*z)})
	}
	sum := 0.0
	for _, n := range all {
		sum += n.share
	}
	for i := range all {
		all[i].share /= sum
	}
	return all
}
