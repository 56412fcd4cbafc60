package bot

import (
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/sim"
)

// One seed of ten thousand tasks on the 31,092 machines of seti, tasks so long that
// they take 5 days and more; and of the paper's bags.
func BenchmarkSimulate(b *testing.B) {
	seti, err := hosts.Traces()[0].Platform()
	if err != nil {
		b.Fatal(err)
	}
	days := bags.Bag{Name: "5 days", Size: bags.Spread{Mean: 10000}, Work: bags.Spread{Mean: 1e8}}
	for _, bag := range append(bags.Bags(), days) {
		for _, server := range []Server{XWHEP, BOINC} {
			b.Run("bag="+bag.Name+"/server="+server.String(), func(b *testing.B) {
				events, last := 0.0, 0.0
				for i := range b.N {
					c := &Case{Bag: bag, Hosts: seti, Server: server}
					if bag.Name == "5 days" {
						c.Horizon = 5 * hosts.Day
					}
					o, err := Simulate(c, func(e ...uint64) *rand.Rand { return sim.Stream(1, i, e...) }, nil)
					if err != nil {
						b.Fatal(err)
					}
					events += float64(o.Events)
					last = o.End
				}
				b.ReportMetric(events/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(last/hosts.Day, "days")
			})
		}
	}
}
