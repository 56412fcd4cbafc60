package pool

import (
	"math"

	"github.com/capplan/capplan/sim"
)

// The figures, by their index.
const (
	elongation = iota
	elongation95
	elongationOfAll
	goodput
	goodputShare
	throughput
	jobsPresent
	waitTime
	downFailure
	downMigration
	jobsDownFailure
	jobsDownMigration
	lostWork
	migrationsPerEpoch
	migrationsInPerEpoch
	migrationTime
	uplinkUse
	downlinkUse
	publicShare
	dedicatedUse
	publicHeld
	failures
	detection
	droppedShare
	unfinished
	correlation
)

// Figures lists what a run counts, of jobs that end after the warm-up.
func (p Pool) Figures() []sim.Figure {
	return []sim.Figure{
		elongation:           {Name: "elongation", Scale: .01},
		elongation95:         {Name: "elongation_p95", Kind: sim.Quantile, P: .95, Free: true},
		elongationOfAll:      {Name: "elongation_of_all", Kind: sim.Ratio, Free: true},
		goodput:              {Name: "goodput_erl", Unit: "erl", Kind: sim.TimeAverage},
		goodputShare:         {Name: "goodput_share", Kind: sim.Ratio, Free: true},
		throughput:           {Name: "throughput_per_s", Unit: "1/s", Kind: sim.TimeAverage, Free: true},
		jobsPresent:          {Name: "mean_jobs", Kind: sim.TimeAverage, Free: true},
		waitTime:             {Name: "mean_wait_s", Unit: "s", Free: true},
		downFailure:          {Name: "down_failure_s", Unit: "s", Free: true},
		downMigration:        {Name: "down_migration_s", Unit: "s", Free: true},
		jobsDownFailure:      {Name: "jobs_down_failure", Kind: sim.TimeAverage, Free: true},
		jobsDownMigration:    {Name: "jobs_down_migration", Kind: sim.TimeAverage, Free: true},
		lostWork:             {Name: "lost_work_s", Unit: "s", Free: true},
		migrationsPerEpoch:   {Name: "migrations_per_epoch", Kind: sim.Ratio, Free: true},
		migrationsInPerEpoch: {Name: "migrations_in_per_epoch", Kind: sim.Ratio, Free: true},
		migrationTime:        {Name: "migration_time_s", Unit: "s", Free: true},
		uplinkUse:            {Name: "uplink_use", Kind: sim.TimeAverage, Free: true},
		downlinkUse:          {Name: "downlink_use", Kind: sim.TimeAverage, Free: true},
		publicShare:          {Name: "public_work_share", Kind: sim.Ratio, Free: true},
		dedicatedUse:         {Name: "dedicated_utilization", Kind: sim.TimeAverage, Free: true},
		publicHeld:           {Name: "public_machines_held", Kind: sim.TimeAverage, Free: true},
		failures:             {Name: "failures_per_job", Free: true},
		detection:            {Name: "detection_s", Unit: "s", Free: true},
		droppedShare:         {Name: "dropped_share", Kind: sim.Ratio, Free: true},
		unfinished:           {Name: "unfinished_jobs", Free: true},
		correlation:          {Name: "goodput_correlation", Free: true},
	}
}

// The levels whose mean over time counts.
const (
	levelJobs = iota
	levelDedicated
	levelPublic
	levelDoing // and as many more as there are doings
	levels     = levelDoing + int(doings)
)

// A level is a number that changes, and its integral.
type level struct {
	value, since, area float64
}

func (l *level) add(now, by float64) {
	l.area += l.value * (now - l.since)
	l.since = now
	l.value += by
}

// restart forgets what was before the warm-up.
func (l *level) restart(now float64) { l.area, l.since = 0, now }

func (x *run) counts() bool { return x.now >= x.replication.WarmUp }

// restart begins to count, at the end of the warm-up.
func (x *run) restart() {
	for i := range x.levels {
		x.levels[i].restart(x.now)
	}
	x.up.advance(x.now)
	x.down.advance(x.now)
	x.upBefore, x.downBefore = x.up.moved, x.down.moved
	for i := range x.users.accounts {
		u := &x.users.accounts[i]
		u.offeredAll, u.goodAll = 0, 0
	}
	x.finished, x.goodWork = 0, 0
}

// finish counts a job that is done.
func (x *run) finish(j *job) {
	took := x.now - j.At
	e := took/j.Work - 1
	u := x.users.of(j.User)
	good := e <= x.pool.Agreement.MaxElongation
	if good {
		u.good.push(x.now, j.Work)
	}
	if !x.counts() {
		return
	}
	if good {
		u.goodAll += j.Work
		x.goodWork += j.Work
	}
	x.finished++
	r := x.replication
	r.Observe(elongation, e)
	r.Observe(elongation95, e)
	r.Add(elongationOfAll, took-j.Work, j.Work)
	r.Observe(waitTime, j.spent[waits])
	r.Observe(downFailure, j.spent[failed])
	r.Observe(downMigration, j.spent[migrates])
	r.Observe(lostWork, j.lost)
	r.Observe(failures, float64(j.failures))
	outside := j.Work - j.inside
	if outside < 1e-9*j.Work { // the difference of two times, which are rounded
		outside = 0
	}
	r.Add(publicShare, outside, j.Work)
	r.Add(droppedShare, 0, 1)
}

// close hands over what is counted over the whole time.
func (x *run) close(end float64) {
	r := x.replication
	x.now = end
	span := end - r.WarmUp
	for _, l := range []struct {
		figure int
		level  int
		over   float64
	}{
		{jobsPresent, levelJobs, 1},
		{dedicatedUse, levelDedicated, float64(x.pool.Dedicated)},
		{publicHeld, levelPublic, 1},
		{jobsDownFailure, levelDoing + int(failed), 1},
		{jobsDownMigration, levelDoing + int(migrates), 1},
	} {
		v := &x.levels[l.level]
		v.add(end, 0)
		if l.over > 0 {
			r.Add(l.figure, v.area/l.over, span)
		}
	}
	x.up.advance(end)
	x.down.advance(end)
	r.Add(uplinkUse, (x.up.moved-x.upBefore)/x.pool.Link.Up, span)
	r.Add(downlinkUse, (x.down.moved-x.downBefore)/x.pool.Link.Down, span)
	r.Add(throughput, x.finished, span)
	r.Add(goodput, x.goodWork, span)
	r.Observe(unfinished, float64(len(x.queue)+len(x.active)))
	offered := 0.0
	for u := range x.users.all {
		offered += u.offeredAll
	}
	if offered > 0 {
		r.Add(goodputShare, x.goodWork, offered)
	}
	if v, ok := x.pearson(span); ok {
		r.Observe(correlation, v)
	}
}

// pearson is the correlation over the users of the goodput V with min(V₀, B).
func (x *run) pearson(span float64) (float64, bool) {
	n := float64(len(x.users.at))
	var sx, sy float64
	for u := range x.users.all {
		sx += min(u.maxLoad, u.offeredAll/span)
		sy += u.goodAll / span
	}
	var xx, yy, xy float64
	for u := range x.users.all {
		dx, dy := min(u.maxLoad, u.offeredAll/span)-sx/n, u.goodAll/span-sy/n
		xx, yy, xy = xx+dx*dx, yy+dy*dy, xy+dx*dy
	}
	if v := xy / math.Sqrt(xx*yy); !math.IsNaN(v) {
		return v, n > 2
	}
	return 0, false
}
