package bot

import (
	"context"
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

// A design that is taken after 39 runs of the paper's small bag, all of them in time.
func BenchmarkJudge(b *testing.B) {
	for _, k := range []struct {
		hosts  string
		server Server
		help   bags.Help
	}{
		{"g5kgre", Checkpoint, bags.Help{Start: 0, Workers: 1000}},
		{"g5kgre", XWHEP, bags.Help{Start: 0.9, Workers: 69}},
		{"spot100", XWHEP, bags.Help{Start: 0.8, Workers: 170}},
		{"spot100", BOINC, bags.Help{Start: 0, Workers: 230}},
		{"nd", XWHEP, bags.Help{Start: 0.99, Workers: 10}},
	} {
		b.Run("hosts="+k.hosts+"/server="+k.server.String(), func(b *testing.B) {
			c := &Case{Bag: bags.Bags()[0], Hosts: platform(b, k.hosts), Server: k.server, Cloud: Cloud{Boot: DefaultBoot}}
			d := Drawing{Seed: 5, Effort: 1e9, Least: 39, Most: 600}
			for b.Loop() {
				t, err := Judge(context.Background(), c, k.help, bags.Target{By: DefaultHorizon, Chance: 0.95}, d)
				if err != nil || t.Runs != d.Least {
					b.Fatal(t, err)
				}
			}
		})
	}
}
