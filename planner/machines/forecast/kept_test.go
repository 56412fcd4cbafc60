package forecast_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// What a run that was cut at any byte had kept, and the machines that are left, come
// to the fleet of a run that was not; what was kept for another question is refused.
func TestResume(t *testing.T) {
	ctx := context.Background()
	begin := func() *forecast.Learning {
		l, err := forecast.NewLearning(machines.Labelling{}, site, nil)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	end := func(l *forecast.Learning, kept io.Writer) string {
		if err := l.Keep(kept); err != nil {
			t.Fatal(err)
		}
		fleet(t, l, 0, 3)
		f, err := l.Fleet(ctx)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var all bytes.Buffer
	want := end(begin(), &all)
	kept, most := all.Bytes(), 0
	for cut := 0; cut <= len(kept); cut += 1 + len(kept)/longtest.Of(6, 19) {
		l, rest := begin(), &bytes.Buffer{}
		n, err := l.Resume(kept[:cut])
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		most = max(most, l.Resumed())
		if got := end(l, rest); got != want {
			t.Errorf("cut at %d: another fleet", cut)
		}
		if got := append(bytes.Clone(kept[:n]), rest.Bytes()...); !bytes.Equal(got, kept) {
			t.Errorf("cut at %d: %d bytes kept, want %d", cut, len(got), len(kept))
		}
	}
	if most < longtest.Of(10, 11) {
		t.Errorf("at most %d of 12 machines were taken over", most)
	}
	line := 1 + bytes.IndexByte(kept, '\n')
	light := 0.1
	for what, x := range map[string]struct {
		machines.Labelling
		text []byte
	}{
		"another question": {machines.Labelling{Light: &light}, kept},
		"another file":     {machines.Labelling{}, []byte("do not lose this\n")},
		"twice a machine":  {machines.Labelling{}, append(bytes.Clone(kept), kept[line:]...)},
	} {
		l, err := forecast.NewLearning(x.Labelling, site, nil)
		if err != nil {
			t.Fatal(err)
		}
		var input *ask.InputError
		if _, err := l.Resume(x.text); !errors.As(err, &input) || input.Field != "resume" {
			t.Errorf("%s: %v", what, err)
		}
	}
}
