package numeric

import "math"

// A DecayTable evaluates [Decay] for one y and w0 and many b: by interpolation
// between Chebyshev points of panels that are made when they are first asked
// for. ∫ exp(E) has its nearest zeros, in b, some 2.8·√y off the real axis, as
// those of the error function, so that panels 1.5·√y wide and 14 points give
// 1e-11 relative (TestDecayTable). Towards the pole at b = 0 panels get narrower, so
// that it stays five half-widths away from their middle; very near it nothing is
// interpolated. It is not safe for concurrent use.
type DecayTable struct {
	y, w0, width float64
	panels       map[decayPanel][]Decay
}

// A decayPanel is the place of a panel in its own widths, which are halved so often.
type decayPanel struct{ place, halved int }

// mostHalved bounds how narrow panels get.
const mostHalved = 10

const decayPoints = 14

// farPanel bounds the panels; beyond, b is far from all that the table is for.
const farPanel = 1 << 20

// NewDecayTable returns the table for y ≥ 0 and w0 ≥ 0.
func NewDecayTable(y, w0 float64) *DecayTable {
	return &DecayTable{y: y, w0: w0, width: 1.5 * math.Sqrt(y+1), panels: map[decayPanel][]Decay{}}
}

// At returns the integrals at b > 0.
func (d *DecayTable) At(b float64) Decay {
	at, width, halved := b/d.width, d.width, 0
	for at < 2 && halved < mostHalved {
		at, width, halved = 2*at, width/2, halved+1
	}
	if !(at >= 2 && at < farPanel) {
		return DecayIntegrals(b, d.y, d.w0)
	}
	k := decayPanel{int(at), halved}
	panel := d.panels[k]
	if panel == nil {
		panel = make([]Decay, decayPoints)
		for i := range panel {
			panel[i] = DecayIntegrals(width*(float64(k.place)+(1-decayNodes[i])/2), d.y, d.w0)
		}
		d.panels[k] = panel
	}
	// Berrut, Trefethen, Barycentric Lagrange interpolation, SIAM Rev. 46, 2004.
	x := 1 - 2*(at-float64(k.place))
	out, total := Decay{}, 0.0
	for i := range panel {
		p := &panel[i]
		away := x - decayNodes[i]
		if away == 0 {
			return *p
		}
		w := decayWeights[i] / away
		total += w
		out.Log += w * p.Log
		out.Spent += w * p.Spent
		out.Left += w * p.Left
		out.WLeft += w * p.WLeft
		out.MeanW += w * p.MeanW
	}
	out.Log, out.Spent, out.Left = out.Log/total, out.Spent/total, out.Left/total
	out.WLeft, out.MeanW = out.WLeft/total, out.MeanW/total
	return out
}

var decayNodes, decayWeights = func() (x, w [decayPoints]float64) {
	for i := range x {
		angle := (2*float64(i) + 1) * math.Pi / (2 * decayPoints)
		x[i], w[i] = math.Cos(angle), math.Sin(angle)*float64(1-2*(i%2))
	}
	return x, w
}()
