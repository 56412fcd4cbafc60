package backtest

import (
	"bytes"
	"crypto/sha256"
	"sort"
)

// mostWork bounds what an evaluation does, in nanoseconds of one processor as they are foreseen. What a draw
// of it costs is in docs/EVALUATION.md.
const mostWork = 15e9

// fewestDrawn is the number of machines that are judged whatever they take.
const fewestDrawn = 3

// A draw keeps, of machines that come one by one, the first by a sum of their names, as many as take no
// more than the bound together. Which ones does not depend on the order in which they come.
type draw struct {
	most  float64
	seen  int // machines
	kept  []*lot
	work  float64           // of those kept
	parts bool              // some are not drawn
	limit [sha256.Size]byte // the sum from which on they are not
}

// A lot is a machine in a draw.
type lot struct {
	sum  [sha256.Size]byte
	work float64 // nanoseconds
	lost func()  // called where it is not drawn after all
}

// add puts a machine in, and reports whether it is among those drawn so far.
func (d *draw) add(name string, l *lot) bool {
	d.seen++
	l.sum = sha256.Sum256([]byte(name))
	if d.parts && bytes.Compare(l.sum[:], d.limit[:]) >= 0 {
		return false
	}
	d.kept = append(d.kept, l)
	// To cut half as much again at once sorts each machine a few times only.
	if d.work += l.work; d.work > 1.5*d.most {
		d.cut()
		return !d.parts || bytes.Compare(l.sum[:], d.limit[:]) < 0
	}
	return true
}

// cut keeps as many as the bound allows, in the order of their sums.
func (d *draw) cut() {
	sort.Slice(d.kept, func(i, j int) bool { return bytes.Compare(d.kept[i].sum[:], d.kept[j].sum[:]) < 0 })
	d.work = 0
	for i, l := range d.kept {
		if d.work += l.work; d.work <= d.most || i < fewestDrawn {
			continue
		}
		d.parts, d.limit = true, l.sum
		for k, x := range d.kept[i:] {
			if d.kept[i+k] = nil; x.lost != nil {
				x.lost()
			}
		}
		d.kept, d.work = d.kept[:i], d.work-l.work
		return
	}
}

// drawnOf is how many machines there were, where some are not drawn, and else 0.
func (d *draw) drawnOf() int {
	if d == nil || !d.parts {
		return 0
	}
	return d.seen
}

// drawHosts leaves those machines that a draw keeps.
func (e *evaluation) drawHosts() error {
	e.forecasts = e.mostForecasts(e.period)
	for _, h := range e.q.Hosts {
		e.names = append(e.names, h.Name)
	}
	if e.q.Whole {
		return nil
	}
	d, out := &draw{most: mostWork}, make([]bool, len(e.hosts))
	for i, l := range e.hosts {
		m := &evaluated{name: e.names[i], labelled: l, loads: e.loads[i]}
		work, noise := e.machineWork(l, &m.loads, recordBytes(m))
		if err := e.checkWork(m.name, work, noise); err != nil {
			return err
		}
		if !d.add(m.name, &lot{work: work, lost: func() { out[i] = true }}) {
			out[i] = true
		}
	}
	d.cut()
	e.drawnOf = d.drawnOf()
	n := 0
	for i := range e.hosts {
		if !out[i] {
			e.hosts[n], e.loads[n], e.names[n] = e.hosts[i], e.loads[i], e.names[i]
			n++
		}
	}
	e.hosts, e.loads, e.names = e.hosts[:n], e.loads[:n], e.names[:n]
	return nil
}
