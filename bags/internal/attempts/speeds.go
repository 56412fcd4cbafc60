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

// EvenNodes returns n nodes of a normal law on either side of 0 and one at 0, in equal steps up to the given reach.
func EvenNodes(n int, reach float64) []Node {
	var all []Node
	sum := 0.0
	for i := -n; i <= n; i++ {
		z := reach * float64(i) / float64(n)
		all = append(all, Node{math.Exp(-z * z / 2), z})
		sum += math.Exp(-z * z / 2)
	}
	for i := range all {
		all[i].Share /= sum
	}
	return all
}

// NormalNodes are the nodes and weights of a Gauss-Hermite rule of 7 points.
var NormalNodes = []Node{
	{Share: 0.000548268855972217, Speed: -3.750439717725742}, {Share: 0.030757123967586, Speed: -2.366759410734541},
	{Share: 0.240123178605013, Speed: -1.154405394739968},
	{Share: 0.457142857142857, Speed: 0},
	{Share: 0.240123178605013, Speed: 1.154405394739968}, {Share: 0.030757123967586, Speed: 2.366759410734541},
	{Share: 0.000548268855972217, Speed: 3.750439717725742},
}

// BranchNodes is a rule of 3 points, for the branches in which help is followed if the number of
// tasks is uncertain too.
var BranchNodes = []Node{
	{Share: 1.0 / 6, Speed: -math.Sqrt(3)}, {Share: 2.0 / 3, Speed: 0}, {Share: 1.0 / 6, Speed: math.Sqrt(3)},
}
