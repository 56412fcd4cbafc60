package networks

import (
	"context"
	"testing"
)

func BenchmarkLoss(b *testing.B) {
	n := Loss{[]Link{{"a", 10}, {"b", 8}, {"c", 12}}, []Route{{"ab", 30, []int{0, 1}}, {"bc", 30, []int{1, 2}}, {"ca", 30, []int{2, 0}}}}
	for b.Loop() {
		if _, err := n.FixedPoint(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClosed(b *testing.B) {
	n := Closed{[]Station{{Servers: 300}, {Servers: 20}, {}}, []Class{{Customers: 400, ThinkTime: 1, Demands: []float64{.444, .02, .001}}}}
	b.Run("customers=400/servers=300", func(b *testing.B) {
		for b.Loop() {
			if _, err := n.Exact(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
	two := Closed{[]Station{{}, {}, {}}, []Class{{Customers: 100, ThinkTime: 1, Demands: []float64{.4, .02, .1}}, {Customers: 100, ThinkTime: 1, Demands: []float64{.1, .2, .1}}}}
	b.Run("classes=2/customers=200", func(b *testing.B) {
		for b.Loop() {
			if _, err := two.Exact(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
	several := two
	several.Stations = []Station{{Servers: 5}, {Servers: 2}, {}}
	b.Run("classes=2/customers=200/servers=5", func(b *testing.B) {
		for b.Loop() {
			if _, err := several.Exact(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("schweitzer/classes=2", func(b *testing.B) {
		for b.Loop() {
			if _, err := two.Schweitzer(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkJackson(b *testing.B) {
	const size = 50
	n := Jackson{Routing: make([][]float64, size)}
	for i := range n.Routing {
		n.Stations = append(n.Stations, OpenStation{ArrivalRate: .1, ServiceTime: .1, Servers: 2})
		n.Routing[i] = make([]float64, size)
		n.Routing[i][(i+1)%size] = .9
	}
	b.Run("stations=50", func(b *testing.B) {
		for b.Loop() {
			if _, err := n.Figures(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
