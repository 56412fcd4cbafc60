package queueing

import (
	"context"
	"testing"
)

func BenchmarkMG1Tail(b *testing.B) {
	for _, l := range []struct {
		name string
		law  Law
	}{{"deterministic", Deterministic{1}}, {"erlang=20", ErlangK{1, 20}}, {"lognormal", Lognormal{1, 2}}, {"empirical=2", Empirical{Times: []float64{.5, 1.5}}}} {
		b.Run("law="+l.name, func(b *testing.B) {
			for b.Loop() {
				f, err := MG1{.9, l.law}.Figures()
				if err != nil {
					b.Fatal(err)
				}
				f.WaitPercentile(.99)
			}
		})
	}
}

func BenchmarkPriority(b *testing.B) {
	q := Priority{Servers: 8, Preemptive: true}
	for range 100 {
		q.Classes = append(q.Classes, PriorityClass{"", .07, 1, 2})
	}
	b.Run("classes=100", func(b *testing.B) {
		for b.Loop() {
			if _, err := q.Figures(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMMCK(b *testing.B) {
	b.Run("buffer=1e6", func(b *testing.B) {
		for b.Loop() {
			if _, err := (MMCK{6, 1, 1e6}).At(5); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("percentile/buffer=1e6", func(b *testing.B) {
		for b.Loop() {
			f, _ := MMCK{5, 1, 1e6}.At(5)
			f.WaitPercentile(.99)
		}
	})
}

func BenchmarkEngset(b *testing.B) {
	for b.Loop() {
		if _, err := (Engset{1e6, .1, 1}).At(91000); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEquivalentRandom(b *testing.B) {
	for b.Loop() {
		if _, _, err := EquivalentRandom(Peaked{30, 2.5}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReservation(b *testing.B) {
	for _, reserve := range []int{0, 50} {
		q := Reservation{fifty(990000, reserve), 1000000}
		b.Run(map[int]string{0: "capacity=1e6/classes=50", 50: "capacity=1e6/classes=50/reserve=50"}[reserve], func(b *testing.B) {
			for b.Loop() {
				if _, err := q.Figures(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLossNetwork(b *testing.B) {
	n := LossNetwork{[]Link{{"a", 10}, {"b", 8}, {"c", 12}}, []Route{{"ab", 30, []int{0, 1}}, {"bc", 30, []int{1, 2}}, {"ca", 30, []int{2, 0}}}}
	for b.Loop() {
		if _, err := n.FixedPoint(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGIM1(b *testing.B) {
	for b.Loop() {
		if _, err := (GIM1{Deterministic{1}, .99}).Figures(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMDC(b *testing.B) {
	b.Run("servers=100", func(b *testing.B) {
		for b.Loop() {
			if _, err := (MDC{90, 1, 100}).Figures(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGGCBy(b *testing.B) {
	for b.Loop() {
		if _, err := (GGCBy{GGC{90, 1, .5, 2}, Whitt1993}).At(100); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClosedNetwork(b *testing.B) {
	n := ClosedNetwork{[]Station{{Servers: 300}, {Servers: 20}, {}}, []ClosedClass{{Customers: 400, ThinkTime: 1, Demands: []float64{.444, .02, .001}}}}
	b.Run("customers=400/servers=300", func(b *testing.B) {
		for b.Loop() {
			if _, err := n.Exact(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
	two := ClosedNetwork{[]Station{{}, {}, {}}, []ClosedClass{{Customers: 100, ThinkTime: 1, Demands: []float64{.4, .02, .1}}, {Customers: 100, ThinkTime: 1, Demands: []float64{.1, .2, .1}}}}
	b.Run("classes=2/customers=200", func(b *testing.B) {
		for b.Loop() {
			if _, err := two.Exact(context.Background()); err != nil {
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

func BenchmarkFiniteSource(b *testing.B) {
	b.Run("customers=400/servers=300", func(b *testing.B) {
		for b.Loop() {
			if _, err := (FiniteSource{400, 1, .444, 300}).Figures(); err != nil {
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

func BenchmarkDisciplines(b *testing.B) {
	for d := SJF; d <= FB; d++ {
		b.Run("law=lognormal/discipline="+d.String(), func(b *testing.B) {
			for b.Loop() {
				if _, err := (MG1{.8, Lognormal{1, 4}}).MeanResponseUnder(d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
