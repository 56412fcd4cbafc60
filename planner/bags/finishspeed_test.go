package bags

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkFinish is what finish takes for each of SpeQuloS's bags on the machines of its table 2, without a
// deadline and with one at a share of the 95 % point, for which help is sought. The bar is 50 ms. In CPU time,
// in process and as the least of five runs, the 54 questions without a deadline take 5 in the median and 38 at
// the most. Of 108 with one, at the median and at .75 of the 95 % point, 17 race for help by runs, for 1 to
// 3.3 seconds (raceEffort); of the others the median takes 17, and three over 50: two of these 56, on two processors
// 46 by the clock, and one 240, which is refused after 32 runs of the greatest help.
func BenchmarkFinish(b *testing.B) {
	for _, machines := range HostNames() {
		for _, bag := range BagNames() {
			for _, server := range ServerNames() {
				for _, share := range []float64{0, 0.6, 0.9} {
					b.Run(fmt.Sprintf("hosts=%s/bag=%s/server=%s/by=%g", machines, bag, server, share), func(b *testing.B) {
						benchmarkFinish(b, machines, bag, server, share)
					})
				}
			}
		}
	}
}

func benchmarkFinish(b *testing.B, machines, bag, server string, share float64) {
	tasks, ok := NamedBag(bag)
	p, known := NamedHosts(machines)
	if !ok || !known {
		b.Fatalf("%s on %s: not known", bag, machines)
	}
	q := &FinishQuestion{Bag: tasks, Hosts: p, Server: server}
	if share > 0 {
		a, err := Done(context.Background(), q)
		if err != nil || a.Finish.P95 == nil {
			b.Fatal(a, err)
		}
		by := share * *a.Finish.P95
		q.By = &by
	}
	for b.Loop() {
		a, err := Done(context.Background(), q)
		if err != nil && share == 0 { // that no help does is an answer
			b.Fatal(a, err)
		}
	}
}
