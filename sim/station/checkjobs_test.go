package station

import (
	"math"
	"testing"
)

// A check of many jobs names none of them, so that it takes no memory and millions take
// milliseconds: Ctrl-C does not reach it.
func TestCheckOfJobsTakesNoMemory(t *testing.T) {
	s := &Station{Servers: 4, Jobs: make([]Job, 10_000)}
	for i := range s.Jobs {
		s.Jobs[i] = Job{At: float64(i), Length: 1, Width: 1 + i%4}
	}
	if n := testing.AllocsPerRun(5, func() {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
	}); n > 10 {
		t.Errorf("%v pieces of memory were taken", n)
	}
	for i, change := range []func(j *Job){
		func(j *Job) { j.At = 0 },
		func(j *Job) { j.Length = math.Inf(1) },
		func(j *Job) { j.Estimate = -1 },
		func(j *Job) { j.Width = 5 },
	} {
		j := s.Jobs[77]
		change(&s.Jobs[77])
		if s.Check() == nil {
			t.Errorf("change %d was not seen", i)
		}
		s.Jobs[77] = j
	}
}
