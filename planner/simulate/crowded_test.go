package simulate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// What takes too much memory is said of the number that does, with the greatest that does not, and of a horizon
// only where a shorter one would do.
func TestCrowded(t *testing.T) {
	law := queueing.Exponential{Mean: 1}
	lossy := func(n int) *station.Station {
		return &station.Station{Servers: n, Loss: true,
			Classes: []station.Class{{Gaps: queueing.Exponential{Mean: 2e-7}, Service: law}}}
	}
	closed := func(n int) *station.Station {
		return &station.Station{Servers: 10, Classes: []station.Class{{Sources: n, Think: law, Service: law}}}
	}
	for field, of := range map[string]func(int) *station.Station{"servers": lossy, "sources": closed} {
		_, err := (&Question{}).Of(context.Background(), System{Station: *of(3_000_000)})
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != field {
			t.Fatalf("%s: %v", field, err)
		}
		most, after := 0, input.Reason[strings.Index(input.Reason, "at most ")+len("at most "):]
		if _, err := fmt.Sscan(strings.TrimSuffix(after, ","), &most); err != nil {
			t.Fatalf("%s: %q: %v", field, after, err)
		}
		ended, end := context.WithCancel(context.Background())
		end() // what is not refused is not run either
		for n, fits := range map[int]bool{most: true, most + 1: false} {
			_, err := (&Question{}).Of(ended, System{Station: *of(n)})
			if errors.Is(err, context.Canceled) != fits || errors.As(err, &input) == fits {
				t.Errorf("%s: %d: %v, fits: want %v", field, n, err, fits)
			}
		}
	}
	many := func(n int) System {
		s := station.Station{Servers: 1}
		for range n {
			s.Classes = append(s.Classes, station.Class{Gaps: queueing.Exponential{Mean: 1.25 * float64(n)}, Service: law})
		}
		return System{Station: s}
	}
	_, err := (&Question{}).Of(context.Background(), many(600))
	e := errorOf[*ask.InputError](t, err)
	most := 0
	if _, err := fmt.Sscan(e.Reason[strings.Index(e.Reason, "at most ")+len("at most "):], &most); err != nil ||
		e.Field != "classes" || most < 150 {
		t.Errorf("600 classes: %v", e)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := (&Question{}).Of(ended, many(most)); !errors.Is(err, context.Canceled) {
		t.Errorf("%d classes: %v", most, err)
	}
	long := lossy(10)
	long.Loss = false
	_, err = (&Question{Horizon: new(units.Duration(1e6))}).Of(context.Background(), System{Station: *long})
	if e = errorOf[*ask.InputError](t, err); e.Field != "horizon" {
		t.Errorf("a queue that grows: %v", err)
	}
}

// errorOf is an error as one of a type.
func errorOf[E error](t *testing.T, err error) E {
	t.Helper()
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Fatalf("%v is no %T", err, e)
	}
	return e
}
