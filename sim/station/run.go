package station

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/sim"
)

// An event is one of the kinds below, of a customer as long as his stamp is the
// same, or of a class.
type event struct {
	kind  uint8
	id    int32
	stamp uint32
}

const (
	arrives uint8 = iota // a customer of class id
	ends                 // the service of id
	tires                // id gives up waiting
	due                  // a time that the line asked for
	shifts               // the servers change
	warm                 // counting begins
	cuts                 // a sample ends
)

// A customer is in the system, or his place in the table is free.
type customer struct {
	class    int32
	width    int32
	stamp    uint32
	slot     int32   // interval of the curve in which he came
	group    int32   // of the server
	rank     int32   // slot in a lineup
	promised float64 // start, +Inf for none
	there    bool    // in the system
	serving  bool
	waited   bool
	seq      uint64
	came     float64
	length   float64 // of the whole service
	estimate float64 // what the scheduler takes the length for
	left     float64 // of the service, when it last began or stopped
	began    float64 // when it last began
}

// A line decides who is served when. It begins services by desk.begin.
type line interface {
	arrive(id int32)
	left(id int32) // after its service
	gone(id int32) // while it waited
	due(id int32, stamp uint32)
	more() // servers have come
}

// groupStream is the chance by which servers are there and are picked; streams of
// classes begin with their number.
const groupStream = 1 << 40

// A desk is one run of a station.
type desk struct {
	st      *Station
	r       *sim.Replication
	agenda  sim.Agenda[event]
	now     float64
	servers int // at present
	busy    int
	waiting int
	inside  int
	seq     uint64
	table   []customer
	unused  []int32
	sources []source
	line    line
	ledgers []ledger
	slots   int // index of the first interval's ledger, 0 for none
	next    int // job of the log that comes next
	// interrupted says that waits are known only at the end of a service.
	interrupted bool
	idle        []int // servers by group
	pick        *rand.Rand
	narrow      bool            // all need one server: nobody may wait while one is free
	observes    bool            // counting has begun
	fault       error           // a law that drew no time
	began       func(*customer) // told of each service that begins; for tests
}

// Replicate runs the station once; see [sim.Model].
func (s *Station) Replicate(r *sim.Replication) error {
	if err := s.Check(); err != nil {
		return err
	}
	if r == nil {
		return &sim.DomainError{Func: "Station", Arg: "replication", Value: math.NaN(), Want: "one of sim.Run"}
	}
	if math.IsInf(r.Horizon, 1) && len(s.Jobs) == 0 {
		return &sim.DomainError{
			Func:  "Station",
			Arg:   "Horizon",
			Value: r.Horizon,
			Want:  "a finite horizon, which Options chooses",
		}
	}
	d := newDesk(s, r)
	if err := d.run(); err != nil {
		return err
	}
	return d.audit()
}

