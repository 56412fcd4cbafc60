//go:build highs && cgo

package highs

import (
	"testing"

	"github.com/capplan/capplan/lp"
)

// HiGHS copies as many values as its model has. Where that is not the size that
// is asked for, nothing is copied.
func TestSolutionOfAnotherSize(t *testing.T) {
	m := &lp.Model{
		Variables: []lp.Variable{{Cost: 1, Upper: 1}, {Cost: 2, Upper: 1}, {Cost: 3, Upper: 1}},
		Rows:      []lp.Row{{Lower: 1, Upper: 2, Terms: []lp.Term{{Variable: 0, Coefficient: 1}, {Variable: 2, Coefficient: 1}}}},
	}
	p, err := layOut(m)
	if err != nil {
		t.Fatal(err)
	}
	h, err := newInstance(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer h.free()
	if x, dual, feasible, _ := h.solution(); x != nil || dual != nil || feasible {
		t.Errorf("before there is a model: %v, %v", x, dual)
	}
	if err := h.option("output_flag", false); err != nil {
		t.Fatal(err)
	}
	if err := h.pass(p); err != nil {
		t.Fatal(err)
	}
	if x, dual, _, _ := h.solution(); x != nil || dual != nil {
		t.Errorf("before the run: %v, %v", x, dual)
	}
	h.run()
	if x, dual, feasible, _ := h.solution(); len(x) != 3 || len(dual) != 1 || !feasible || x[0] != 1 {
		t.Errorf("%v, %v, %v", x, dual, feasible)
	}
	for _, size := range [][2]int{{2, 1}, {3, 0}, {1000, 1}, {3, 1000}} {
		h.columns, h.rows = size[0], size[1]
		if x, dual, feasible, _ := h.solution(); x != nil || dual != nil || feasible {
			t.Errorf("asked for %v: %v, %v", size, x, dual)
		}
	}
	h.columns, h.rows = 3, 1
}
