package forecast

import (
	"context"
	"errors"
	"io"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// A Learning takes the records of machines one by one. They may come from several
// goroutines, and in any order. The fit is at the end, by [Learning.Fleet]; until
// then it holds counts, some kilobytes a machine.
type Learning struct {
	labelling machines.Labelling
	group     func(string) string
	before    *Fleet          // to which days are added; nil: none
	resumed   map[string]bool // machines that were taken over from a run that was stopped

	mu       sync.Mutex
	kept     io.Writer // of a line for each machine; nil: none
	written  int       // bytes that they come to in the file of the fleet
	records  []MachineRecord
	cells    int // of them
	period   float64
	first    string // the machine that the period is of
	left     int
	reason   string // of the first by name that is left out
	leftName string
	warnings []named
}

// mostCells bounds the cells of age and hour of a fleet, some 18 bytes each in all while it is fitted: 50,000
// machines that fail once a month for a year, or 300,000 for some days.
const mostCells = 50_000_000

// A named is a warning of a machine.
type named struct{ machine, text string }

// NewLearning starts a fleet, or goes on with one that is known: before, which may
// be nil. Group names the group of a machine, whose machines share a frailty; nil:
// none.
func NewLearning(l machines.Labelling, group func(machine string) string, before *Fleet) (*Learning, error) {
	out := &Learning{labelling: l, group: group, before: before, resumed: map[string]bool{}}
	// A fleet that is known decides labelling and period: counts by others would
	// not add up.
	if before != nil {
		var err error
		if out.labelling, err = before.Question(); err != nil {
			return nil, err
		}
		out.period, out.first = before.Hazard.Period, "of the fleet file"
		out.labelling.Tails = before.tailOf
	}
	// S1 and S2 are both free, and a frailty does not tell them apart.
	out.labelling.Coarse = true
	return out, nil
}

// Labelling says how samples become states.
func (l *Learning) Labelling() *machines.Labelling { return &l.labelling }

// Add counts the machine of a recorder and consumes it. A record without usable data is left out,
// with a note.
func (l *Learning) Add(ctx context.Context, r *machines.Recorder) error {
	ctx = given.Context(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	x, err := r.Labelled()
	return l.add(r.Name(), x, err)
}

// add counts a machine by its states, or by the error that it has none.
func (l *Learning) add(name string, x *machines.Labelled, err error) error {
	var m *keptMachine
	if err == nil {
		m, err = l.count(name, x)
	}
	// An error of the record is kept as a reason, so that a run that goes on does
	// not read the machine again.
	if input, ok := errors.AsType[*ask.InputError](err); ok {
		m, err = &keptMachine{MachineRecord: MachineRecord{Name: name}, Left: input.Reason}, nil
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.take(m); err != nil || l.kept == nil {
		return err
	}
	text, err := line(m)
	if err != nil {
		return err
	}
	if err := l.weigh(m, len(text)); err != nil {
		return err
	}
	_, err = l.kept.Write(text)
	return err
}

// take adds what is known of a machine.
func (l *Learning) take(m *keptMachine) error {
	switch {
	case m.Left != "":
		// The machine named is the first by name, whichever came first, so that the same traces
		// give the same words.
		if l.left++; l.leftName == "" || m.Name < l.leftName {
			l.leftName, l.reason = m.Name, m.Left
		}
		return nil
	case l.first == "":
		l.period, l.first = m.Period, m.Name
	case l.period != m.Period:
		return ask.Inputf("period", "machine %s has a sample every %s, machine %s every %s: give the period",
			l.first, ask.Time(l.period), m.Name, ask.Time(m.Period))
	}
	if l.before != nil {
		if i, ok := l.before.find(m.Name); ok && m.Begin < l.before.Records[i].End {
			c := l.before.calendar()
			return ask.Inputf("trace",
				"the record of machine %s begins on %s, before that of the fleet file ends, on %s: "+
					"days would count twice",
				m.Name, moment(c, m.Begin), moment(c, l.before.Records[i].End))
		}
	}
	l.cells += m.Exposure.Len() + m.Failures.Len() + m.Absence.Len() + m.Returned.Len()
	if l.cells > mostCells {
		return ask.Inputf("trace", "the counts by age and hour of %d machines and one more are over %d million: take fewer "+
			"machines, or shorter records", len(l.records), mostCells/1_000_000)
	}
	l.records = append(l.records, m.MachineRecord)
	for _, w := range m.Warnings {
		l.warnings = append(l.warnings, named{m.Name, w})
	}
	return nil
}

// count turns a history into counts: free steps and failures, steps away and
// returns, each by age and hour.
func (l *Learning) count(name string, x *machines.Labelled) (*keptMachine, error) {
	h := x.History
	if len(h.Runs) == 0 {
		return nil, &ask.InputError{Field: "trace", Reason: "no usable sample"}
	}
	rec := frailty.Record{Name: name}
	first, end := h.Runs[0].First, h.Runs[len(h.Runs)-1].End()
	begin, until := first, end
	// A record that goes on begins where the tail before it ended: its first
	// steps may be those that were pending then.
	if x.Resumed {
		t := l.before.tailOf(name)
		h = resumed(t, h)
		begin, first = t.End+t.Pending, t.End
		if t.Since < t.End {
			first-- // how its last step ended was not known
		}
	}
	if x.Tail != nil {
		until = x.Tail.End
		h = decided(h, until)
	}
	clock := frailty.Clock{Period: h.Period, Calendar: x.Calendar}
	if err := rec.Add(clock, smp.FiveStates(), h, first, until); err != nil {
		return nil, machines.InputError(err)
	}
	gone := frailty.Record{Name: name}
	if err := gone.Add(clock, awaySpace(), h, first, until); err != nil {
		return nil, machines.InputError(err)
	}
	// Of many machines, what growing left over is much.
	for _, c := range []*frailty.Cells{&rec.Exposure, &rec.Failures, &gone.Exposure, &gone.Failures} {
		c.Clip()
	}
	m := &keptMachine{Begin: float64(begin) * h.Period, Period: h.Period, Warnings: x.Warnings}
	m.MachineRecord = MachineRecord{
		Name:     name,
		End:      float64(end) * h.Period,
		Exposure: rec.Exposure,
		Failures: rec.Failures,
		Absence:  gone.Exposure,
		Returned: gone.Failures,
	}
	if x.Tail != nil {
		m.Last = closing(*x.Tail, h)
	}
	if l.group != nil {
		m.Group = l.group(m.Name)
	}
	return m, nil
}

// moment writes a moment by the fleet's clock.
func moment(c smp.Calendar, at float64) string {
	return (&machines.Labelled{History: &smp.History{Period: 1}, Calendar: c}).Moment(int64(at)).Format(time.DateTime)
}

// awaySpace is that of the five states with free and failed changed about: to be at
// risk is to be away, and to fail is to come back.
func awaySpace() smp.Space {
	s := smp.FiveStates()
	for i := range s.Failure {
		s.Failure[i] = !s.Failure[i]
	}
	return s
}

// Fleet fits the hazard and the frailties. Errors: *ask.InputError where there is
// nothing to fit.
func (l *Learning) Fleet(ctx context.Context) (*Fleet, error) {
	ctx = given.Context(ctx)
	if len(l.records) == 0 {
		if l.left > 0 {
			return nil, ask.Inputf("trace", "no fleet can be fitted to any of %s; %s: %s",
				fault.Count(l.left, "machine"), l.leftName, l.reason)
		}
		return nil, ask.Inputf("trace", "no machine in it")
	}
	f := &Fleet{Model: backtest.FrailtyModel, Version: fleetVersion, Labelling: l.labelling,
		ClockText: l.labelling.ClockText()}
	f.Labelling.Tails = nil
	if err := f.merge(l.before, l.records); err != nil {
		return nil, err
	}
	for i := range f.Records {
		f.End = max(f.End, f.Records[i].End)
	}
	calendar := smp.NewCalendar(l.labelling.Location, l.labelling.Holidays)
	clock := frailty.Clock{Period: l.period, Calendar: calendar}
	records, away, err := f.counted(clock)
	if err != nil {
		return nil, err
	}
	model, err := frailty.Fit(ctx, clock, records, nil)
	if errors.Is(err, frailty.ErrNoData) {
		return nil, ask.Inputf("trace", "no machine of %d is free for even one step: nothing says how long a "+
			"machine stays free",
			len(records))
	}
	if err != nil {
		return nil, machines.InputError(err)
	}
	f.Hazard = *model
	if err := f.fitReturns(ctx, clock, l.before, away); err != nil {
		return nil, err
	}
	f.warn(l)
	return f, nil
}

// fitReturns fits how long machines stay away. Of days that were added to a file of
// before absences were counted it says nothing: the time free would be of more days.
func (f *Fleet) fitReturns(ctx context.Context, clock frailty.Clock, before *Fleet,
	records []frailty.Record) error {
	if before != nil && before.Returns == nil {
		for i := range before.Records {
			if r := &before.Records[i]; r.Failures.Len() > 0 && r.Absence.Len() == 0 {
				return nil
			}
		}
	}
	returned := int64(0)
	for i := range records {
		returned += records[i].Failures.Total()
	}
	if returned == 0 {
		return nil
	}
	m, err := frailty.Fit(ctx, clock, records, nil)
	if err != nil {
		return machines.InputError(err)
	}
	f.Returns = m
	return nil
}

// merge adds up the counts of before and of now.
func (f *Fleet) merge(before *Fleet, now []MachineRecord) error {
	all := slices.Clone(now)
	if before != nil {
		all = append(slices.Clone(before.Records), all...)
	}
	// The sort is stable, so that of a machine in both the counts of before come first.
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	f.Records = all[:0]
	for _, r := range all {
		last := len(f.Records) - 1
		if last < 0 || f.Records[last].Name != r.Name {
			f.Records = append(f.Records, r)
			continue
		}
		own := &f.Records[last]
		both, err := frailty.MergeRecords([]frailty.Record{own.record(), r.record()})
		if err != nil {
			return machines.InputError(err)
		}
		own.Exposure, own.Failures, own.Group = both[0].Exposure, both[0].Failures, both[0].Group
		gone, err := frailty.MergeRecords([]frailty.Record{own.away(), r.away()})
		if err != nil {
			return machines.InputError(err)
		}
		own.Absence, own.Returned = gone[0].Exposure, gone[0].Failures
		own.End, own.Last = max(own.End, r.End), r.Last
	}
	return nil
}

// warn says what was left out, and the first warnings of machines.
func (f *Fleet) warn(l *Learning) {
	sort.SliceStable(l.warnings, func(i, j int) bool { return l.warnings[i].machine < l.warnings[j].machine })
	var all []string
	for _, w := range l.warnings {
		all = append(all, w.machine+": "+w.text)
	}
	f.Warnings = append(f.Warnings, machines.FirstWarnings(all, 5)...)
	if l.left > 0 {
		ask.Warn(&f.Warnings, "%d of %d machines are left out; %s: %s", l.left, l.left+len(l.records), l.leftName,
			l.reason)
	}
	if b := l.before; b != nil && b.Version < fleetVersion {
		f.Warnings = append(f.Warnings,
			"the fleet file was written by a version that did not record how records end: the added days count as "+
				"new records, because it is not known how long machines had been free")
	}
	if !f.Hazard.Converged {
		ask.Warn(&f.Warnings, "the hazard of the fleet was still changing after %d rounds of fitting: larger groups, or a "+
			"longer record, would settle it",
			f.Hazard.Iterations)
	}
}
