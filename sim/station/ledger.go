package station

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/sim"
)

// A ledger counts what happens to some of the customers: all, those of a class, or
// those who came in one interval of a curve.
type ledger struct {
	first int // index of its first figure
	count counts
	whole counts // of the whole run, for the audit
	// The levels last since the time of the ledger's latest entry.
	since                 float64
	queued, inside, busy  int
	speed                 float64 // of the busy servers, below 1 where more share them
	until                 float64 // when levels cease to count, 0 for never
	left                  float64 // Σ time in the system of those who left
	work                  float64 // Σ width × length of those served
	insideArea, busyWhole float64 // from the start of the run on
	responses             *responses
}

// responses count who was served in time, where somebody asks.
type responses struct {
	first  int       // index of the first figure
	within []float64 // the times asked for
	onTime []float64 // served within each since the warm-up, or the last cut
	judged float64
}

// served counts a response; gone one that never came.
func (r *responses) served(stay float64) {
	if r == nil {
		return
	}
	r.judged++
	for i, t := range r.within {
		if stay <= t {
			r.onTime[i]++
		}
	}
}

func (r *responses) gone() {
	if r != nil {
		r.judged++
	}
}

// close hands over what was counted, where there is a replication, and forgets it.
func (r *responses) close(to *sim.Replication) {
	if r == nil {
		return
	}
	for i, n := range r.onTime {
		if to != nil {
			to.Add(r.first+i, n, r.judged)
		}
		r.onTime[i] = 0
	}
	r.judged = 0
}

// counts are sums since the warm-up, or since the last cut.
type counts struct {
	came, lost, letIn, waited, gaveUp, served float64
	wait, waits, response                     float64
	inTime                                    float64 // served while time counts
	onTime, judged                            float64
	queue, present, busy, full                float64 // integrals over time
	capacity, time                            float64
	shared                                    float64 // integral of who shares, beyond the servers he has
}

// book integrates the levels up to now.
func (l *ledger) book(now float64, servers int) {
	dt := now - l.since
	if dt <= 0 {
		return
	}
	l.since = now
	l.insideArea += float64(l.inside) * dt
	l.busyWhole += float64(l.busy) * l.speed * dt
	if l.until > 0 {
		if dt = min(dt, l.until-(now-dt)); dt <= 0 {
			return
		}
	}
	c := &l.count
	c.time += dt
	c.capacity += float64(servers) * dt
	c.queue += float64(l.queued) * dt
	c.present += float64(l.inside) * dt
	c.busy += float64(l.busy) * l.speed * dt
	c.shared += float64(l.busy) * (1 - l.speed) * dt
	if l.busy >= servers {
		c.full += dt
	}
}

// close ends a span of counting: what was counted goes to the replication, or
// where it is nil, to the audit alone.
func (l *ledger) close(now float64, servers int, r *sim.Replication) {
	l.book(now, servers)
	c := &l.count
	w := &l.whole
	w.came += c.came
	w.lost += c.lost
	w.gaveUp += c.gaveUp
	w.served += c.served
	if r != nil {
		add := func(figure int, value, over float64) { r.Add(l.first+figure, value, over) }
		add(blocking, c.lost, c.came)
		add(waitProbability, c.waited, c.letIn)
		add(abandonment, c.gaveUp, c.came)
		add(meanWait, c.wait, c.waits)
		add(meanResponse, c.response, c.served)
		add(meanQueue, c.queue+c.shared, c.time)
		add(present, c.present, c.time)
		add(utilization, c.busy, c.capacity)
		add(throughput, c.inTime, c.time)
		add(serviceLevel, c.onTime, c.judged)
		if l.first == 0 {
			add(timeCongestion, c.full, c.time)
		}
	}
	l.responses.close(r)
	l.count = counts{}
}

// An AuditError says that the books of a run do not balance, which is a fault of
// the program.
type AuditError struct {
	Law       string
	Got, Want float64
}

func (e *AuditError) Error() string {
	return fmt.Sprintf("station: the books do not balance: %s: %v, want %v", e.Law, e.Got, e.Want)
}

// audit holds the laws that no run may break, for those still there with the time
// they have been in the system and the work done for them.
func (l *ledger) audit(stay, done float64) error {
	balance := func(law string, got, want float64) error {
		if math.Abs(got-want) <= 1e-6*(math.Abs(got)+math.Abs(want))+1e-9 {
			return nil
		}
		return &AuditError{law, got, want}
	}
	w := l.whole
	if err := balance("who came was lost, gave up, was served or is there",
		w.lost+w.gaveUp+w.served+float64(l.inside), w.came); err != nil {
		return err
	}
	if err := balance("time in the system is the integral of the number there (Little)",
		l.left+stay, l.insideArea); err != nil {
		return err
	}
	return balance("work done is the integral of the busy servers", l.work+done, l.busyWhole)
}
