package partials

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Numbers come back to the bit, whatever they are.
func TestJSONKeepsNumbers(t *testing.T) {
	form := JSON[[]Number]()
	all := []Number{0, Number(math.Copysign(0, -1)), Number(math.NaN()), Number(math.Inf(1)), Number(math.Inf(-1)), math.SmallestNonzeroFloat64, math.MaxFloat64}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		all = append(all, Number(math.Float64frombits(rng.Uint64())))
	}
	text, err := form.Write([]byte("before "), 0, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := form.Read(0, text[len("before "):], nil)
	if err != nil || len(got) != len(all) {
		t.Fatalf("%d of %d numbers, %v", len(got), len(all), err)
	}
	for i, v := range got {
		none := math.IsNaN(float64(v)) && math.IsNaN(float64(all[i])) // whichever bits say so
		if !none && math.Float64bits(float64(v)) != math.Float64bits(float64(all[i])) {
			t.Errorf("%v comes back as %v", all[i], v)
		}
	}
	for _, text := range []string{`["one"]`, `[true]`, `[""]`, `1`} {
		if _, err := form.Read(0, []byte(text), nil); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	if _, err := JSON[float64]().Write(nil, 0, math.NaN(), nil); err == nil {
		t.Error("a plain NaN is written")
	}
	for _, v := range [][]float64{nil, {}, {1, math.Inf(1)}} {
		if got := Floats(Numbers(v)); (got == nil) != (v == nil) || len(got) != len(v) {
			t.Errorf("%v comes back as %v", v, got)
		}
	}
}
