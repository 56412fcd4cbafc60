package mixes

import (
	"strings"
	"testing"
)

// What the searches before them left of the steps of a plan bounds draws and fleets, once.
func TestSettle(t *testing.T) {
	w := NewWork(1)
	if w.Settle(); w.Drawn.Given != drawnSteps || w.Held.Left != heldSteps || w.Fleet.Given != fleetSteps {
		t.Errorf("nothing is taken yet, and %+v is left", w)
	}
	w.Mix.Left, w.Moved.Left = -0.2e9, 0.4e9 // 2.5e9 of 4e9
	if w.Settle(); w.Drawn.Given != 1.5e9 || w.Held.Left != 1.5e9 || w.Held.Given != 1.5e9 {
		t.Errorf("1.5e9 are left, and draws have %+v, fleets %+v", w.Drawn, w.Held)
	}
	w.Drawn.Left, w.Held.Left = -2e9, 1e9
	if w.Settle(); w.Held.Left != 1e9 || w.Frontier.Given != frontierSteps/10 {
		t.Errorf("held %+v, which is begun, frontier %+v", w.Held, w.Frontier)
	}
	if w.Held.Overdrawn(1.7e9) || !w.Held.Overdrawn(1.8e9) {
		t.Error("overdrawn is half as much again")
	}
}

// A plan settles before its draws and before its frontier: both times the least is a tenth of what
// was given at first, not of what is left of it.
func TestSettleTwice(t *testing.T) {
	w := NewWork(1)
	w.Mix.Left, w.Moved.Left = -2e9, -1e9
	for range 3 {
		if w.Settle(); w.Held.Left != heldSteps/10 || w.Frontier.Left != frontierSteps/10 {
			t.Errorf("held %+v, frontier %+v, want a tenth of what they had", w.Held, w.Frontier)
		}
	}
}

// Searches are made until half as much again is taken as was given; the others are said.
func TestAfforded(t *testing.T) {
	a, made := Allowance{Given: 10, Left: 10}, 0
	for i, one := range Afforded(&a, []int{5, 6, 7, 8}) {
		if one != 5+i {
			t.Errorf("%d at %d", one, i)
		}
		made++
		a.Left -= 8
	}
	if words := a.CutWords("x"); made != 2 || a.Unmade != 2 || !strings.HasSuffix(words, "; 2 more were left out") {
		t.Errorf("%d of 4 searches made: %s", made, words)
	}
}

// Each stage holds as many draws as it says, and the number that can be afforded ends no
// search before the few are held unless those would take several times what is given.
func TestDrawsByStages(t *testing.T) {
	for stage, want := range []int{FewestDraws, FewDraws, 1000} {
		if n := DrawsBy(stage, 1000); n != want {
			t.Errorf("stage %d: %d draws, want %d", stage, n, want)
		}
	}
	for _, c := range []struct {
		steps float64 // of one draw
		first int
		want  int
	}{{1e6, FewDraws, 1000}, {1e8, FewDraws, FewDraws}, {1e8, FewestDraws, 1000}, {1e9, FewestDraws, FewestDraws}} {
		models := make([]*Model, c.first)
		for i := range models {
			models[i] = &Model{tried: 1}
			models[i].work.Steps = c.steps
			models[i].known = map[string]bool{}
		}
		a := Allowance{Given: 1.5e9}
		if n, _ := a.Draws(models, nil, 1000); n != c.want {
			t.Errorf("%v steps a draw of %d: %d draws, want %d", c.steps, c.first, n, c.want)
		}
	}
}
