package attempts

import "math"

// Missed sets out to the chance that neither a result nor one that replaces it is back. The result
// is given out later, in cells, than the beginning.
func Missed(out, result, again []float64, later float64) {
	before := min(int(math.Ceil(later)), len(out))
	part := math.Ceil(later) - later // the part of a cell by which a moment lies beyond a value of the law
	for i := range out[:before] {
		out[i] = 1
	}
	if out = out[before:]; part == 0 {
		result, again = result[:len(out)], again[:len(out)]
		for i, there := range result {
			out[i] = max(0, 1-there) * again[i]
		}
		return
	}
	for i := range out {
		there, none := result[i], again[i]
		out[i] = max(0, 1-(there+part*(result[i+1]-there))) * (none + part*(again[i+1]-none))
	}
}

// Again returns the chance that none of the results is back that replace an overdue one, each given
// out after another deadline and wait for a machine.
func Again(result Grid, after float64) Grid {
	g := Grid{Step: result.Step, F: make([]float64, len(result.F))}
	for i := range g.F {
		t := float64(i) * g.Step
		g.F[i] = 1
		for k := 1; t-float64(k)*after > 0 && k < 50; k++ {
			g.F[i] *= 1 - result.At(t-float64(k)*after)
		}
	}
	return g
}

// MostApart is the greatest number of results of a unit that are followed on the machines they go
// to; if there are more, all are taken to be given out with the first.
const MostApart = 6

// A Quorum is how many results of a unit are given out, and how many of them are wanted.
type Quorum struct{ Results, Wanted int }

// Back returns the chance that a quorum of results is back, if each is missing with its own
// probability.
func (q Quorum) Back(missing []float64) float64 {
	if q.Results > len(missing) {
		return q.alike(missing[0])
	}
	most := len(missing) - q.Wanted
	var short [MostApart + 1]float64 // chance that this many of the results so far are missing
	short[0] = 1
	for _, p := range missing {
		for k := most; k > 0; k-- {
			short[k] += p * (short[k-1] - short[k])
		}
		short[0] *= 1 - p
	}
	sum := 0.0
	for _, v := range short[:most+1] {
		sum += v
	}
	return min(1, sum)
}

// TwoOfThree returns the chance that at least two of three results are back, if each is missing
// with its own probability.
func TwoOfThree(a, b, c float64) float64 {
	return (1-a)*(1-b) + (1-c)*(a*(1-b)+b*(1-a))
}

// alike returns that chance if all are missing with the same probability.
func (q Quorum) alike(missing float64) float64 {
	n, wanted := q.Results, q.Wanted
	if missing == 0 {
		return 1
	}
	sum, term := 0.0, math.Pow(1-missing, float64(wanted))*math.Pow(missing, float64(n-wanted))
	for k := wanted; k <= n; k++ {
		sum += binomial(n, k) * term
		term *= (1 - missing) / missing
	}
	return sum
}

func binomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Round(math.Exp(a - b - c))
}
