package loss

import (
	"context"
	"testing"
)

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
