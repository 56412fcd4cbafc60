package survival

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
)

// A pool in CSV, in YAML and in JSON is one pool.
func TestReadPool(t *testing.T) {
	var first *poolFile
	for _, text := range []string{
		"# pool\nname,availability,mttf,mttr,cost\na,90%,,,1\nb,,8h,4h,2\n",
		"\xef\xbb\xbfcost, name ,mttr,mttf,availability\r\n1,\"a\",,,0.9\r\n\r\n2,b,240min,28800s,\r\n",
		"machines:\n  - {name: a, availability: 0.9, cost: 1}\n  - {name: b, mttf: 8h, mttr: 4h, cost: 2}\n",
		`{"machines": [{"name": "a", "availability": "90%", "cost": 1}, {"name": "b", "mttf": "480min", "mttr": "4h", "cost": 2}]}`,
	} {
		f, err := readPool(context.Background(), "pool", strings.NewReader(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if first == nil {
			first = f
			if len(f.Machines) != 2 || f.Machines[0].Name != "a" || *f.Machines[0].Availability != 0.9 || *f.Machines[1].MTTF != 28800 || *f.Machines[1].MTTR != 14400 || f.Machines[1].Cost.Number != 2 {
				t.Errorf("%+v", f.Machines)
			}
		}
		if d := cmp.Diff(first, f); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}

// Every mistake in a pool is named with line and column.
func TestReadPoolRefuses(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		want         string
	}{
		{"", 0, 0, "no content"},
		{"machines: []\n", 1, 11, "no machines"},
		{"machines: !!! !", 1, 15, "not YAML"},
		{"machines: !m [a]", 1, 11, "a YAML tag, which is not supported"},
		{"name,cost\n", 0, 0, "no machines"},
		{"name,availability\na,1\n", 1, 0, `no column "cost"`},
		{"name,cost,availabilty\na,1,90%\n", 1, 11, "(did you mean availability?)"},
		{"name,cost,cost\na,1,1\n", 1, 11, `column "cost" twice`},
		{"cost,availability\n1,90%\n1,190%\n", 3, 3, "availability = 190%"},
		{"cost,availability\n1,90%\n,90%\n", 3, 1, "cost is empty"},
		{"cost,availability\n1\n", 2, 0, "1 cells, want 2"},
		{"cost,mttf,mttr\n1,1h,\n", 2, 0, "without availability"},
		{"name,cost,mttf,mttr,availability\na,1,1h,,100%\n", 2, 0, `machine "a" with both`},
		{"machines:\n  - name: a\n    mtff: 1h\n", 3, 5, "did you mean mttf?"},
		{"machines:\n  - name: a\n    mttf: 1h\n    mttr: 1h\n", 2, 5, `no field "cost"`},
		{"machines: [{cost: 1, mttr: 1h}]\n", 1, 12, "without availability"},
		{"machines: [{cost: 1, mttf: 1h, mttr: 1h, availability: 9%}]\n", 1, 12, "with both"},
		{"machines: {cost: 1}\n", 1, 11, "machines is a mapping"},
		{`{"machines": [{"cost": -1, "availability": 1}]}`, 1, 24, "cost = -1: it is negative"},
	} {
		_, err := readPool(context.Background(), "pool", strings.NewReader(c.text))
		var e *source.FileError
		if !errors.As(err, &e) || e.Line != c.line || e.Column != c.column || !strings.Contains(err.Error(), c.want) || e.Want == "" {
			t.Errorf("%q: %v, want %d:%d and %q", c.text, err, c.line, c.column, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, text := range []string{"cost,availability\n1,1\n", "machines: [{cost: 1, availability: 1}]\n"} {
		if _, err := readPool(ctx, "pool", strings.NewReader(text)); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// Whatever the bytes, a pool is read with all that a machine needs, or refused
// with a place in the text.
func FuzzReadPool(f *testing.F) {
	for _, s := range []string{
		"name,availability,cost\na,90%,1\n", "machines: [{name: a, mttf: 1h, mttr: 1min, cost: 0}]", "{", "machines: 3", "a,b\n\"", "", "cost,cost\n1,1",
		"name,mttf,mttr,cost\na,1e300s,1e-300s,1\n", "machines:\n- name: [1]\n", "mttf,mttr,cost\n0s,0s,0\n", "availability,cost\n100%,1\n0,0\n", "machines: !!! !",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := readPool(context.Background(), "fuzz", bytes.NewReader(data))
		var e *source.FileError
		if err != nil {
			if !errors.As(err, &e) || e.Line > bytes.Count(data, []byte("\n"))+bytes.Count(data, []byte("\r"))+1 || e.Column > len(data)+1 || e.Problem == "" || e.Want == "" {
				t.Fatal(err)
			}
			return
		}
		if len(file.Machines) == 0 {
			t.Fatal("no machine and no error")
		}
		for i := range file.Machines {
			if problem, _ := file.Machines[i].wrong(); problem != "" {
				t.Fatal(problem)
			}
		}
	})
}

// A pool has no window, and so no start of one.
func TestPoolRefusesStart(t *testing.T) {
	q := &ReplicasQuestion{Target: 0.99, Start: StartSteady, Pool: []PoolMachine{{Name: "a", Availability: new(0.9)}}}
	_, err := Replicas(context.Background(), q)
	var input *ask.InputError
	if !errors.As(err, &input) || input.Field != "start" {
		t.Errorf("start of a pool: %v", err)
	}
}
