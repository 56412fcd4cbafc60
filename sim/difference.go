package sim

import (
	"fmt"
	"math"
)

// Difference returns figure name of a minus that of b, replication by
// replication, with the interval of the mean difference. Both must come from one
// seed and one number of replications: the common random numbers then make the
// interval narrower than those of a and b. Replications in which either is
// undefined are left out and counted.
//
// The mean is that of the differences of each replication, which for a Ratio or
// Tally is not the difference of the two means.
func Difference(a, b Result, name string) (Estimate, error) {
	fa, ok := a.Figure(name)
	fb, also := b.Figure(name)
	if !ok || !also {
		return Estimate{}, fmt.Errorf("sim: Difference: no figure %s in both results", name)
	}
	if len(fa.values) != len(fb.values) {
		return Estimate{}, &DomainError{"Difference", "Replications", float64(len(fb.values)),
			fmt.Sprintf("%d as in the other result", len(fa.values))}
	}
	d := Estimate{Figure: fa.Figure, Low: math.Inf(-1), High: math.Inf(1), values: make([]float64, len(fa.values))}
	var p pairs
	for i := range fa.values {
		d.values[i] = fa.values[i] - fb.values[i]
		if math.IsNaN(d.values[i]) {
			d.Undefined++
			continue
		}
		p.add(d.values[i], 1)
	}
	if d.Samples = int(p.n); d.Samples > 0 {
		mean, half := p.ratio()
		d.Mean, d.Low, d.High = mean, mean-half, mean+half
	}
	return d, nil
}
