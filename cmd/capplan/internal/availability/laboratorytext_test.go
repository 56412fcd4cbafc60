package availability

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

// Rows that are made on all cores are those of one machine after the other.
func TestLaboratoryRowsAreInOrder(t *testing.T) {
	for _, period := range []float64{600, 7.5} {
		l, err := machines.NewLaboratory(machines.LaboratoryQuestion{Machines: 9, Days: 2, Period: period, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		var want, got bytes.Buffer
		want.WriteString("time,host,cpu,free_mb\n")
		for m := range l.Machines {
			h, err := l.Host(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range h.Samples {
				fmt.Fprintf(&want, "%s,%s,%.3f,%.1f\n", strconv.FormatFloat(s.Time, 'f', -1, 64), h.Name, s.Load, s.FreeMemory)
			}
		}
		told := 0
		if err := writeLaboratory(t.Context(), &got, l, func(int, int) { told++ }); err != nil || told != l.Machines {
			t.Fatal(err, told)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("period %v: %d bytes, want %d others", period, got.Len(), want.Len())
		}
	}
}

// What cannot be written, and what is stopped, ends.
func TestLaboratoryRowsEnd(t *testing.T) {
	l, err := machines.NewLaboratory(machines.LaboratoryQuestion{Machines: 50, Days: 30})
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	gone := errors.New("gone")
	r.CloseWithError(gone)
	if err := writeLaboratory(t.Context(), w, l, func(int, int) {}); !errors.Is(err, gone) {
		t.Errorf("a closed pipe: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := writeLaboratory(ctx, io.Discard, l, func(int, int) { stop() }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// Digits are those of strconv, of ties and their neighbours too.
func TestFixedDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 200_000 {
		v := math.Ldexp(r.Float64(), r.IntN(24)-8)
		switch r.IntN(8) {
		case 0:
			v = float64(r.IntN(4e6)) / 2000
		case 1:
			v = math.Nextafter(float64(r.IntN(4e6))/2000, 2000*float64(r.IntN(2)))
		case 2:
			v = []float64{0, math.Copysign(0, -1), -v, math.NaN(), math.Inf(1), 1e17, 5e-324}[r.IntN(7)]
		}
		for digits := range 4 {
			got := string(appendFixed(nil, v, digits))
			if want := strconv.FormatFloat(v, 'f', digits, 64); got != want {
				t.Fatalf("%v with %d digits: %s, want %s", v, digits, got, want)
			}
		}
	}
}
