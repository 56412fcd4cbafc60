package station

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/sim"
)

// begins replays jobs and returns when each began, by its place in the log.
func begins(t *testing.T, s *Station) []float64 {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(s, &sim.Replication{Horizon: math.Inf(1)})
	d.observes = false // there is nowhere to put what it observes
	at := make([]float64, len(s.Jobs))
	d.began = func(c *customer) { at[c.seq-1] = d.now }
	for {
		now, e, ok := d.agenda.Next()
		if !ok {
			break
		}
		d.now = now
		d.deal(e)
		if d.busy > s.Servers {
			t.Fatalf("%d of %d servers busy", d.busy, s.Servers)
		}
	}
	d.close(nil)
	if err := d.audit(); err != nil {
		t.Fatal(err)
	}
	return at
}

// randomJobs are of a log that is busy enough for queues; early says that jobs may
// end before their estimate.
func randomJobs(r *rand.Rand, n, servers int, early bool) []Job {
	jobs := make([]Job, n)
	now := 0.0
	for i := range jobs {
		now += r.ExpFloat64()
		w := 1 + r.IntN(servers)
		if r.IntN(2) == 0 {
			w = 1
		}
		jobs[i] = Job{At: now, Length: 3 * r.ExpFloat64(), Width: w}
		if early {
			jobs[i].Estimate = jobs[i].Length * (1 + float64(r.IntN(3))*r.Float64())
		}
	}
	return jobs
}

func (j Job) reserved() float64 { return max(j.Estimate, j.Length) }

// freeAt says how many servers nobody of those given has at a time.
func freeAt(servers int, at float64, starts []float64, ends []float64, jobs []Job) int {
	for i := range starts {
		if starts[i] <= at && at < ends[i] {
			servers -= jobs[i].Width
		}
	}
	return servers
}

// Where estimates are exact conservative backfilling is: each in turn the earliest
// start that delays none of those before; found here by trying every end.
func TestConservativeIsTheEarliestPlace(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		servers := 1 + r.IntN(8)
		jobs := randomJobs(r, 60, servers, false)
		var starts, ends []float64
		for i, j := range jobs {
			candidates := []float64{j.At}
			for _, e := range ends {
				if e > j.At {
					candidates = append(candidates, e)
				}
			}
			slices.Sort(candidates)
			for _, at := range candidates {
				fits := true
				for _, s := range append([]float64{at}, starts...) {
					if s >= at && s < at+j.Length && freeAt(servers, s, starts, ends, jobs) < j.Width {
						fits = false
					}
				}
				if fits {
					starts, ends = append(starts, at), append(ends, at+j.Length)
					break
				}
			}
			if len(starts) != i+1 {
				t.Fatal("no place")
			}
		}
		compare(t, seed, begins(t, &Station{Servers: servers, Order: Conservative, Jobs: jobs}), starts)
	}
}

func compare(t *testing.T, seed uint64, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9 {
			t.Fatalf("seed %d: job %d begins at %v, want %v", seed, i, got[i], want[i])
		}
	}
}

// Who is promised a start never begins later, however early others end, and is
// promised it in the profile of the promises before him.
func TestConservativeKeepsItsPromises(t *testing.T) {
	early := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		servers := 2 + r.IntN(8)
		s := Station{Servers: servers, Order: Conservative, Jobs: randomJobs(r, 100, servers, true)}
		d := newDesk(&s, &sim.Replication{Horizon: math.Inf(1)})
		d.observes = false
		line, _ := d.line.(*conservative)
		promised := map[uint64]float64{}
		d.began = func(c *customer) {
			if p, ok := promised[c.seq]; ok && d.now > p+1e-9 {
				t.Errorf("seed %d: job %d was promised %v and begins at %v", seed, c.seq, p, d.now)
			} else if ok && d.now < p-1e-9 {
				early++
			}
		}
		for {
			now, e, ok := d.agenda.Next()
			if !ok {
				break
			}
			d.now = now
			d.deal(e)
			if e.kind == arrives && line.queue.alive > 0 {
				if id := line.queue.ids[len(line.queue.ids)-1]; id >= 0 && d.table[id].seq == d.seq {
					promised[d.seq] = d.table[id].promised
				}
			}
			always := line.free.Locate(math.Inf(-1))
			if at, below := line.free.Below(always, 0, math.Inf(1)); below {
				t.Fatalf("seed %d: %d servers free at %v", seed, line.free.Free(at), line.free.At(at))
			}
			if at, most := line.free.When(int32(servers)+1, math.Inf(-1)); most > int32(servers) && at < math.Inf(1) {
				t.Fatalf("seed %d: more than all servers are free", seed)
			}
		}
		if d.inside > 0 || d.busy > 0 {
			t.Fatalf("seed %d: %d customers are left", seed, d.inside)
		}
	}
	if early == 0 {
		t.Error("nobody ever moved up")
	}
}

// EASY as its definition says, all worked out anew at each arrival and end.
func TestEASYIsItsDefinition(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		servers := 1 + r.IntN(8)
		jobs := randomJobs(r, 80, servers, seed%2 == 0)
		compare(t, seed, begins(t, &Station{Servers: servers, Order: EASY, Jobs: jobs}), slowly(servers, jobs, true))
	}
}

// Without passing it is first come first served: a job that does not fit holds all
// up.
func TestFCFSHoldsUp(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		servers := 1 + r.IntN(8)
		jobs := randomJobs(r, 80, servers, false)
		compare(t, seed, begins(t, &Station{Servers: servers, Jobs: jobs}), slowly(servers, jobs, false))
	}
}

// slowly schedules by list: at each arrival or end, the first while it fits, and
// with passing any that ends by the shadow time of the first or fits beside it.
func slowly(servers int, jobs []Job, passing bool) []float64 {
	starts := make([]float64, len(jobs))
	for i := range starts {
		starts[i] = math.Inf(1)
	}
	var queue []int
	next := 0
	for now := 0.0; next < len(jobs) || len(queue) > 0; {
		at := math.Inf(1) // the next arrival or end
		if next < len(jobs) {
			at = jobs[next].At
		}
		for i, s := range starts[:next] {
			if e := s + jobs[i].Length; e > now {
				at = min(at, e)
			}
		}
		now = at
		if next < len(jobs) && jobs[next].At == now {
			queue = append(queue, next)
			next++
		}
		free := func(t float64, reserved bool) int { // of those that began
			n := servers
			for i, s := range starts[:next] {
				long := jobs[i].Length
				if reserved {
					long = jobs[i].reserved()
				}
				if s <= now && s+jobs[i].Length > now && s+long > t {
					n -= jobs[i].Width
				}
			}
			return n
		}
		begin := func(k int) {
			starts[queue[k]] = now
			queue = slices.Delete(queue, k, k+1)
		}
		for len(queue) > 0 && jobs[queue[0]].Width <= free(now, false) {
			begin(0)
		}
		for k := 1; passing && k < len(queue); {
			var ends []float64
			for i, s := range starts[:next] {
				if s <= now && s+jobs[i].Length > now {
					ends = append(ends, s+jobs[i].reserved())
				}
			}
			slices.SortFunc(ends, cmp.Compare[float64])
			first := jobs[queue[0]]
			shadow := ends[slices.IndexFunc(ends, func(e float64) bool { return free(e, true) >= first.Width })]
			j := jobs[queue[k]]
			if j.Width <= free(now, false) &&
				(now+j.reserved() <= shadow || j.Width <= free(shadow, true)-first.Width) {
				begin(k)
				continue
			}
			k++
		}
	}
	return starts
}
