package station

import (
	"github.com/capplan/capplan/queueing"
)

// never stands for the wait of who is never served.
const never = 1e300

// arrive brings a customer of a class, or the next of the log.
func (d *desk) arrive(class int32) {
	id := d.admit(class)
	c := &d.table[id]
	d.of(c, func(l *ledger) {
		l.book(d.now, d.servers)
		l.count.came++
	})
	s := d.st
	reserve := 0
	if len(s.Classes) > 0 {
		reserve = s.Classes[class].Reserve
	}
	free := d.servers - d.busy
	if s.Loss && free < int(c.width)+reserve || s.Places > 0 && d.inside >= s.Places {
		d.of(c, func(l *ledger) { l.count.lost++ })
		d.release(id)
		return
	}
	d.inside++
	d.of(c, func(l *ledger) {
		l.inside++
		l.count.letIn++
	})
	d.line.arrive(id)
	if c = &d.table[id]; c.waited {
		d.of(c, func(l *ledger) { l.count.waited++ })
	}
}

// enter fills a place of the table.
func (d *desk) enter(class int32) (id int32) {
	if n := len(d.unused); n > 0 {
		id = d.unused[n-1]
		d.unused = d.unused[:n-1]
	} else {
		id = int32(len(d.table))
		d.table = append(d.table, customer{})
	}
	c := &d.table[id]
	d.seq++
	*c = customer{class: class, width: 1, stamp: c.stamp + 1, there: true, seq: d.seq, came: d.now}
	return id
}

// admit lets a customer of a class, or the next of the log, enter and brings about the next arrival.
func (d *desk) admit(class int32) int32 {
	id := d.enter(class)
	c := &d.table[id]
	if len(d.st.Jobs) > 0 {
		j := &d.st.Jobs[d.next]
		c.width, c.length, c.estimate = int32(j.Width), j.Length, max(j.Length, j.Estimate)
		c.left = c.length
		if d.next++; d.next < len(d.st.Jobs) {
			d.agenda.Schedule(d.st.Jobs[d.next].At, event{kind: arrives})
		}
		return id
	}
	v := &d.sources[class]
	c.width = int32(max(1, v.class.Width))
	c.length = d.draw(v.class.Service, v.service)
	c.left, c.estimate = c.length, c.length
	if v.class.Sources == 0 {
		d.agenda.Schedule(d.coming(v), event{kind: arrives, id: class})
	}
	if d.slots > 0 {
		i, _ := d.sources[0].curve.interval(d.now)
		c.slot = int32(i)
	}
	return id
}

// release takes a customer out of the table; one of finitely many thinks.
func (d *desk) release(id int32) {
	c := &d.table[id]
	if len(d.sources) > 0 {
		if v := &d.sources[c.class]; v.class.Sources > 0 {
			d.agenda.Schedule(d.coming(v), event{kind: arrives, id: c.class})
		}
	}
	c.stamp++
	c.there, c.serving = false, false
	d.unused = append(d.unused, id)
}

// wait notes that a customer who has come or was interrupted waits.
func (d *desk) wait(id int32) {
	c := &d.table[id]
	first := !c.waited
	c.waited = true
	d.waiting++
	d.of(c, func(l *ledger) {
		l.book(d.now, d.servers)
		l.queued++
	})
	if first && len(d.sources) > 0 && !d.interrupted {
		if v := &d.sources[c.class]; v.class.Patience != nil {
			d.agenda.Schedule(d.now+d.draw(v.class.Patience, v.patience), event{kind: tires, id: id, stamp: c.stamp})
		}
	}
}

// begin begins a service, or goes on with it; queued says that the customer waited.
func (d *desk) begin(id int32, queued bool) {
	c := &d.table[id]
	c.serving, c.began = true, d.now
	if d.idle != nil {
		d.assign(c)
	}
	d.busy += int(c.width)
	if queued {
		d.waiting--
	}
	d.of(c, func(l *ledger) {
		l.book(d.now, d.servers)
		l.busy += int(c.width)
		if queued {
			l.queued--
		}
	})
	if d.began != nil {
		d.began(c)
	}
	d.agenda.Schedule(d.now+c.left, event{kind: ends, id: id, stamp: c.stamp})
	if !d.interrupted {
		d.observeWait(c, d.now-c.came)
	}
}

// interrupt stops a service, to be gone on with.
func (d *desk) interrupt(id int32) {
	c := &d.table[id]
	c.stamp++
	c.serving = false
	c.left = max(0, c.left-(d.now-c.began))
	d.busy -= int(c.width)
	d.of(c, func(l *ledger) {
		l.book(d.now, d.servers)
		l.busy -= int(c.width)
	})
	d.wait(id)
}

// observeWait counts the wait of one who is served.
func (d *desk) observeWait(c *customer, w float64) {
	d.of(c, func(l *ledger) {
		l.count.wait += w
		l.count.waits++
		l.count.judged++
		if w <= d.st.MaxWait {
			l.count.onTime++
		}
		if d.observes {
			d.r.Observe(l.first+waitPercentile, w)
		}
	})
}

// finish ends a service.
func (d *desk) finish(id int32) {
	c := &d.table[id]
	stay := d.now - c.came
	if d.idle != nil {
		d.idle[c.group]++
	}
	d.busy -= int(c.width)
	d.inside--
	d.of(c, func(l *ledger) {
		l.book(d.now, d.servers)
		l.busy -= int(c.width)
		l.inside--
		l.count.served++
		if l.until == 0 || d.now <= l.until {
			l.count.inTime++
		}
		l.count.response += stay
		l.responses.served(stay)
		l.left += stay
		l.work += float64(c.width) * c.length
		if d.observes {
			d.r.Observe(l.first+responsePercentile, stay)
		}
	})
	d.r.Watch(d.now, stay)
	if d.interrupted {
		wait := stay - c.length
		if wait < max(1e-9*c.length, 1e-12*d.now) { // or below 0: what rounding leaves of none
			wait = 0
		}
		d.observeWait(c, wait)
	}
	d.release(id)
	d.line.left(id)
}

// giveUp takes one who waits out of the queue. Whether his wait counts as too long
// is a matter of the service level; the mean wait counts it as it was.
func (d *desk) giveUp(id int32) {
	c := &d.table[id]
	stay := d.now - c.came
	d.waiting--
	d.inside--
	d.of(c, func(l *ledger) {
		l.book(d.now, d.servers)
		l.queued--
		l.inside--
		n := &l.count
		n.gaveUp++
		n.wait += stay
		n.waits++
		l.left += stay
		observed := stay
		soon := stay <= d.st.MaxWait
		switch d.st.ServiceLevelOf {
		case queueing.Offered:
			n.judged++
			observed = never
			l.responses.gone()
			if d.observes && len(d.st.MaxResponses) > 0 {
				d.r.Observe(l.first+responsePercentile, never)
			}
		case queueing.Waits:
			n.judged++
			if soon {
				n.onTime++
			}
		case queueing.Stayed:
			if !soon {
				n.judged++
			}
		case queueing.Served:
			observed = -1
		}
		if d.observes && observed >= 0 {
			d.r.Observe(l.first+waitPercentile, observed)
		}
	})
	d.r.Watch(d.now, stay)
	d.release(id)
	d.line.gone(id)
}
