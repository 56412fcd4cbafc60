package bags

import "math"

// helping follows what is left of a bag that is helped.
type helping struct {
	Help
	Cloud
	step, task float64 // s
	tasks      float64 // that are not done when help is asked for
	undone     float64 // as a share of all
	begun      []node  // factors of the tasks that were expected to be left then
	perStep    float64 // tasks that the workers take
	scale, of  float64 // of the tasks of a branch as many as are left, when there are so many; 0: not told
	copies     []copied
	left       []float64 // V, by cell
	late       []float64 // share of the tasks that has not arrived, by cell; nil: all have
}

// copied says when copies were made, and how many for each task that waited when the
// workers began and is not done.
type copied struct{ at, per float64 }

func (f *FinishLaw) helping(h Help, c Cloud) *helping {
	w := &helping{Help: h, Cloud: c, step: f.law.step, task: f.work / c.Speed, undone: 1 - f.startTask(h.Start)/f.tasks,
		late: f.late}
	w.tasks = max(1, w.undone*f.tasks)
	w.begun = f.starting(w.tasks)
	w.perStep = float64(h.Workers) / w.task * w.step
	return w
}

// starting are when help is asked for, by how many times the tasks that are left then were
// expected to be. Of n tasks, each done by t for itself, m are left when the expected number
// U(t) passes a beta variable n B(m + 1, n − m), here by the cube of a normal one of the
// same mean and spread (Wilson, Hilferty, PNAS 17, 1931) at five points, or fewer where
// the bag has many branches anyway.
func (f *FinishLaw) starting(left float64) []node {
	cv := math.Sqrt(max(0, f.tasks-left) / ((left + 1) * (f.tasks + 2)))
	nodes := startNodes
	if len(f.branches) > fewBranches || cv == 0 {
		nodes = []node{{1, 0}}
	}
	out := make([]node, len(nodes))
	mean := (left + 1) / left * f.tasks / (f.tasks + 1)
	for i, z := range nodes {
		root := max(0.05, 1-cv*cv/9-z.speed*cv/3)
		out[i] = node{z.share, mean * root * root * root}
	}
	return out
}

// fewBranches is up to how many branches starts are told apart.
const fewBranches = 3

// startNodes are the nodes and weights of a Gauss-Hermite rule of 5 points.
var startNodes = []node{
	{0.011257411327721, -2.856970013872806}, {0.222075922005613, -1.355626179974266}, {0.533333333333333, 0},
	{0.222075922005613, 1.355626179974266}, {0.011257411327721, 2.856970013872806},
}

// follow fills in what is left in the first cells of a branch, up to that from which
// nothing is, and returns the cell in which help is asked for, that in which a factor of
// the tasks that are left then are expected to be. From there on as many are as there are. Workers take nothing that has not arrived: of what
// has, a share is done by machines in each cell, whether it waits for a worker or not.
func (w *helping) follow(b branch, factor float64, cells int) (start int) {
	factor = min(factor, 1/w.undone)
	share := factor * w.undone * b.undone[0]
	w.scale, w.of = 1, 0
	if len(w.begun) > 1 {
		w.scale, w.of = 1/factor, w.undone*b.undone[0]
	}
	start = len(b.undone)
	for i, u := range b.undone {
		if u <= share || b.undone[0] <= 0 {
			start = i
			break
		}
	}
	begins := float64(start)*w.step + w.Look/2 + w.Boot
	first := int(min(math.Ceil(begins/w.step), float64(cells)))
	w.copies = w.copies[:0]
	w.left = append(w.left[:0], b.undone[:first]...)
	for i := range w.left {
		if w.left[i] *= w.scale; i < start && w.of > 0 { // at least so many are left
			w.left[i] = max(w.left[i], w.of)
		}
	}
	if first == cells {
		return start
	}
	before := max(0, first-1)
	away := w.away(b, before)
	waiting, running, head := w.left[before]-away, 0.0, 0 // R, what runs on workers, the oldest of it
	same := 1.0                                           // of what waited first, what machines have not done
	for i := first; i < cells; i++ {
		now := float64(i) * w.step
		if i > 0 {
			last, come := w.scale*b.undone[i-1]-away, away
			away = w.away(b, i)
			come -= away
			kept := 1.0 // of those that were there, those that are still not done by machines
			if last > 0 {
				kept = min(1, max(0, (w.scale*b.undone[i]-away-come)/last))
			}
			same *= kept
			waiting = waiting*kept + come
			running *= kept
		}
		if take := min(waiting, w.perStep*min(1, (now-begins)/w.step+1e-9)); take > 0 && same > 0 {
			w.copies = append(w.copies, copied{now, take / same})
			waiting -= take
			running += take
		}
		for ; head < len(w.copies) && w.copies[head].at+w.task <= now; head++ {
			running = max(0, running-w.copies[head].per*same)
		}
		if head == len(w.copies) {
			running = 0
		}
		if away+waiting+running < nothing {
			break
		}
		w.left = append(w.left, away+waiting+running)
	}
	return start
}

// away is how many tasks have not arrived in a cell of a branch.
func (w *helping) away(b branch, i int) float64 {
	if w.late == nil {
		return 0
	}
	return w.scale * min(w.late[i]*b.undone[0], b.undone[i])
}

// done is the chance that nothing is left in a cell.
func (w *helping) done(i int) float64 {
	i = max(i, 0)
	switch {
	case i >= len(w.left):
		return 1
	case w.left[i] > 40: // less than e^-40 either way
		return 0
	case w.of > 0:
		return math.Pow(max(0, 1-w.left[i]/w.of), w.of)
	}
	return math.Exp(-w.left[i])
}

// nothing is a mean number of tasks that is taken for none.
const nothing = 1e-9
