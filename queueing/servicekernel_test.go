package queueing

import "testing"

// A search over loads or servers solves many queues of one law of service, whose kernel is made once.
func TestKernelIsMadeOnce(t *testing.T) {
	for _, law := range []Law{Gamma{Mean: 2, SCV: 0.2}, ErlangK{Mean: 1, Phases: 3}, Lognormal{Mean: 1, SCV: 2}} {
		first := newServiceKernel(law)
		if newServiceKernel(law) != first {
			t.Errorf("%v: the kernel is made anew", law)
		}
	}
	if a, b := newServiceKernel(Gamma{Mean: 2, SCV: 0.2}), newServiceKernel(Gamma{Mean: 2, SCV: 0.3}); a == b {
		t.Error("two laws have one kernel")
	}
	few := Empirical{Times: []float64{1, 2}}
	newServiceKernel(few)
	few.Times[1] = 4 // what a caller may change is not kept
	if k := newServiceKernel(few); k.atoms[1] != 4/2.5 {
		t.Errorf("atoms of a changed law: %v", k.atoms)
	}
}
