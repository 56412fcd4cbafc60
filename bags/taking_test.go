package bags

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/bags/internal/lasting"
	"github.com/capplan/capplan/bags/internal/noneleft"
)

// leftByTheCell is what takeHanded says by its words: all that was given out is kept by the cell in which it
// was, and each is less by what stays of it in each cell that follows.
func leftByTheCell(w *helping, c *helpedCourse, workers, cells int) (all []float64) {
	s, few := float64(w.handing.spare), workers <= fewWorkers && w.late == nil
	waiting, running, sooner := c.waiting, c.beforeWorkers()-c.waiting, 0.0
	var copies, begun []float64
	for i := range cells {
		part, stays := w.pace(workers), c.survival.Same[i]
		switch first := w.firstPart(c); {
		case i > 0 && i < len(w.wave): // in waves of all
			part = float64(workers) * (w.eachBegan(i, first) - w.eachBegan(i-1, first))
		case i == 0 && len(w.wave) > 0:
			part = float64(workers) * w.eachBegan(i, first)
		case i == 0:
			part *= first
		}
		if i > 0 {
			stays /= c.survival.Same[i-1]
		}
		for _, x := range c.survival.Restarts {
			if x.Cell == i {
				stays = x.Share / c.survival.Same[max(0, i-1)]
			}
		}
		free, begins, there := part, 0.0, waiting
		if w.late != nil {
			there -= min(w.late[c.asked+c.first+i]*c.tasks, c.alone[c.first+i])
		}
		if there > 0 {
			machines := c.givenOut[c.first+i]
			given := machines + part/float64(w.handing.results)
			begins = 1 - math.Pow(machines/max(given, 1e-300), float64(w.handing.results))
			passed := min(1, there/max(given, 1e-300))
			given = min(given, there)
			begins *= given
			waiting, running, free = waiting-given, running+given-begins, part*(1-passed)
			if passed < 1 && w.late == nil && w.handing.shifts {
				sooner = max(0, c.empties-(float64(c.first+i-1)+passed))
			}
		} else if sooner > 0 {
			stays = lasting.Kept(c.alone, float64(c.first+i)+sooner)
		}
		running *= stays
		done, copied, helped := 0.0, 0.0, begins
		for j := range i {
			copies[j] *= stays
			begun[j] *= math.Pow(stays, s/(s+1))
			copied += copies[j]
			if j <= i-w.lag {
				done += copies[j]
			} else {
				helped += begun[j]
			}
		}
		if !few {
			free = min(free, max(0, running-copied))
		}
		copies, begun = append(copies, free), append(begun, begins)
		still := max(0, running-done)
		if few && waiting <= 0 {
			still = noneleft.Whole(running, done, noneleft.OfFew(running))
		}
		all = append(all, waiting+still+helped)
	}
	return all
}

// What is counted over what lasts of it is what is followed by the cell: on spot10 nearly nothing
// lasts of what is given out first, and of help with slow workers for the big bag the hours were
// 3e-5 too many, as what they had begun just then was forgotten.
func TestTakenByTheCell(t *testing.T) {
	for _, bag := range Bags() {
		f, err := Finish(onTrace(t, "spot10", Setup{Bag: bag, Server: BOINC}))
		if err != nil {
			t.Fatal(err)
		}
		f = f.within(f.Quantile(0.95))
		for _, speed := range []float64{500, 3000} {
			fell := false
			w := f.helping(0, Cloud{Speed: speed, Boot: 120, Look: 60}, false, nil)
			for i := 0; i < len(w.courses); i += 1 + len(w.courses)/5 {
				c := &w.courses[i]
				w.reach(c, math.MaxInt32)
				for _, workers := range []int{3, 60} {
					w.send(c, workers, math.MaxInt32, true)
					got := slices.Clone(w.byCell)
					fell = fell || len(c.survival.Restarts)+len(w.shifted.Restarts) > 0
					for i, want := range leftByTheCell(w, c, workers, len(got)) {
						if math.Abs(got[i]-want) > 1e-9*c.k {
							t.Fatalf("%s: %d workers leave %v after %d cells, want %v", bag.Name, workers, got[i], i, want)
						}
					}
				}
			}
			if bag.Name == "big" && !fell {
				t.Error("all lasts")
			}
		}
	}
}
