package backtest

import "math"

// clip keeps chances from 0 and 1 in the logarithmic score, where a single
// failure of a certain prediction would be worth infinitely much.
const clip = 0.001

// scoreSums are sums over the windows of one machine by one model.
type scoreSums struct {
	N         int             `json:"n"`
	Brier     float64         `json:"brier"`
	Log       float64         `json:"log"`
	Predicted float64         `json:"predicted"`
	Spread    float64         `json:"spread"` // Σ p(1−p)
	Diagram   [12]diagramCell `json:"diagram"`

	bestN, bestOf float64 // windows among the best tenth, and failures among them
}

// A diagramCell gathers the windows of a bin: those that stayed free, and the sum
// of their chances.
type diagramCell struct {
	N         int     `json:"n"`
	Free      int     `json:"f"`
	Predicted float64 `json:"p"`
}

// diagramEdges part chances in the reliability diagram; most lie near 1.
var diagramEdges = [13]float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1}

// add counts a window with its chance to stay free, and whether it did.
func (s *scoreSums) add(p float64, free bool) {
	y, q := 0.0, math.Max(clip, math.Min(1-clip, p))
	loss := -math.Log1p(-q)
	if free {
		y, loss = 1, -math.Log(q)
	}
	s.N++
	s.Brier += (p - y) * (p - y)
	s.Log += loss
	s.Predicted += p
	s.Spread += p * (1 - p)
	// A bin holds its lower edge; the last holds 1 too.
	i := len(s.Diagram) - 1
	for i > 0 && p < diagramEdges[i] {
		i--
	}
	c := &s.Diagram[i]
	c.N++
	c.Predicted += p
	if free {
		c.Free++
	}
}

// A clustered sums a ratio over machines: its mean and the standard error of
// it where machines, not windows, are independent of each other.
type clustered struct{ value, weight []float64 }

func (c *clustered) add(value, weight float64) {
	c.value, c.weight = append(c.value, value), append(c.weight, weight)
}

// addLess adds a − b, two sums of as many terms as weight says. A difference that rounding may have
// made counts as 0, so that models of equal chances do not differ.
func (c *clustered) addLess(a, b, weight float64) {
	c.add(withoutRounding(a-b, weight, a, b), weight)
}

// withoutRounding returns d, the difference of a and b, or 0 if it is at most the rounding of sums
// of that many terms, a unit in the last place each.
func withoutRounding(d, terms, a, b float64) float64 {
	const unit = 0x1p-52
	if math.Abs(d) <= (terms+1)*unit*math.Max(math.Abs(a), math.Abs(b)) {
		return 0
	}
	return d
}

// mean returns Σ value/Σ weight and √(M/(M−1) Σ (value − mean·weight)²)/Σ weight;
// the error is NaN with fewer than two machines.
func (c *clustered) mean() (mean, se float64) {
	total, weight := 0.0, 0.0
	for i, v := range c.value {
		total, weight = total+v, weight+c.weight[i]
	}
	mean = total / weight
	square := 0.0
	for i, v := range c.value {
		d := withoutRounding(v-mean*c.weight[i], weight, v, mean*c.weight[i])
		square += d * d
	}
	m := float64(len(c.value))
	if m < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(m/(m-1)*square) / weight
}