func newDesk(s *Station, r *sim.Replication) *desk {
	d := &desk{st: s, r: r, servers: s.Servers, interrupted: s.Preemptive || s.Order == SRPT || s.Order == Sharing}
	d.ledgers = make([]ledger, 1+len(s.parts()))
	for i := range d.ledgers {
		d.ledgers[i] = ledger{first: i * perPart, speed: 1}
		if i > 0 { // behind the one figure more of the first
			d.ledgers[i].first++
		}
		if n := len(s.Jobs); n > 0 {
			// A log is replayed to its last end. Its levels are those up to the last
			// arrival: one long job would else make the station look idle.
			d.ledgers[i].until = max(s.Jobs[n-1].At, math.SmallestNonzeroFloat64)
		}
	}
	if n := len(s.MaxResponses); n > 0 {
		d.ledgers[0].responses = &responses{first: len(d.ledgers)*perPart + 1, within: s.MaxResponses, onTime: make([]float64, n)}
	}
	if len(s.Shifts) > 0 {
		d.slots = len(d.ledgers) - len(s.Shifts)
		d.servers = s.Shifts[0]
	}
	if len(s.Groups) > 0 {
		d.staff(r.Stream(groupStream))
	}
	d.narrow = s.Order != Conservative
	d.sources = make([]source, len(s.Classes))
	busy := r.WarmUp > 0 && s.beginsBusy()
	for k := range s.Classes {
		c := &s.Classes[k]
		v := &d.sources[k]
		*v = source{
			class:    c,
			gaps:     r.Stream(uint64(k), 1),
			service:  r.Stream(uint64(k), 2),
			patience: r.Stream(uint64(k), 3),
		}
		if c.Curve != nil {
			v.curve = newCurve(c.Curve)
		}
		switch {
		case busy && c.Sources > 0: // see fill
		case busy && c.Curve == nil:
			d.midst(c.Gaps, 1, v.gaps, func(_, left float64) {
				d.agenda.Schedule(left, event{kind: arrives, id: int32(k)})
			})
		default:
			for range max(1, c.Sources) {
				d.agenda.Schedule(d.coming(v), event{kind: arrives, id: int32(k)})
			}
		}
		d.narrow = d.narrow && c.Width <= 1
	}
	if d.slots > 0 {
		d.scheduleShift(1)
	}
	if len(s.Jobs) > 0 {
		d.agenda.Schedule(s.Jobs[0].At, event{kind: arrives})
		d.narrow = false
	}
	switch s.Order {
	case Sharing:
		d.line = &sharing{desk: d}
	case EASY:
		d.line = newEasy(d)
	case Conservative:
		d.line = newConservative(d)
	default:
		d.line = &queue{desk: d, running: heap{last: true}}
	}
	if busy {
		d.fill()
	}
	if d.observes = r.WarmUp == 0; !d.observes {
		d.agenda.Schedule(r.WarmUp, event{kind: warm})
	}
	if n := s.Batches; n > 0 && !math.IsInf(r.Horizon, 1) {
		d.agenda.Schedule(r.WarmUp+(r.Horizon-r.WarmUp)/float64(n), event{kind: cuts, id: 1})
	}
	return d
}

func (d *desk) run() error {
	for asked := uint64(0); ; {
		at, e, ok := d.agenda.Next()
		if !ok || at > d.r.Horizon || math.IsInf(at, 1) {
			break
		}
		if d.now = at; d.r.Events >= asked {
			asked = d.r.Events + 1024
			if d.st.Goals.missed(&d.ledgers[0].count, len(d.st.Jobs)) {
				return ErrMissed
			}
			if err := d.r.At(d.now); err != nil {
				return err
			}
		}
		d.r.Events++
		d.deal(e)
		if d.fault != nil {
			return d.fault
		}
		if d.narrow && d.waiting > 0 && d.busy < d.servers {
			return &AuditError{"servers free while somebody waits", float64(d.servers - d.busy), 0}
		}
	}
	if !math.IsInf(d.r.Horizon, 1) {
		d.now = d.r.Horizon
	}
	last := d.r
	if d.st.Batches > 0 {
		last = nil // the last sample was closed by its cut, at the horizon
	}
	d.close(last)
	if v, ok := d.line.(*conservative); ok {
		v.ration.figures(d.r, len(d.st.Figures())-2)
	}
	return nil
}

func (d *desk) deal(e event) {
	switch e.kind {
	case arrives:
		d.arrive(e.id)
	case ends:
		if d.table[e.id].stamp == e.stamp {
			d.finish(e.id)
		}
	case tires:
		if c := &d.table[e.id]; c.stamp == e.stamp && !c.serving {
			d.giveUp(e.id)
		}
	case due:
		d.line.due(e.id, e.stamp)
	case shifts:
		d.shift(int(e.id))
	case warm:
		d.close(nil)
		d.observes = true
	case cuts:
		d.close(d.r)
		d.r.Cut()
		if n := int(e.id) + 1; n <= d.st.Batches {
			end := d.r.Horizon
			if n < d.st.Batches {
				end = d.r.WarmUp + (d.r.Horizon-d.r.WarmUp)*float64(n)/float64(d.st.Batches)
			}
			d.agenda.Schedule(end, event{kind: cuts, id: int32(n)})
		}
	}
}

