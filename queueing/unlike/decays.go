package unlike

import (
	"sync"

	"github.com/capplan/capplan/internal/numeric"
)

// decays give the integrals of those who wait and may give up, for the one y of a queue,
// by tables that its numbers up share. Laws hold on to them, so that a lock keeps those
// apart who ask laws at once.
type decays struct {
	lock   sync.Mutex
	tables map[float64]*numeric.DecayTable // by time over patience
}

// mostDecays bounds the tables.
const mostDecays = 64

// at is that of numeric.DecayIntegrals.
func (d *decays) at(b, y, w0 float64) numeric.Decay {
	d.lock.Lock()
	defer d.lock.Unlock()
	t := d.tables[w0]
	if t == nil {
		if d.tables == nil || len(d.tables) > mostDecays {
			d.tables = map[float64]*numeric.DecayTable{}
		}
		t = numeric.NewDecayTable(y, w0)
		d.tables[w0] = t
	}
	return t.At(b)
}
