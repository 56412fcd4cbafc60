package chart

import (
	"image/color"
	"math"
)

// viridis holds ten colours of the map of S. van der Walt and N. Smith (2015,
// dedicated to the public domain) at equal steps. Its lightness grows from end
// to end, for every kind of colour vision and in a grey print.
var viridis = []color.NRGBA{
	{0x44, 0x01, 0x54, 0xFF},
	{0x48, 0x28, 0x78, 0xFF},
	{0x3E, 0x4A, 0x89, 0xFF},
	{0x31, 0x68, 0x8E, 0xFF},
	{0x26, 0x82, 0x8E, 0xFF},
	{0x1F, 0x9E, 0x89, 0xFF},
	{0x35, 0xB7, 0x79, 0xFF},
	{0x6D, 0xCD, 0x59, 0xFF},
	{0xB4, 0xDE, 0x2C, 0xFF},
	{0xFD, 0xE7, 0x25, 0xFF},
}

var (
	blankColor = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
	crossColor = color.NRGBA{0x99, 0x99, 0x99, 0xFF}
)

// heatColor returns the colour at t in 0..1.
func heatColor(t float64) color.NRGBA {
	at := t * float64(len(viridis)-1)
	i := min(int(at), len(viridis)-2)
	f := at - float64(i)
	a, b := viridis[i], viridis[i+1]
	mix := func(p, q uint8) uint8 { return uint8(math.Round(float64(p) + f*(float64(q)-float64(p)))) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xFF}
}
