package machines_test

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// Which machine stays free from nine to twelve on a weekday? Each has its own
// trace: here three made-up ones of sixty weeks, whose owners start something heavy
// with different chances in office hours, of c in a step: the first time after so many
// steps that a share (1 − c)ⁿ of the mornings is free for longer. The mornings are
// spread evenly over these shares, by multiples of the golden ratio, so that no stream
// of random numbers decides what is printed: 0.99¹⁹, 0.95¹⁹ and 0.85¹⁹, that none of
// the 19 samples from 09:00 to 12:00 begins anything, are 83, 38 and 5%, and what is
// learned comes within a point of them. Of 300 random mornings, as many as these, it is
// off by two or three.
func Example_chooseMachines() {
	const monday, step = 1704067200, 600 // unix seconds, s
	q := &machines.RankQuestion{DayWindow: machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 3 * 3600, Days: 300}}
	for _, owner := range []struct {
		name   string
		chance float64 // of a heavy spell to begin, in a step
	}{{"ann", 0.15}, {"ben", 0.01}, {"cat", 0.05}} {
		host := machines.Trace{Name: owner.name}
		for day := range 60 * 7 {
			_, share := math.Modf(float64(day+1) * math.Phi)
			begins := 9*6 + int(math.Log(share)/math.Log(1-owner.chance)) // sample of the day
			heavy := day%7 < 5 && begins < 17*6
			for t := range 144 {
				sample := smp.Sample{Time: float64(monday + step*(144*day+t)), Load: 0.1, FreeMemory: math.NaN()}
				if heavy && t >= begins && t < begins+6 {
					sample.Load = 0.9
				}
				host.Samples = append(host.Samples, sample)
			}
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
	// 1. ben 83%
	// 2. cat 37%
	// 3. ann 4%
}
