package machines_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// Which machine stays free from nine to twelve on a weekday? Each has its own
// trace: here three made-up ones of sixty weeks, whose owners start something heavy
// with different chances in office hours. By those, 83, 38 and 5% of the mornings
// pass: none of the 19 samples from 09:00 to 12:00 begins anything, 0.99¹⁹ and so on.
// Of the 30 mornings of eight weeks the figures would be off by up to ten points.
func Example_chooseMachines() {
	const monday, step = 1704067200, 600 // unix seconds, s
	q := &machines.RankQuestion{DayWindow: machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 3 * 3600, Days: 300}}
	for seed, owner := range []struct {
		name   string
		chance float64 // of a heavy spell to begin, in a step
	}{{"ann", 0.15}, {"ben", 0.01}, {"cat", 0.05}} {
		draw := rand.New(rand.NewPCG(uint64(seed), 1))
		host := machines.Trace{Name: owner.name}
		busy := 0 // steps left of a heavy spell
		for t := range 60 * 7 * 144 {
			day, hour := t/144%7, t%144/6
			if busy == 0 && day < 5 && hour >= 9 && hour < 17 && draw.Float64() < owner.chance {
				busy = 1 + draw.IntN(12)
			}
			sample := smp.Sample{Time: float64(monday + step*t), Load: 0.1, FreeMemory: math.NaN()}
			if busy > 0 {
				sample.Load, busy = 0.9, busy-1
			}
			host.Samples = append(host.Samples, sample)
		}
		q.Hosts = append(q.Hosts, host)
	}
	ranking, err := machines.Rank(context.Background(), q)
	if err != nil {
		panic(err)
	}
	fmt.Println("take", ranking.Choice)
	for _, host := range ranking.Hosts {
		fmt.Printf("%d. %s %.0f%%\n", host.Rank, host.Name, 100**host.Chance())
	}
	// Output:
	// take ben
	// 1. ben 82%
	// 2. cat 36%
	// 3. ann 3%
}
