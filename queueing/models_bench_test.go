package queueing

import (
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

func BenchmarkFiniteSource(b *testing.B) {
	b.Run("customers=400/servers=300", func(b *testing.B) {
		for b.Loop() {
			if _, err := (FiniteSource{400, 1, .444, 300}).Figures(); err != nil {
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
