package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

func readPrices(text string, o SpotPriceOptions) ([]Interval, *TraceLog, error) {
	var out []Interval
	log, err := ReadSpotPrices(context.Background(), "zone", strings.NewReader(text), o, func(i Interval) error {
		out = append(out, i)
		return nil
	})
	return out, log, err
}

func TestReadSpotPrices(t *testing.T) {
	text := "time,price_usd_per_hour\n" +
		"1970-01-02 00:00:00+00:00,0.5\n" + // 2
		"1970-01-02 00:00:10+00:00,0.25\n" + // 3
		"1970-01-02T00:00:20Z,0.1\n" + // 4
		"86430,0.26\n" + // 5
		"86440,\n" + // 6, unknown
		"86450,0.2\n" + // 7
		"86450,9\n" + // 8, the same time
		"86440,9\n" + // 9, backward
		"86460,-1\n" + // 10
		"86470,free\n" + // 11
		"86480,0.2\n" // 12
	got, log, err := readPrices(text, SpotPriceOptions{Bid: 0.25})
	want := []Interval{
		{0, "zone", 2, 86400, 86410, false, true, false},
		{0, "zone", 3, 86410, 86430, true, false, false},
		{0, "zone", 5, 86430, 86440, false, false, true},
		{0, "zone", 7, 86450, 86480, true, true, true},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, want %+v; %v", got, want, err)
	}
	m := log.Malformed
	if log.Rows != 6 || log.Skipped != 1 || log.Joined != 0 || log.Nodes != 1 || m.Overlap != 1 || m.Backward != 1 || m.Range != 1 || m.Value != 1 || log.Last != 86480 {
		t.Errorf("%+v", log)
	}
	var o *OrderError
	if _, _, err := readPrices(text, SpotPriceOptions{Strict: true}); !errors.As(err, &o) || o.Line != 8 {
		t.Errorf("strict: %v", err)
	}
	for _, c := range []struct {
		text string
		err  error
		say  string
	}{
		{"time,price\n", source.ErrMalformed, `unknown column "price"`},
		{"time,price_usd_per_hour\n", ErrNoRows, "no usable row"},
		{"time,price_usd_per_hour\n5,1\n", ErrNoRows, "no time between two prices"},
		{"", source.ErrEmpty, "no content"},
	} {
		_, _, err := readPrices(c.text, SpotPriceOptions{Bid: 1})
		sourcetest.CheckFileError(t, err, "zone", c.err, c.say, `want a header "time,price_usd_per_hour"`)
	}
	for _, bid := range []float64{-1, math.NaN(), math.Inf(1)} {
		var d *source.DomainError
		if _, _, err := readPrices(text, SpotPriceOptions{Bid: bid}); !errors.As(err, &d) {
			t.Errorf("bid %v: %v", bid, err)
		}
	}
}

// Time up at a bid is the sum of the steps at or below it, and grows with it.
func TestReadSpotPricesBids(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var b strings.Builder
	b.WriteString("time,price_usd_per_hour\n")
	var at, price []float64
	now := 1e9
	for range 2000 {
		now += float64(1 + r.IntN(5000))
		at, price = append(at, now), append(price, float64(r.IntN(10))/10)
		fmt.Fprintf(&b, "%.0f,%v\n", now, price[len(price)-1])
	}
	for bid := 0.0; bid < 1; bid += 0.1 {
		want, up := 0.0, 0.0
		for i := range at[1:] {
			if price[i] <= bid {
				want += at[i+1] - at[i]
			}
		}
		got, _, err := readPrices(b.String(), SpotPriceOptions{Bid: bid, Strict: true})
		for i, v := range got {
			if v.Up {
				up += v.End - v.Start
			}
			if i > 0 && v.Up == got[i-1].Up {
				t.Fatalf("%+v after %+v", v, got[i-1])
			}
		}
		if err != nil || up != want {
			t.Errorf("bid %v: %v s up, want %v; %v", bid, up, want, err)
		}
	}
}

func FuzzReadSpotPrices(f *testing.F) {
	f.Add("time,price_usd_per_hour\n1970-01-02 00:00:00+00:00,0.5\n86410,0.25\n86420,\n86430,1\n", 0.3, false)
	f.Fuzz(func(t *testing.T, text string, bid float64, strict bool) {
		got, log, err := readPrices(text, SpotPriceOptions{Bid: bid, Strict: strict})
		orderedIntervals(t, log, got, err, strict)
	})
}

func BenchmarkReadSpotPrices(b *testing.B) {
	var s strings.Builder
	s.WriteString("time,price_usd_per_hour\n")
	for i := range 20000 {
		fmt.Fprintf(&s, "2015-03-%02d %02d:%02d:%02d+00:00,0.%04d\n", 1+i/864, i/36%24, i%36, i%36, i*7919%10000)
	}
	text := s.String()
	b.Run("prices=20000", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if log, err := ReadSpotPrices(context.Background(), "f", strings.NewReader(text), SpotPriceOptions{Bid: 0.5}, func(Interval) error { return nil }); err != nil || log.Rows != 20000 {
				b.Fatal(log, err)
			}
		}
	})
}
