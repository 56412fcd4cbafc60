package unlike

import (
	"sync"

	"github.com/capplan/capplan/internal/numeric"
)

// decays computes the integrals for impatient jobs at the one y of a queue. It interpolates in
// tables that all states of the queue share. The laws of waiting that a queue returns keep a
// reference to it and may be used concurrently, hence the lock.
type decays struct {
	lock   sync.Mutex
	tables map[float64]*numeric.DecayTable // by time over patience
}

// mostDecays bounds the number of tables kept.
const mostDecays = 64

// at returns the same integrals as numeric.DecayIntegrals.
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
