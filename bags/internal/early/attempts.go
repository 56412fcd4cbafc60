package early

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// Machines come, stay and leave.
type Machines struct {
	Mean  float64                 // s, of a stay; +Inf: they never leave
	Stays func(t float64) float64 // chance that a machine that comes stays for longer than t
	Rests func(t float64) float64 // chance that a machine found present does
	Times []Time                  // of a task of mean work
	Save  float64                 // s, between two saves; +Inf: none
}

// A Time is what a task takes on a share of the machines, in seconds.
type Time struct{ Share, Time float64 }

// Attempts are what becomes of a task that a machine takes: it is done, or lost when the machine leaves.
type Attempts struct {
	kinds []Kind
	time  []float64   // machine time of an attempt of a class, in that of a task with all its attempts
	lost  [][]float64 // chance that a task of a class is lost and in each class of its kind then
	Cost  []float64   // machine time of a task of a class with all its attempts, over that of a fresh one
	Each  float64     // s, machine time of a fresh task with all its attempts
}

// parts is the number of parts of a class at each of which a machine may leave, points those of an integral over one.
const (
	parts  = 4
	points = 8
)

// AttemptsOf returns the attempts of tasks on machines.
//
// A stay has a first attempt and others that follow a result. If attempts take m on average, with a coefficient of
// variation c, as many begin in a stay of mean A as
//
//	(1 + c²)/2 + A/m
//
// of which the first part is at its beginning, where the rest of the stay has its law P(a > x), and the others are
// at random moments, where it has the law of the rest. For attempts of equal lengths this is the Euler-Maclaurin
// sum of Σ P(a > km).
func AttemptsOf(m *Machines, kinds []Kind) *Attempts {
	all := 0
	mean, square, rate := 0.0, 0.0, 0.0
	for _, k := range kinds {
		all += k.Classes
		mean += k.Share * k.Work
		square += k.Share * k.Work * k.Work
	}
	a := &Attempts{kinds: kinds, time: make([]float64, all), lost: make([][]float64, all), Cost: make([]float64, all)}
	for i := range kinds {
		for c := range kinds[i].Classes {
			a.lost[kinds[i].First+c] = make([]float64, kinds[i].Classes)
		}
	}
	for _, v := range m.Times {
		first := square / (mean * mean) / 2
		fresh := first / (first + m.Mean/(v.Time*mean))
		stays := func(t float64) float64 { return fresh*m.Stays(t) + (1-fresh)*m.Rests(t) }
		share := v.Share / v.Time
		rate += share
		for i := range kinds {
			a.add(stays, &kinds[i], v.Time*kinds[i].Work, m.Save, share)
		}
	}
	for k := range a.time {
		a.time[k] /= rate
		for j := range a.lost[k] {
			a.lost[k][j] /= rate
		}
	}
	a.costs()
	return a
}

// add adds a share of attempts that take so long in full.
func (a *Attempts) add(stay func(t float64) float64, k *Kind, full, save, share float64) {
	n := k.Classes * parts
	stays, worked := make([]float64, n+1), make([]float64, n+1) // P(stay > x), and the integral up to x
	stays[0] = 1
	for i := range n {
		from, to := full*float64(i)/float64(n), full*float64(i+1)/float64(n)
		stays[i+1] = stay(to)
		worked[i+1] = worked[i] + quad.Fixed(stay, from, to, points, nil, 0)
	}
	for c := range k.Classes {
		left := n - c*parts
		a.time[k.First+c] += share * worked[left]
		lost := a.lost[k.First+c]
		for i := range left {
			ends := stays[i] - stays[i+1]
			if ends <= 0 {
				continue
			}
			chance, saved := share*ends, 0.0
			// Those that leave in this part do so after at on average.
			width := full / float64(n)
			at := float64(i)*width + min(width, max(0, (worked[i+1]-worked[i]-width*stays[i+1])/ends))
			switch {
			case save < width:
				saved = max(0, at-save/2)
			case save < math.Inf(1):
				saved = math.Floor(at/save) * save
			}
			saved *= float64(k.Classes) / full
			whole := min(int(saved), k.Classes-1-c)
			next := 0.0
			if c+whole+1 < k.Classes {
				next = saved - float64(whole)
			}
			lost[c+whole] += chance * (1 - next)
			if next > 0 {
				lost[c+whole+1] += chance * next
			}
		}
	}
}

// costs sets the costs, from the last class on:
//
//	cost_c = time_c + Σ lost_cj cost_j,  j >= c
func (a *Attempts) costs() {
	for _, k := range a.kinds {
		for c := k.Classes - 1; c >= 0; c-- {
			lost, sum := a.lost[k.First+c], a.time[k.First+c]
			for j := c + 1; j < k.Classes; j++ {
				sum += lost[j] * a.Cost[k.First+j]
			}
			a.Cost[k.First+c] = sum / max(0, 1-lost[c])
		}
		a.Each += k.Share * a.Cost[k.First]
	}
	for c := range a.time {
		a.time[c] /= a.Each
		a.Cost[c] /= a.Each
	}
}
