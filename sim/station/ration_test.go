package station

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// replanned schedules by conservative backfilling, the whole queue anew at each early end, by a list of who has
// which servers when.
func replanned(servers int, jobs []Job) []float64 {
	starts, ends := make([]float64, len(jobs)), make([]float64, len(jobs)) // as they are, or are promised
	came := 0
	place := func(i int, now float64) {
		free := func(at float64) int {
			n := servers
			for k := range came {
				if k != i && starts[k] <= at && at < ends[k] {
					n -= jobs[k].Width
				}
			}
			return n
		}
		candidates := []float64{now}
		for k := range came {
			if k != i && ends[k] > now {
				candidates = append(candidates, ends[k])
			}
		}
		slices.Sort(candidates)
		for _, at := range candidates {
			fits := free(at) >= jobs[i].Width
			for k := range came {
				if k != i && starts[k] > at && starts[k] < at+jobs[i].reserved() {
					fits = fits && free(starts[k]) >= jobs[i].Width
				}
			}
			if fits {
				starts[i], ends[i] = at, at+jobs[i].reserved()
				return
			}
		}
	}
	for now := 0.0; ; {
		at, who := math.Inf(1), -1 // the next early end
		for k := range came {
			if e := starts[k] + jobs[k].Length; e > now && e < ends[k] && e < at {
				at, who = e, k
			}
		}
		switch {
		case came < len(jobs) && jobs[came].At < at:
			now = jobs[came].At
			starts[came], ends[came] = math.Inf(1), math.Inf(1)
			came++
			place(came-1, now)
		case who < 0:
			return starts
		default:
			now = at
			ends[who] = at
			for k := range came {
				if starts[k] > now {
					was, end := starts[k], ends[k]
					if place(k, now); starts[k] >= was {
						starts[k], ends[k] = was, end
					}
				}
			}
		}
	}
}

func TestConservativeIsItsDefinition(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 6))
		servers := 1 + r.IntN(8)
		jobs := randomJobs(r, 120, servers, true)
		compare(t, seed, begins(t, &Station{Servers: servers, Order: Conservative, Jobs: jobs}), replanned(servers, jobs))
	}
}

// overloaded are jobs of a log whose queue only grows, of widths up to all servers.
func overloaded(seed uint64, n, servers int) []Job {
	r := rand.New(rand.NewPCG(seed, 7))
	jobs := make([]Job, n)
	now := 0.0
	for i := range jobs {
		w := 1 + int(math.Pow(r.Float64(), float64(1+seed%3))*float64(servers))
		now += r.ExpFloat64() / 1.5 / float64(2+seed%3)
		long := math.Exp(1.5*r.NormFloat64() - 1.125)
		jobs[i] = Job{At: now, Length: long, Estimate: long * (1 + 3*r.Float64()), Width: min(w, servers)}
	}
	return jobs
}

// What is lost where the steps do not do for the whole queue.
func TestRationLoss(t *testing.T) {
	least, most := math.Inf(1), 0.0
	for seed := range uint64(5) {
		s := Station{Servers: 320, Order: Conservative, Jobs: overloaded(seed, 2000, 320)}
		wait := func(steps float64) (sum float64) {
			s.Steps = steps
			for i, at := range begins(t, &s) {
				sum += at - s.Jobs[i].At
			}
			return sum
		}
		whole := wait(math.Inf(1))
		for _, steps := range []float64{3e7, 1e7, 3e6} {
			ratio := wait(steps) / whole
			least, most = min(least, ratio), max(most, ratio)
		}
	}
	t.Logf("waits are %.3g to %.3g of those of the whole queue", least, most)
	if least < 0.8 || most > 1.1 || least == 1 {
		t.Errorf("waits are %.3g to %.3g of those of the whole queue, want .8 to 1.1", least, most)
	}
}