func (d *desk) close(r *sim.Replication) {
	for i := range d.ledgers {
		d.ledgers[i].close(d.now, d.servers, r)
	}
}

// shift puts the servers of the n-th interval to work, counted over all cycles.
func (d *desk) shift(n int) {
	for k := range d.ledgers {
		d.ledgers[k].book(d.now, d.servers)
	}
	i := n % len(d.st.Shifts)
	d.servers = d.st.Shifts[i]
	d.scheduleShift(n + 1)
	d.line.more()
}

func (d *desk) scheduleShift(n int) {
	c, k := d.sources[0].curve, len(d.st.Shifts)
	d.agenda.Schedule(float64(n/k)*c.period+c.edge[n%k], event{kind: shifts, id: int32(n)})
}

// of calls f for each ledger that a customer stands in.
func (d *desk) of(c *customer, f func(l *ledger)) {
	f(&d.ledgers[0])
	if len(d.st.Classes) > 1 {
		f(&d.ledgers[1+c.class])
	}
	if d.slots > 0 {
		f(&d.ledgers[d.slots+int(c.slot)])
	}
}

// audit closes the books of a run.
func (d *desk) audit() error {
	stay := make([]float64, len(d.ledgers))
	done := make([]float64, len(d.ledgers))
	for i := range d.table {
		c := &d.table[i]
		if !c.there {
			continue
		}
		attained := c.length - c.left
		if c.serving {
			attained += d.attained(int32(i))
		}
		d.of(c, func(l *ledger) {
			k := l.first / perPart
			stay[k] += d.now - c.came
			done[k] += attained * float64(c.width)
		})
	}
	for i := range d.ledgers {
		if err := d.ledgers[i].audit(stay[i], done[i]); err != nil {
			return d.rounded(err)
		}
	}
	return nil
}

// rounded returns the error of an audit, or where the clock explains it what is asked for: each
// service begins and ends at a time that is rounded.
func (d *desk) rounded(err error) error {
	var a *AuditError
	step := d.now - math.Nextafter(d.now, 0)
	if !errors.As(err, &a) || math.Abs(a.Got-a.Want) > 2*step*float64(d.st.Servers)*(1+d.ledgers[0].whole.came) {
		return err
	}
	services := a.Got / (step * (1 + d.ledgers[0].whole.came))
	if !(services >= 0) { // the clock is beyond the range of numbers
		services = 0
	}
	return &sim.DomainError{Func: "Station", Arg: "a service, in last digits of the clock",
		Value: services, Want: "far more than 1: longer services, or a shorter horizon"}
}

// attained is the service that a customer has had since it last began.
func (d *desk) attained(id int32) float64 {
	if s, ok := d.line.(*sharing); ok {
		return s.attained(id)
	}
	return d.now - d.table[id].began
}

// CustomerBytes is what a customer takes: 230 bytes where a million are served, and up to 380 while what holds them
// grows.
const CustomerBytes = 400

// Memory is what the customers of one run take, as they come or pile up, in bytes.
func (s *Station) Memory(horizon float64) float64 {
	const each = CustomerBytes
	if s.Check() != nil {
		return 0
	}
	if len(s.Jobs) > 0 {
		return each * float64(len(s.Jobs))
	}
	n, rate := 0.0, 0.0
	for i := range s.Classes {
		r, _ := s.Classes[i].rate()
		rate += r
		n += float64(s.Classes[i].Sources)
	}
	load, servers := s.offeredLoad(), s.meanServers()
	n += min(load, servers)
	if load > servers {
		if grows := min(rate*(1-servers/load)*horizon, s.mostWaiting()); !math.IsInf(grows, 1) {
			n += grows
		}
	}
	return each * max(n, s.busiest(horizon))
}
