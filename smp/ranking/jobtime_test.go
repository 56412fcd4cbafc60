package ranking

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/smp"
)

func TestJobTimes(t *testing.T) {
	j := Job{Length: 100, Rate: 2, Load: ConstantLoad(0.5)}
	if v, err := j.JCT(); err != nil || v != 100 {
		t.Errorf("JCT = %v, %v, want 100", v, err)
	}
	if v, err := j.ETL(30); err != nil || v != 30 {
		t.Errorf("ETL = %v, %v, want 30", v, err)
	}
	// R = 1 for 4 steps of 10 s, then 1/2: 40 s give 40, the other 60 take 120.
	r := []float64{1, 1, 1, 1}
	for len(r) < 40 {
		r = append(r, 0.5)
	}
	v, err := j.JCTF(r, 10)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "JCTF", v, 160, 1e-12)
	if _, err := j.JCTF(r[:10], 10); !errors.Is(err, smp.ErrHorizon) {
		t.Errorf("short curve: %v, want ErrHorizon", err)
	}
	j.Load = ConstantLoad(1)
	if _, err := j.JCT(); !errors.Is(err, smp.ErrInfinite) {
		t.Errorf("full host: %v", err)
	}
	// A load that rises with the horizon: 1 − L(x) = 1/(1 + x/100), R = 1:
	// 2x/(1 + x/100) = 100 at x = 100.
	j.Load = func(x float64) float64 { return 1 - 1/(1+x/100) }
	ones := make([]float64, 100)
	for i := range ones {
		ones[i] = 1
	}
	if v, err = j.JCTF(ones, 7); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "JCTF under a rising load", v, 100, 1e-12)
}
