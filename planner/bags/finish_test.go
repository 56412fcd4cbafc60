package bags

import (
	"context"
	"testing"
)

// BenchmarkDone is what finish takes with a design: the bar is 50 ms.
func BenchmarkDone(b *testing.B) {
	bag, _ := NamedBag("small")
	by, price := 8*3600., 0.1
	for _, name := range []string{"nd", "g5klyo", "spot100"} {
		for _, server := range ServerNames() {
			p, _ := NamedHosts(name)
			b.Run("hosts="+name+"/server="+server, func(b *testing.B) {
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
