package allocation

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/capplan/capplan/units"
)

// Every field of a job stands in its line, those of later days too.
func TestBatchJobAppendJSON(t *testing.T) {
	fee := units.Count(7)
	jobs := []BatchJob{
		{ID: "a"},
		{ID: "b", Class: "c", Admission: "optional", BaseFee: &fee},
		{ID: "b", Levels: ByDependency[[]BatchLevel]{{"x", nil}, {"y", []BatchLevel{}}, {"z", []BatchLevel{{1, 2}, {3, 1<<63 - 1}}}}},
		{ID: "b", Eligible: ByDependency[[]string]{{"x", []string{"r<1>"}}}},
		{ID: "b", Eligible: ByDependency[[]string]{}},
	}
	full := BatchJob{BaseFee: &fee, Levels: jobs[2].Levels, Eligible: jobs[3].Eligible}
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.String {
			v.Field(i).SetString("text")
		}
		if v.Field(i).IsZero() {
			t.Errorf("this test gives no value to the field %s", v.Type().Field(i).Name)
		}
	}
	bare := full
	bare.Eligible = nil
	jobs = append(jobs, full, bare)
	for _, text := range []string{"", "<>&", "\"\\", "\x00\n\x7f", "é\u2028", "\xff", "plain text"} {
		jobs = append(jobs, BatchJob{ID: text, Class: text, Admission: text, Levels: ByDependency[[]BatchLevel]{{text, nil}}})
	}
	for i := range jobs {
		want, err := json.Marshal(&jobs[i])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jobs[i].AppendJSON([]byte("x")); err != nil || string(got) != "x"+string(want) {
			t.Errorf("%s, %v, want x%s", got, err, want)
		}
	}
}

// BenchmarkWriteBatch writes jobs of three dependencies with four levels.
func BenchmarkWriteBatch(b *testing.B) {
	j := &BatchJob{ID: "job00000", Class: "medium"}
	for d := range 3 {
		need := Dependent[[]BatchLevel]{Dependency: fmt.Sprint("dependency", d)}
		for n := range 4 {
			need.Value = append(need.Value, BatchLevel{units.Count(100 * n), units.Count(1000 * n)})
		}
		j.Levels = append(j.Levels, need)
	}
	var line []byte
	for name, write := range map[string]func() error{
		"append":  func() (err error) { line, err = j.AppendJSON(line[:0]); return err },
		"marshal": func() error { data, err := json.Marshal(j); io.Discard.Write(data); return err },
	} {
		b.Run("by="+name, func(b *testing.B) {
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
