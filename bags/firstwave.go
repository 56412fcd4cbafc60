package bags

import "math"

// firstWave is the share of the workers that are done with their first task, by cell from that on
// in which they begin, so many cells earlier as tasks take on average. All begin at once, and are
// done at once but for what workers and tasks differ by:
//
//	Φ((t − c)/(c √(v² + w²)))
//
// where
//
//	c  time of a task on a worker                          s
//	v  relative standard deviation of the speed of workers
//	w  relative standard deviation of the work of tasks
//
// Under BOINC workers are taken to begin all tasks evenly: of 100 tasks that are done together the
// time at which a share is done is not known so well that help could begin by it just in time.
//
// It is told until as many tasks would be done by workers that begin them evenly.
func (w *helping) firstWave(unlike float64) []float64 {
	out := make([]float64, 0, min(w.lag+2, w.cells))
	for i := range cap(out) {
		late := float64(w.lag+i)*w.step/w.task - 1
		share := 1.0
		if unlike > 0 {
			share = math.Erfc(-late/(math.Sqrt2*unlike)) / 2
		}
		out = append(out, share)
	}
	return out
}

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
