package bot

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/sim"
)

// A run is one run of a case.
type run struct {
	c      *Case
	rules  Rules
	agenda sim.Agenda[event]
	now    float64
	chance Chance
	rand   *rand.Rand // of the asks
	stop   func() error

	units   []unit
	turns   []int32    // by unit, how many were assigned before it; if the cloud helps
	saved   []float64  // by unit, the work that the server has saved; Checkpoint
	holders [][]holder // by unit; BOINC
	held    []holder   // backing memory of holders
	open    []int32    // units in order of arrival; for a cloud that duplicates
	queue   queue
	workers []worker
	idle    []int32
	ask     asking

	progress  *spequlos.Progress
	scheduler *spequlos.Scheduler
	order     *spequlos.Order
	cloudIdle []int32 // those that ask again at the next look
	cloudWoke []int32 // those that ask at this look
	copying   copying
	cloudNext int // index in open of the next unit for Duplicate's workers
	cloudAll  []int32
	lookStamp uint32
	name      [2]uint64 // of the cloud worker that starts; avoids an allocation
	books     books

	out    Outcome
	events uint64
	done   uint64 // events when a task was done last
	billed uint64 // cloud workers, one for each time that it was billed
}

// billedInEvent is how many workers at a look count as an event, since all without a task ask again at each.
const billedInEvent = 16

// lateEvents is the number of events that a run which is late for what it is judged by may take.
const lateEvents = 1_000_000

// stopEvents is the number of events between two calls of stop.
const stopEvents = 4096

// Simulate runs a case once. Errors: those of Check, and of stop, which may be nil and is called
// every few thousand events.
func Simulate(c *Case, chance Chance, stop func() error) (*Outcome, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if chance == nil {
		return nil, &DomainError{"Simulate", "chance", math.NaN(), "random numbers"}
	}
	course, err := c.Hosts.Begin(hosts.Chance(chance))
	if err != nil {
		return nil, err
	}
	return follow(c, course, chance, stop)
}

// follow is Simulate for a case that has been checked and the courses of its machines.
func follow(c *Case, course *hosts.Run, chance Chance, stop func() error) (*Outcome, error) {
	r := newRun(c, chance, stop)
	defer r.over()
	if err := r.begin(course); err != nil {
		return nil, err
	}
	horizon, given := c.horizon(), c.given()
	for !r.progress.Done() {
		at, e, ok := r.agenda.Next()
		if !ok || at > horizon {
			r.now = horizon
			break
		}
		r.now = at
		all := r.events + r.billed/billedInEvent
		if c.late > 0 && at > c.late && all >= lateEvents || c.all > 0 && all >= c.all ||
			c.most > 0 && at > given && r.events-r.done >= c.most {
			break
		}
		r.events++
		if err := r.stopped(r.events); err != nil {
			return nil, err
		}
		if err := r.deal(e); err != nil {
			return nil, err
		}
	}
	return r.outcome()
}

func (r *run) begin(course *hosts.Run) error {
	tasks, err := r.c.Bag.Draw(r.chance(bagEntity))
	if err != nil {
		return err
	}
	if r.progress, err = spequlos.NewProgress(len(tasks)); err != nil {
		return err
	}
	r.know(tasks)
	n := r.c.Hosts.Machines()
	r.workers = again(r.workers, n)
	r.idle = slices.Grow(r.idle, n)
	r.agenda.Grow(2*n, 0)
	for i := range r.workers {
		if err := r.stopped(uint64(i)); err != nil {
			return err
		}
		w := &r.workers[i]
		*w = worker{host: course.Host(i), unit: none, idle: none, cloud: none}
		r.agenda.Schedule(w.host.Until, event{kind: changes, who: int32(i)})
		if w.host.Up {
			r.rest(int32(i))
		}
	}
	if err := r.submit(tasks); err != nil || r.c.Strategy == nil {
		return err
	}
	if err := r.hire(len(tasks)); err != nil {
		return err
	}
	r.agenda.Schedule(0, event{kind: looks})
	return nil
}

// stopped calls stop each time that a few thousand more of something are counted.
func (r *run) stopped(count uint64) error {
	if count%stopEvents != 0 || r.stop == nil {
		return nil
	}
	return r.stop()
}

// know makes the records of the tasks, with the capacity that they will need.
func (r *run) know(tasks []bags.Task) {
	n := len(tasks)
	r.units = again(r.units, n)
	for i, t := range tasks {
		r.units[i].work = t.Work
	}
	r.queue.entries = slices.Grow(r.queue.entries, n*r.copies())
	if r.c.Strategy != nil {
		r.turns = again(r.turns, n)
		if r.c.Strategy.How == spequlos.Duplicate {
			r.open = slices.Grow(r.open, n)
		}
	}
	switch r.c.Server {
	case Checkpoint:
		r.saved = again(r.saved, n)
	case BOINC:
		// The results wanted at first; replacements of late ones are few.
		k := r.copies()
		r.held, r.holders = again(r.held, n*k), again(r.holders, n)
		r.agenda.Grow(0, n*k)
		for i := range r.holders {
			r.holders[i] = r.held[i*k : i*k : (i+1)*k]
		}
	}
}

// copies returns how many results of a unit are given out at first.
func (r *run) copies() int {
	if r.c.Server == BOINC {
		return r.rules.Results
	}
	return 1
}

