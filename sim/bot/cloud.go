package bot

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
)

// hire starts SpeQuloS for the bag.
func (r *run) hire(tasks int) error {
	var bank spequlos.Bank
	credits := r.c.Order(tasks)
	if err := bank.Deposit("user", credits); err != nil {
		return err
	}
	var err error
	if r.order, err = bank.Order("user", credits); err != nil {
		return err
	}
	r.scheduler, err = spequlos.NewScheduler(r.progress, spequlos.Options{
		Strategy: *r.c.Strategy,
		Order:    r.order,
		Billing:  r.c.Billing,
	})
	return err
}

// look is one look of SpeQuloS at the bag.
func (r *run) look() error {
	d := r.scheduler.Tick(r.now)
	r.billed += uint64(len(r.cloudAll))
	r.workers = slices.Grow(r.workers, d.Start)
	for range d.Start {
		r.startWorker()
	}
	for _, id := range d.Stop {
		r.stopWorker(r.cloudAll[id])
	}
	r.cloudWoke, r.cloudIdle = r.cloudIdle, r.cloudWoke[:0]
	for _, w := range r.cloudWoke {
		if r.stop != nil { // each worker may look through all waiting results
			if err := r.stop(); err != nil {
				return err
			}
		}
		if r.workers[w].host.Up {
			if err := r.seek(w); err != nil {
				return err
			}
		}
	}
	// Until something happens, each look finds what this one has found (TestLooksWithoutNews of spequlos).
	if next := r.scheduler.After(r.agenda.Until()); !math.IsInf(next, 1) {
		r.lookStamp++
		r.agenda.Schedule(next, event{kind: looks, stamp: r.lookStamp})
	}
	return nil
}

func (r *run) startWorker() {
	id := len(r.cloudAll)
	speed := r.c.Cloud.Speed
	if speed == (hosts.Speed{}) {
		speed = CloudSpeed
	}
	r.name = [2]uint64{cloudEntity, uint64(id)}
	chance := r.chance(r.name[:]...)
	w := int32(len(r.workers))
	r.workers = append(r.workers, worker{
		host: hosts.Host{
			Speed: max(0.1*speed.Mean, speed.Mean+speed.SD*chance.NormFloat64()),
			Until: math.Inf(1),
		},
		unit:  none,
		idle:  none,
		cloud: int32(id),
	})
	r.cloudAll = append(r.cloudAll, w)
	r.books.start(r.now)
	r.agenda.Queue(r.now+r.c.Cloud.Boot, event{kind: boots, who: w})
}

func (r *run) boot(w int32, stamp uint32) error {
	if r.workers[w].stamp != stamp {
		return nil // stopped before it was up
	}
	r.workers[w].host.Up = true
	return r.seek(w)
}

// stopWorker removes a cloud worker. Its server misses the worker's task like that of any machine
// that leaves.
func (r *run) stopWorker(w int32) {
	worker := &r.workers[w]
	r.books.stop(worker.cloud, r.now)
	if worker.host.Up {
		r.leave(w)
	}
	worker.stamp++
	worker.unit = none
	worker.host.Up = false
}

// seekCloud looks for work for a cloud worker that has none.
func (r *run) seekCloud(w int32) error {
	u, isCopy, ok := none, false, false
	switch r.c.Strategy.How {
	case spequlos.Flat:
		u, ok = r.take(w)
	case spequlos.Reschedule:
		if u, ok = r.take(w); !ok {
			u, ok = r.longestRunning()
			isCopy = ok
		}
	case spequlos.Duplicate:
		u, ok = r.nextCopied()
		isCopy = ok
	}
	if ok {
		return r.assign(w, u, isCopy)
	}
	worker := &r.workers[w]
	if r.scheduler.Idle(int(worker.cloud), r.now) {
		r.books.stop(worker.cloud, r.now)
		worker.host.Up = false
		worker.stamp++
		return nil
	}
	if r.c.Strategy.How == spequlos.Flat {
		r.rest(w)
		return nil
	}
	r.cloudIdle = append(r.cloudIdle, w) // asks again at the next look
	return nil
}

// nextCopied returns the next unit of the cloud's own server.
func (r *run) nextCopied() (int32, bool) {
	for ; r.cloudNext < len(r.open); r.cloudNext++ {
		if u := r.open[r.cloudNext]; !r.units[u].done {
			r.cloudNext++
			return u, true
		}
	}
	return none, false
}
