package law

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// Quantiles of a table are those of the law, and those beyond its ends too; a law that has no table, and one
// of nothing, answer as the law does.
func TestQuantilesOfTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wide, narrow := 0.0, 0.0
	const laws = 60
	for i := range laws {
		shape := math.Exp(math.Log(0.02) + float64(i)/laws*math.Log(1e3/0.02))
		scale := math.Exp(10 * r.NormFloat64())
		weibull := Weibull{math.Exp(math.Log(0.1) + float64(i)/laws*math.Log(100)), scale}
		for _, c := range []struct {
			q    Quantiles
			want func(p float64) (float64, error)
			tell bool
		}{
			{QuantilesOf(Gamma{shape, scale}).Tabled(), Gamma{shape, scale}.Quantile, shape >= 0.2},
			{LengthBiasedQuantiles(Gamma{min(shape, 900), scale}).Tabled(), func(p float64) (float64, error) {
				return LengthBiasedQuantile(Gamma{min(shape, 900), scale}, p)
			}, true},
			{LengthBiasedQuantiles(weibull).Tabled(), func(p float64) (float64, error) {
				return LengthBiasedQuantile(weibull, p)
			}, true},
		} {
			if c.q.logs == nil {
				t.Fatalf("%v has no table", shape)
			}
			for range 100 {
				p := r.Float64()
				switch r.IntN(8) {
				case 0:
					p = math.Pow(10, -5*p)
				case 1:
					p = 1 - math.Pow(10, -8*p)
				}
				got, err := c.q.At(p)
				want, _ := c.want(p)
				off := math.Abs(got/want - 1)
				if err != nil || !(off < 1e-5) || c.tell && !(off < 5e-7) {
					t.Errorf("shape %v: %v-quantile %v, want %v: %v", shape, p, got, want, err)
				}
				if wide = max(wide, off); c.tell {
					narrow = max(narrow, off)
				}
			}
		}
	}
	t.Logf("off by %.1e at most, by %.1e for shapes from 0.2 on", wide, narrow)
	for _, l := range []Law{
		Exponential{2}, Weibull{0.5, 3}, Gamma{0.01, 1}, Gamma{1e4, 1}, LogNormal{1, 2}, Gamma{-1, 1},
	} {
		q := QuantilesOf(l).Tabled()
		got, err := q.At(0.3)
		want, wantErr := l.Quantile(0.3)
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%+v: %v, %v", l, got, err)
		}
	}
	none := QuantilesOf(nil).Tabled()
	if _, err := none.At(0.5); err == nil {
		t.Error("no law has quantiles")
	}
}

// The tables that are kept are those of their shapes, whatever was asked for before, at once too.
func TestTablesOfManyShapes(t *testing.T) {
	var of latest
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 60 {
				shape := 0.5 + float64((i*(g+3))%11)
				if got, want := of.of(shape), table(Gamma{shape, 1}); !slices.Equal(got, want) {
					t.Errorf("shape %v: another table", shape)
				}
			}
		})
	}
	all.Wait()
	for _, shape := range []float64{0, math.NaN(), math.Inf(1), -1} {
		if of.of(shape) != nil {
			t.Errorf("shape %v has a table", shape)
		}
	}
}

func BenchmarkQuantiles(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	l := Gamma{0.5, 34}
	b.Run("law", func(b *testing.B) {
		for b.Loop() {
			_, _ = l.Quantile(r.Float64())
		}
	})
	b.Run("table", func(b *testing.B) {
		q := QuantilesOf(l).Tabled()
		for b.Loop() {
			_, _ = q.At(r.Float64())
		}
	})
	b.Run("made", func(b *testing.B) {
		for b.Loop() {
			table(Gamma{l.Shape, 1})
		}
	})
}
