package cmdline

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/units"
)

// encodable refuses what encoding/json refuses, and nothing else.
func TestEncodable(t *testing.T) {
	type inner struct {
		F *float64 `json:"f"`
		X any      `json:"x"`
	}
	type tree struct {
		Sub []tree `json:"sub"`
		inner
		Hidden float64 `json:"-"`
		hidden float64
		N      map[string]units.Count `json:"n"`
	}
	nan, one := math.NaN(), 1.0
	for i, v := range []any{
		nil, 3, one, nan, &nan, []float64{1, nan}, map[string]float64{"a": math.Inf(1)}, []any{1, "a", []any{nan}},
		tree{}, &tree{Hidden: nan, hidden: nan}, tree{inner: inner{F: &one}}, tree{inner: inner{F: &nan}}, tree{Sub: []tree{{Sub: []tree{{inner: inner{X: nan}}}}}},
		tree{N: map[string]units.Count{"a": 1}}, tree{N: map[string]units.Count{"a": -1}}, units.Count(-1), make(chan int), [2]float32{1, float32(nan)},
		&allocation.Answer{ProvenBound: nan}, &allocation.Answer{ProvenGap: &nan}, &allocation.Answer{Assignments: make([]allocation.AllocatedJob, 3)},
	} {
		_, want := json.Marshal(v)
		if err := encodable(reflect.ValueOf(v)); (err == nil) != (want == nil) {
			t.Errorf("case %d: %v, encoding/json says %v", i, err, want)
		}
	}
}

// A large answer that cannot be written leaves nothing behind; one that can is
// written whole, as a small one is.
func TestLargeOutput(t *testing.T) {
	a := &allocation.Answer{Assignments: make([]allocation.AllocatedJob, 20_000)}
	for i := range a.Assignments {
		a.Assignments[i].Job = "<job> & more"
	}
	want, err := json.MarshalIndent(a, "", "  ")
	if err != nil || len(want) < 2<<20 {
		t.Fatal(len(want), err)
	}
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(want)) + "\n"
	o := &Output{Format: "json"}
	var out strings.Builder
	if err := o.write(&out, &Result{Value: a}); err != nil || out.String() != plain {
		t.Errorf("%d bytes, want %d: %v", out.Len(), len(plain), err)
	}
	a.ProvenBound = math.Inf(1)
	out.Reset()
	if err := o.write(&out, &Result{Value: a}); err == nil || out.Len() > 0 {
		t.Errorf("%d bytes written, error %v", out.Len(), err)
	}
	full := errors.New("no room")
	a.ProvenBound = 1
	if err := o.write(writerFunc(func([]byte) (int, error) { return 0, full }), &Result{Value: a}); !errors.Is(err, full) {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
