package lease

import (
	"context"
	"testing"

	"github.com/capplan/capplan/sim"
)

// BenchmarkTwoDays is one seed of InterGrid: two days on 448 nodes, with room for
// external requests and with the local requests of table 2 at face value, under
// which the queues grow without bound.
func BenchmarkTwoDays(b *testing.B) {
	roomy, full := das2(b, PAPRTDP), das2(b, RoundRobin)
	full.ReferenceSpeed, full.LocalShare = 0, 0
	one := das2(b, PAPRTDP)
	one.ReferenceSpeed, one.LocalShare, one.SplitAsPrinted = 0, 0, true
	for name, s := range map[string]*System{"room": roomy, "growing": full, "growing-on-one": one} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			events := uint64(0)
			for i := range b.N {
				r, err := Simulate(context.Background(), s, sim.Options{Seed: uint64(i), Horizon: 2 * 86400, Replications: 1, Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				events += r.Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
