package records_test

import (
	"bytes"
	"errors"
	"strconv"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/traffic"
)

// A curve of three million intervals, six years of minutes, took 35 s and 1.2 GB to size.
func TestCurvesOfManyIntervals(t *testing.T) {
	for n, refused := range map[int]bool{600_000: false, 600_001: true} {
		text := []byte("time_s,rate_per_s\n")
		for i := range n {
			text = append(strconv.AppendInt(text, 60*int64(i), 10), ",1\n"...)
		}
		r, err := traffic.Read(t.Context(), "long.csv", bytes.NewReader(text), traffic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var input *ask.InputError
		_, err = (&records.Traffic{}).Curve(r, "long.csv")
		if errors.As(err, &input) != refused || refused && input.Field != "load_curve" {
			t.Errorf("%d intervals: %v", n, err)
		}
	}
}
