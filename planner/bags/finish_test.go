package bags

import (
	"context"
	"testing"
)

// BenchmarkDone is what finish takes with a design: the bar is 50 ms.
func BenchmarkDone(b *testing.B) {
	by, price := 8*3600., 0.1
	type of struct{ bag, name string }
	for _, k := range []of{{"small", "nd"}, {"small", "g5klyo"}, {"small", "spot100"}, {"random", "nd"}, {"big", "seti"}} {
		for _, server := range ServerNames() {
			bag, _ := NamedBag(k.bag)
			p, _ := NamedHosts(k.name)
			b.Run("bag="+k.bag+"/hosts="+k.name+"/server="+server, func(b *testing.B) {
				for b.Loop() {
					q := &FinishQuestion{Bag: bag, Hosts: p, Server: server, By: &by, CloudPrice: &price}
					if server == "boinc" {
						late := 4 * by
						q.By = &late
					}
					if _, err := Done(context.Background(), q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
