package prometheus

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// Each series is a machine, by the label that tells it from the others; memory
// stands beside the CPU of its moment.
func TestMachines(t *testing.T) {
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
		switch q.query {
		case "cpu":
			matrix(w, q, []string{`"instance":"b:1","job":"n"`, `"instance":"a,1","job":"n"`},
				func(series, i int, _ float64) string {
					if series == 0 && i == 1 {
						return ""
					}
					return "0.25"
				})
		case "memory":
			matrix(w, q, []string{`"instance":"b:1"`},
				func(_, i int, _ float64) string { return []string{"1e9", "2e9", "3e9"}[i] })
		case "zones":
			matrix(w, q, []string{`"instance":"x","zone":"1"`, `"instance":"x","zone":"2"`},
				func(int, int, float64) string { return "0" })
		case "long":
			matrix(w, q, []string{`"a":"` + strings.Repeat("x", 5000) + `"`}, func(int, int, float64) string { return "0" })
		case "same":
			matrix(w, q, []string{`"a":"x,","b":"1"`, `"a":"x_","b":"1"`}, func(int, int, float64) string { return "0" })
		default:
			matrix(w, q, nil, nil)
		}
	})
	c := dial(t, &Access{URL: s.URL})
	w := Window{End: 180, Since: 180, Step: 60}
	f, err := c.Machines(context.Background(), "cpu", "memory", w)
	if err != nil {
		t.Fatal(err)
	}
	want := "time,cpu,free_mb,host\n" +
		"60,0.25,,a_1\n120,0.25,,a_1\n180,0.25,,a_1\n" +
		"60,0.25,1000,b:1\n180,0.25,3000,b:1\n"
	if string(f.Trace) != want {
		t.Errorf("%s\nwant\n%s", f.Trace, want)
	}
	said(t, f.Notes, "1 of 2 machines have no memory: a_1")
	if f, err = c.Machines(context.Background(), "zones", "", w); err != nil || !strings.Contains(string(f.Trace),
		"60,0,,1\n") {
		t.Errorf("%v %+v", err, f)
	}
	for _, q := range [][3]string{
		{"same", "", `both called "x_"`}, {"none", "", "gives nothing"},
		{"cpu", "zones", "gives no machine of --cpu-query"}, {"cpu", "none", "gives nothing"},
		{"long", "", "name has 5000 bytes: want at most 1024"},
	} {
		if _, err := c.Machines(context.Background(), q[0], q[1], w); err == nil || !strings.Contains(err.Error(), q[2]) {
			t.Errorf("%s, %s: %v, want %q", q[0], q[1], err, q[2])
		}
	}
}

// Windows that no server can answer are refused before it is asked.
func TestWindows(t *testing.T) {
	for want, w := range map[string]Window{
		"1 ms or more":       {End: noon, Step: 1e-9},
		"two steps":          {End: noon, Since: 60, Step: 60},
		"not a time":         {Since: 3600, Step: 60},
		"before 1970":        {End: 3600, Since: 7200, Step: 60},
		"with a longer step": {End: noon, Since: 1e8, Step: 1},
		"less than two step": {End: noon, Since: -1},
	} {
		if _, err := w.times(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", w, err, want)
		}
	}
	got, err := Window{End: noon + 299}.times()
	if err != nil || got.n != 14*288 || got.at(got.n-1) != noon || got.step != 300 {
		t.Errorf("%+v %v: want two weeks in steps of 5 minutes up to noon", got, err)
	}
}
