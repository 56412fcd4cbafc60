package attempts

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/hosts"
)

// A Node is a share of the machines and their speed.
type Node struct {
	Share float64
	Speed float64
}

// The number of steps into which the normal law of speeds is cut. BOINC has fewer, as its results
// are followed for each.
const (
	SpeedNodes = 144
	BoincNodes = 36
)

// NodesOf cuts the law of speeds, normal and at least a tenth of its mean, into steps of equal
// width and one at the floor. Equal widths keep the few slow machines apart, for which a bag's last
// tasks wait.
func NodesOf(s hosts.Speed, steps int) []Node {
	if s.SD == 0 {
		return []Node{{1, s.Mean}}
	}
	floor := (0.1 - 1) * s.Mean / s.SD // in standard deviations
	var all []Node
	low := max(-5, floor)
	if below := distuv.UnitNormal.CDF(low); floor > -8 {
		all = append(all, Node{below, 0.1 * s.Mean})
	}
	width := (4.5 - low) / float64(steps)
	for i := range steps {
		a := low + float64(i)*width
		share := distuv.UnitNormal.CDF(a+width) - distuv.UnitNormal.CDF(a)
		// The mean of a normal variable between two points.
		z := (distuv.UnitNormal.Prob(a) - distuv.UnitNormal.Prob(a+width)) / math.Max(share, 1e-300)
		all = append(all, Node{share, max(0.1*s.Mean, s.Mean+s.SD*z)})
	}
	sum := 0.0
	for _, n := range all {
		sum += n.Share
	}
	for i := range all {
		all[i].Share /= sum
	}
	return all
}
