package bags

import "math"

// waves returns how many tasks each worker has begun, by cell from the one in which workers begin,
// if they work in the given number of waves. All begin at once and so finish together, except for
// the differences between workers and between tasks:
//
//	Σ_k Φ((t − (k − 1)c)/(k c √(v² + w²))),    k from 1 to the number of waves
//
// where
//
//	c  time of a task on a worker                          s
//	v  relative standard deviation of the speed of workers
//	w  relative standard deviation of the work of tasks
//
// Workers that get copies of tasks on machines work in one wave; under BOINC, workers that are
// there from the beginning and get tasks that wait work in firstWaves. Later workers under BOINC
// are taken to begin all tasks evenly: the time at which a share of 100 tasks that finish together
// is done is not known well enough for help to begin just in time.
//
// The slice ends where workers that begin tasks evenly would have begun as many.
func (w *helping) waves(number int, unlike float64) []float64 {
	out := make([]float64, 0, min(number*w.lag+2, w.cells))
	for i := range cap(out) {
		begun := 0.0
		for k := 1.0; k <= float64(number); k++ {
			late := float64(i+w.lag)*w.step/w.task - k
			switch {
			case unlike > 0:
				begun += math.Erfc(-late/(math.Sqrt2*k*unlike)) / 2
			case late >= 0:
				begun++
			}
		}
		out = append(out, begun)
	}
	return out
}

// firstWaves is the number of waves of workers under BOINC that are told apart.
const firstWaves = 4

// eachBegan returns how many tasks a worker has begun, a number of cells after workers do; part is
// the part of the first cell in which they are there. The first task of each is begun at once and
// the others evenly, which is late by half a task. (If all were in waves it would be too early:
// workers first get what machines have had for longest, and machines finish most of that
// themselves.)
func (w *helping) eachBegan(cell int, part float64) float64 {
	n := (float64(cell) + part) * w.step / w.task
	if cell >= 0 && cell < len(w.wave) {
		n = max(n, w.wave[cell])
	}
	return n
}
