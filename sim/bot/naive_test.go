package bot

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// The naive simulator has an event for every ask of every worker, idle or not, and
// shares nothing with the other but the rules: machines with exponential times up
// and down, XWHEP.
type naiveEvent struct {
	at    float64
	what  string
	who   int
	stamp int
}

type naiveHeap []naiveEvent

func (h naiveHeap) Len() int           { return len(h) }
func (h naiveHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h naiveHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *naiveHeap) Push(x any)        { *h = append(*h, x.(naiveEvent)) }
func (h *naiveHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func naive(r *rand.Rand, machines, tasks int, up, down, work, speed float64) float64 {
	var h naiveHeap
	add := func(at float64, what string, who, stamp int) { heap.Push(&h, naiveEvent{at, what, who, stamp}) }
	isUp, stamp, task := make([]bool, machines), make([]int, machines), make([]int, machines)
	since := make([]float64, machines)
	var queue []int
	for i := range tasks {
		queue = append(queue, i)
	}
	done, finished := make([]bool, tasks), 0
	gap := func() float64 { return 60 * (0.5 + r.Float64()) }
	// The phase of the first ask is that of a worker that has idled long: what is
	// left of a gap drawn with its length as weight.
	phase := func() float64 {
		for {
			if g := gap(); r.Float64()*90 < g {
				return r.Float64() * g
			}
		}
	}
	ask := func(now float64, w int) {
		if len(queue) == 0 {
			add(now+gap(), "ask", w, stamp[w])
			return
		}
		task[w], since[w] = queue[0], now
		queue = queue[1:]
		add(now+work/speed, "end", w, stamp[w])
	}
	for w := range machines {
		task[w] = -1
		if r.Float64() < up/(up+down) {
			isUp[w] = true
			add(r.ExpFloat64()*up, "off", w, 0)
			add(phase(), "ask", w, 0)
		} else {
			add(r.ExpFloat64()*down, "on", w, 0)
		}
	}
	for {
		e := heap.Pop(&h).(naiveEvent)
		w := e.who
		switch {
		case e.what == "again":
			if !done[w] {
				queue = append(queue, w)
			}
		case e.what == "on":
			isUp[w] = true
			add(e.at+r.ExpFloat64()*up, "off", w, 0)
			ask(e.at, w)
		case e.what == "off":
			isUp[w] = false
			stamp[w]++
			if task[w] >= 0 {
				add(since[w]+math.Floor((e.at-since[w])/60)*60+900, "again", task[w], 0)
				task[w] = -1
			}
			add(e.at+r.ExpFloat64()*down, "on", w, 0)
		case e.stamp != stamp[w]:
		case e.what == "end":
			done[task[w]] = true
			task[w] = -1
			if finished++; finished == tasks {
				return e.at
			}
			ask(e.at, w)
		case e.what == "ask" && task[w] < 0:
			ask(e.at, w)
		}
	}
}

// Both simulators give the same law of the bag's time: mean, and spread.
func TestAgainstNaive(t *testing.T) {
	for _, c := range []struct{ machines, tasks int }{{20, 60}, {30, 12}, {3, 7}} {
		runs := longtest.Of(500., 1500)
		const up, down, work, speed = 3000.0, 1000.0, 6e5, 500.0
		platform := &hosts.Platform{Count: c.machines, Up: law.Exponential{Scale: up}, Down: law.Exponential{Scale: down}, Speed: hosts.Speed{Mean: speed}}
		kase := &Case{Bag: bags.Bag{Size: bags.Spread{Mean: float64(c.tasks)}, Work: bags.Spread{Mean: work}}, Hosts: platform}
		var sum, squares [2]float64
		for i := range int(runs) {
			o, err := Simulate(kase, func(e ...uint64) *rand.Rand { return sim.Stream(9, i, e...) }, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range []float64{o.End, naive(rand.New(rand.NewPCG(4, uint64(i))), c.machines, c.tasks, up, down, work, speed)} {
				sum[k] += v
				squares[k] += v * v
			}
		}
		var mean, variance [2]float64
		for k := range mean {
			mean[k] = sum[k] / runs
			variance[k] = squares[k]/runs - mean[k]*mean[k]
		}
		if z := (mean[0] - mean[1]) / math.Sqrt((variance[0]+variance[1])/runs); math.Abs(z) > 4 {
			t.Errorf("%d tasks on %d machines: mean %v, naive %v: %.1f standard errors", c.tasks, c.machines, mean[0], mean[1], z)
		}
		if ratio := variance[0] / variance[1]; ratio < 0.7 || ratio > 1.4 {
			t.Errorf("%d tasks on %d machines: variance %v, naive %v", c.tasks, c.machines, variance[0], variance[1])
		}
	}
}
