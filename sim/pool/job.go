package pool

import "math/rand/v2"

var forever = 1e300

// Where a job is.
type place uint8

const (
	queued    place = iota
	dedicated       // on a dedicated machine; with leaving, copied away as it goes on
	public          // on public machines; with leaving, on the way there
	entering        // one replica is moved to a dedicated machine, which is kept for it
	ashore          // has come to the cluster and waits for its machine to be left
)

// What a job does, by which its time is split.
type doing uint8

const (
	waits    doing = iota // in the queue, or for its first transfer
	runs                  // on a dedicated machine or a live replica
	failed                // down since no replica lives
	migrates              // down since it is moved
	doings
)

// A job is in the system.
type job struct {
	Arrival
	id       int32 // its number among all that came
	slot     int32 // its place in run.jobs
	at       int32 // its place in run.active
	place    place
	doing    doing
	leaving  bool
	machine  bool    // a dedicated machine works for it or is kept for it
	stored   float64 // progress in the cluster's store
	from     float64 // progress when its dedicated machine began
	since    float64 // when that was
	moved    float64 // when it last came to where it is, s
	began    float64 // of what it does
	frozen   float64 // when its present migration stopped it
	reached  float64 // progress when its last replicas died
	inside   float64 // work done on dedicated machines
	failures int32   // of its replicas
	lost     float64 // work that died with public machines
	spent    [doings]float64
	stamp    uint32  // of the event that is to come
	replicas []int32 // that the manager knows of, the dead that it has not missed among them
	draws    *rand.Rand
}

// What a replica does.
type state uint8

const (
	receives state = iota // its state comes over the link or from a sibling
	works
	sends // stands still and is moved to the cluster
	dead  // its machine has gone; the manager does not know yet
	unused
)

// A replica is a job on one public machine.
type replica struct {
	job    int32
	host   int32
	state  state
	copies bool    // works, while its state is copied to the cluster
	linked bool    // has a transfer on the link
	live   bool    // what it receives is a copy of a job that goes on
	stamp  uint32  // of the event that is to come
	from   float64 // progress when it began to work
	since  float64 // when that was
	phase  float64 // of its life pulses, within the epoch
	died   float64
}

// do changes what a job does.
func (x *run) do(j *job, d doing) {
	j.spent[j.doing] += x.now - j.began
	x.levels[levelDoing+int(j.doing)].add(x.now, -1)
	x.levels[levelDoing+int(d)].add(x.now, 1)
	j.doing, j.began = d, x.now
}

// take makes room for a job.
func (x *run) take(a Arrival) *job {
	var slot int32
	if n := len(x.spareJobs); n > 0 {
		slot = x.spareJobs[n-1]
		x.spareJobs = x.spareJobs[:n-1]
	} else {
		slot = int32(len(x.jobs))
		x.jobs = append(x.jobs, new(job))
	}
	j := x.jobs[slot]
	*j = job{
		Arrival:  a,
		id:       x.arrived,
		slot:     slot,
		at:       -1,
		moved:    -forever,
		began:    x.now,
		stamp:    j.stamp + 1,
		replicas: j.replicas[:0],
	}
	x.arrived++
	x.levels[levelJobs].add(x.now, 1)
	x.levels[levelDoing+int(waits)].add(x.now, 1)
	return j
}

// begin puts a job among those that run.
func (x *run) begin(j *job) {
	j.at = int32(len(x.active))
	x.active = append(x.active, j.slot)
}

// leave takes a job out of the system.
func (x *run) leave(j *job) {
	x.levels[levelJobs].add(x.now, -1)
	x.levels[levelDoing+int(j.doing)].add(x.now, -1)
	if j.at >= 0 {
		last := x.active[len(x.active)-1]
		x.active[j.at] = last
		x.jobs[last].at = j.at
		x.active = x.active[:len(x.active)-1]
	}
	j.stamp++
	x.spareJobs = append(x.spareJobs, j.slot)
}

// progress is that of a replica that works, or did until it died.
func (x *run) progress(r *replica) float64 {
	t := x.now
	if r.state == dead {
		t = r.died
	}
	return r.from + x.hosts[r.host].speed*(t-r.since)
}

// reported is the progress that the last life pulse told, and when that was.
func (x *run) reported(r *replica) (progress, at float64) {
	t := x.now
	if r.state == dead {
		t = r.died
	}
	at = r.since
	if n := int64((t - r.since - r.phase) / x.pool.Epoch); t >= r.since+r.phase {
		at = r.since + r.phase + float64(n)*x.pool.Epoch
	}
	return r.from + x.hosts[r.host].speed*(at-r.since), at
}
