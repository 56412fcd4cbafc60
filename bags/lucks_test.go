package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Of many tasks that are left when help begins few are later, more or fewer by luck: help that begins
// with 410 of them is in time about as often as such that begins with 390. Without that luck it was
// told to be in 5.5 % more.
func TestLuckOfManyTasksLeft(t *testing.T) {
	p := &hosts.Platform{Count: 700, Up: law.Exponential{Scale: 20_000}, Down: law.Exponential{Scale: 1240},
		Speed: hosts.Speed{Mean: 1000, SD: 250}}
	f, err := Finish(&Setup{Bag: Bag{Size: Spread{Mean: 4000}, Work: Spread{Mean: 600_000}}, Hosts: p})
	if err != nil {
		t.Fatal(err)
	}
	const workers = 11
	told := func(start float64) float64 {
		return f.With(Help{start, workers}, Cloud{Speed: 3000, Boot: 120}).Chance(0.8 * f.Quantile(0.5))
	}
	if many, fewer := told(0.8975), told(0.9025); math.Abs(many-fewer) > 0.03 || many < 0.5 || many > 0.75 {
		t.Errorf("in time with %.3f where 410 are left, %.3f where 390 are", many, fewer)
	}
}
