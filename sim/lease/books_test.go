package lease

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/sim"
)

// cooked is a system whose books are falsified at the end of a run.
type cooked struct {
	*System
	cook func(*grid)
}

func (m *cooked) Replicate(r *sim.Replication) error {
	o, err := m.resolved("cooked")
	if err != nil {
		return err
	}
	split, err := m.split()
	if err != nil {
		return err
	}
	g, err := m.newGrid(r, o, split)
	if err != nil {
		return err
	}
	if err := g.run(r); err != nil {
		return err
	}
	m.cook(g)
	return g.audit(r.Horizon)
}

// Each run audits its books: whatever is taken from them or added is found.
func TestAuditFindsFaults(t *testing.T) {
	for want, cook := range map[string]func(*grid){
		"":                     func(*grid) {},
		"node-seconds used":    func(g *grid) { g.clusters[1].tally.idle++ },
		"are those that came":  func(g *grid) { g.counts.arrived[Suspendable]++ },
		"that ended cancelled": func(g *grid) { g.counts.ended[Suspendable][cancelled]++ },
		"that ended failed":    func(g *grid) { g.counts.ended[Cancelable][failed]++ },
		"that ended rejected":  func(g *grid) { g.counts.ended[Cancelable][rejected]++ },
		"preempted of local":   func(g *grid) { g.counts.preempted[Local]++ },
	} {
		m := &cooked{small(RoundRobin), cook}
		_, err := sim.Run(context.Background(), m, sim.Options{Seed: 7, Horizon: 3000, Replications: 1})
		var audit *AuditError
		if want == "" && err != nil || want != "" && (!errors.As(err, &audit) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
