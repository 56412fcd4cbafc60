package bags

import "math"

// waves are how many tasks each of the workers has begun, in so many waves, by cell from that on in
// which they begin: all begin at once, and so are done at once but for what workers and tasks differ
// by, so many cells later as tasks take on average:
//
//	Σ_k Φ((t − (k − 1)c)/(k c √(v² + w²))),    k from 1 to the number of waves
//
// where
//
//	c  time of a task on a worker                          s
//	v  relative standard deviation of the speed of workers
//	w  relative standard deviation of the work of tasks
//
// Workers that are given copies of what machines have are told to do one wave, those of BOINC that
// are there from the beginning on and are given what waits firstWaves. Later workers of BOINC are
// taken to begin all tasks evenly: of 100 tasks that are done together the time at which a share is
// done is not known so well that help could begin by it just in time.
//
// They are told until as many tasks would be done by workers that begin them evenly.
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

// firstWaves is how many waves of workers of BOINC are told apart.
const firstWaves = 4

// eachBegan is how many tasks a worker has begun, so many cells after workers do, the first of which
// they are there for a part of: the first task of each is begun at once, and the others evenly,
// which is late by half a task. (All in waves would be too soon: workers are given first what
// machines have had for longest, and of that these do most by themselves.)
func (w *helping) eachBegan(cell int, part float64) float64 {
	n := (float64(cell) + part) * w.step / w.task
	if cell >= 0 && cell < len(w.wave) {
		n = max(n, w.wave[cell])
	}
	return n
}