// submit makes tasks arrive; those of time 0 all at once, so that idle workers begin to ask at one
// moment.
func (r *run) submit(tasks []bags.Task) error {
	for i, t := range tasks {
		if err := r.stopped(uint64(i)); err != nil {
			return err
		}
		if t.Arrival == 0 {
			r.arrive(int32(i))
		} else {
			r.agenda.Schedule(t.Arrival, event{kind: arrives, who: int32(i)})
		}
	}
	return nil
}

func (r *run) deal(e event) error {
	switch e.kind {
	case arrives:
		r.arrive(e.who)
	case changes:
		return r.change(e.who)
	case ends:
		if r.workers[e.who].stamp == e.stamp {
			return r.end(e.who)
		}
	case lost:
		u := &r.units[e.who]
		u.running--
		if !u.done {
			r.push(e.who)
		}
	case late:
		r.overdue(e.who, e.unit)
	case asks:
		if e.stamp == r.ask.stamp {
			return r.asked()
		}
	case looks:
		if e.stamp == r.lookStamp {
			return r.look()
		}
	case boots:
		return r.boot(e.who, e.stamp)
	}
	return nil
}

// arrive queues a task that has arrived.
func (r *run) arrive(u int32) {
	if s := r.c.Strategy; s != nil && s.How == spequlos.Duplicate {
		r.open = append(r.open, u)
	}
	for range r.copies() {
		r.push(u)
	}
}

// assign gives a unit to a worker.
func (r *run) assign(w, u int32, isCopy bool) error {
	worker, unit := &r.workers[w], &r.units[u]
	if !unit.assigned {
		unit.assigned = true
		if len(r.turns) > 0 {
			r.turns[u] = int32(r.progress.Assigned())
		}
		if err := r.progress.Assign(r.now); err != nil {
			return err
		}
	}
	worker.unit, worker.copy = u, isCopy
	worker.given = r.now
	worker.left = unit.work - r.savedOf(u)
	if worker.cloud != none {
		unit.copies++
		r.out.CloudCopies++
	}
	if !isCopy {
		unit.running++
		if r.c.Server == BOINC {
			r.holders[u] = append(r.holders[u], holder{worker: w})
			r.agenda.Queue(r.now+r.rules.Deadline, event{kind: late, who: w, unit: u})
		}
	}
	r.copyable(u)
	r.goOn(w)
	return nil
}

// savedOf returns the work of a unit that its server has saved.
func (r *run) savedOf(u int32) float64 {
	if len(r.saved) == 0 {
		return 0
	}
	return r.saved[u]
}

// holdersOf returns the machines that results of a unit were given to, under BOINC.
func (r *run) holdersOf(u int32) []holder {
	if len(r.holders) == 0 {
		return nil
	}
	return r.holders[u]
}

// goOn lets a worker compute, and schedules its end if it stays that long.
func (r *run) goOn(w int32) {
	worker := &r.workers[w]
	worker.began = r.now
	worker.stamp++
	if end := r.now + worker.left/worker.host.Speed; end < worker.host.Until {
		r.agenda.Schedule(end, event{kind: ends, who: w, stamp: worker.stamp})
	}
}

// end takes the result of a worker, which then asks for work.
func (r *run) end(w int32) error {
	worker := &r.workers[w]
	u := worker.unit
	unit := &r.units[u]
	worker.unit = none
	if !worker.copy {
		unit.running--
		for i, h := range r.holdersOf(u) {
			if h.worker == w {
				r.holders[u][i].back = true
			}
		}
	}
	if err := r.result(u, worker.cloud != none); err != nil || r.progress.Done() {
		return err
	}
	return r.seek(w)
}

// result counts a result. It completes the unit if the quorum is reached, or if the result comes
// from the cloud.
func (r *run) result(u int32, cloud bool) error {
	unit := &r.units[u]
	if unit.done {
		r.out.Wasted++
		return nil
	}
	unit.results++
	if !cloud && r.c.Server == BOINC && int(unit.results) < r.rules.Quorum {
		return nil
	}
	unit.done, r.done = true, r.events
	r.queue.forget(unit)
	if cloud {
		r.out.CloudTasks++
	}
	return r.progress.Complete(r.now)
}

// seek looks for work for a worker that has none.
func (r *run) seek(w int32) error {
	if r.workers[w].cloud != none {
		return r.seekCloud(w)
	}
	if u, ok := r.take(w); ok {
		return r.assign(w, u, false)
	}
	r.rest(w)
	return nil
}

// outcome returns the outcome of the run, after closing the order of credits.
func (r *run) outcome() (*Outcome, error) {
	o := new(Outcome) // allocated separately, so that it does not keep the units of the run
	*o = r.out
	o.Tasks, o.Completed, o.Events = len(r.units), r.progress.Completed(), r.events
	o.Progress = r.progress
	o.End = r.now
	if r.scheduler != nil {
		r.scheduler.Tick(r.now)
		o.Ordered, o.Spent = r.order.Limit(), r.order.Spent()
		o.CloudTime = r.scheduler.Billed()
		o.StartedAt, o.Workers, o.Started = r.scheduler.Started()
		r.order.Close()
	}
	if err := r.audit(o); err != nil {
		return nil, err
	}
	return o, nil
}
