package chart

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// The label of a mean stands off its line where the line lies within what it is the mean of.
func TestLabelOfARowCoversNoLine(t *testing.T) {
	var near crowd
	near.frame = box(0, 0, 300, 200)
	zigzag := new(trace)
	for k := range 61 {
		zigzag.line = append(zigzag.line, vg.Point{X: vg.Length(5 * k), Y: 100 + vg.Length(8*(k%2)-4)})
	}
	near.add(zigzag)
	if r := near.place(near.besideRow(100, 40, smallSize)); near.cost(r) >= 1e4+1 {
		t.Errorf("%v covers the line", r)
	}
}
