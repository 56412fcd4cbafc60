package lp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	for _, name := range []string{"gurobi", "/nonexistent/highs", ""} {
		if _, err := Find(name); !errors.Is(err, ErrNoSolver) {
			t.Errorf("Find(%q): err = %v", name, err)
		}
	}
	e := &External{Path: "/nonexistent/cbc", Kind: CBC}
	m := &Model{Variables: []Variable{{Cost: 1, Upper: 1}}}
	if _, err := e.Solve(context.Background(), m, Settings{}); !errors.Is(err, ErrNoSolver) {
		t.Errorf("missing executable: err = %v", err)
	}
	e = &External{Path: "true", Kind: CBC}
	if sol, err := e.Solve(context.Background(), m, Settings{}); err == nil && (sol.Status != Unknown || sol.X != nil) {
		t.Errorf("an executable that says nothing gave %+v", sol)
	}
}

// What cannot be run is said once, and a log that says nothing leaves no colon.
func TestExternalInWords(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "cbc")
	if err := os.WriteFile(plain, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{plain: "permission denied", filepath.Join(dir, "none", "cbc"): "no such"} {
		_, err := Find(path)
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "exec:") || strings.Count(err.Error(), "cbc\"") != 1 || strings.Contains(err.Error(), "stat") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := os.Chmod(plain, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := (&External{Path: plain, Kind: CBC}).Solve(context.Background(), tiny(), Settings{})
	if !errors.Is(err, ErrNoSolver) || strings.Contains(err.Error(), "/exec") || strings.Count(err.Error(), plain) != 1 {
		t.Errorf("%v, want it without the words of a library", err)
	}
	for log, want := range map[string]string{"": "", " \n\n": "", "a\nb \n": ": b"} {
		if got := tail(log); got != want {
			t.Errorf("the end of %q is %q, want %q", log, got, want)
		}
	}
}

// Where files or processes run short, no solver is to blame: another would not start either.
func TestScarce(t *testing.T) {
	for err, want := range map[error]bool{
		&os.PathError{Op: "open", Path: os.DevNull, Err: syscall.EMFILE}:   true,
		&os.PathError{Op: "fork/exec", Path: "cbc", Err: syscall.EAGAIN}:   true,
		fmt.Errorf("cbc: %w", os.NewSyscallError("pipe2", syscall.ENFILE)): true,
		&os.PathError{Op: "fork/exec", Path: "cbc", Err: syscall.ENOENT}:   false,
		&os.PathError{Op: "fork/exec", Path: "cbc", Err: syscall.EACCES}:   false,
		&exec.Error{Name: "cbc", Err: exec.ErrNotFound}:                    false,
	} {
		if got := scarce(err); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}

// The layout of HiGHS's solution file as its documentation shows it.
func TestHiGHSAnswer(t *testing.T) {
	text := `Model status
Optimal

# Primal solution values
Feasible
Objective 11
# Columns 2
x0 3
x1 1
# Rows 1
r0 4

# Dual solution values
Feasible
# Columns 2
x0 0
x1 0
# Rows 1
r0 -2

# Basis
HiGHS v1
Valid
# Columns 2
1 1
# Rows 2
2 1
`
	a := parsed{x: make([]float64, 2), dual: make([]float64, 1)}
	a.highs(text, "")
	if a.bad != "" || a.status != Optimal || !a.hasDual || !reflect.DeepEqual(a.x, []float64{3, 1}) || a.dual[0] != -2 {
		t.Errorf("%+v", a)
	}
	for word, want := range map[string]Status{"Infeasible": Infeasible, "Unbounded": Unbounded, "Primal infeasible or unbounded": InfeasibleOrUnbounded, "Time limit reached": Unknown, "Solve error": Unknown} {
		a := parsed{x: make([]float64, 2), dual: make([]float64, 1)}
		a.highs("Model status\n"+word+"\n\n# Primal solution values\nNone\n\n# Dual solution values\nNone\n", "")
		if a.status != want || a.hasDual {
			t.Errorf("%s: %+v", word, a)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("s bas 1 1 f f 3\ni 1 b 1 0\nj 1 b 3 0\n", "")
	f.Add("Optimal - objective value 3\n 0 r0 1 2\n 0 x0 3 0\n", "")
	f.Add("solution status: optimal solution found\nobjective value: 3\nx0 3 (obj:1)\n", "\nDual Bound         : +3e+00")
	f.Add("Model status\nOptimal\n# Primal solution values\nFeasible\n# Columns 1\nx0 3\n", "")
	f.Fuzz(func(t *testing.T, answer, log string) {
		for _, read := range []func(*parsed){
			func(a *parsed) { a.glpk(answer, log) }, func(a *parsed) { a.cbc(answer, log) }, func(a *parsed) { a.highs(answer, log) },
			func(a *parsed) { a.scip(answer, log) },
		} {
			a := parsed{x: make([]float64, 1), dual: make([]float64, 1)}
			read(&a)
			if a.bad == "" && a.status == "" {
				t.Fatalf("no status: %+v", a)
			}
		}
	})
}

func TestGoLimits(t *testing.T) {
	big := &Model{}
	for range 1500 {
		big.Variables = append(big.Variables, Variable{Cost: 1, Upper: 1})
		big.Rows = append(big.Rows, Row{Lower: 0.5, Upper: inf, Terms: []Term{{len(big.Variables) - 1, 1}}})
	}
	var size *SizeError
	if _, err := (Go{}).Solve(context.Background(), big, Settings{}); !errors.As(err, &size) {
		t.Errorf("large model: err = %v", err)
	}
	// 2Σx + y = odd has no solution in whole numbers if y is 0, and branching does not see it.
	parity := &Model{}
	row := Row{Lower: 21, Upper: 21}
	for j := range 20 {
		parity.Variables = append(parity.Variables, Variable{Cost: float64(j), Upper: 1, Integer: true})
		row.Terms = append(row.Terms, Term{j, 2})
	}
	parity.Variables = append(parity.Variables, Variable{Integer: true})
	row.Terms = append(row.Terms, Term{20, 1})
	parity.Rows = []Row{row}
	sol, err := Go{}.Solve(context.Background(), parity, Settings{Nodes: 50})
	if err != nil || sol.Reason != NodeLimit || sol.Status != Unknown || sol.X != nil || math.IsNaN(sol.Bound) {
		t.Errorf("node limit: %+v, %v", sol, err)
	}
	sol, err = Go{}.Solve(context.Background(), parity, Settings{TimeLimit: 20 * time.Millisecond})
	if err != nil || (sol.Reason != TimeLimit && sol.Reason != NodeLimit) || sol.X != nil {
		t.Errorf("time limit: %+v, %v", sol, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if sol, err = (Go{}).Solve(ended, parity, Settings{}); err != nil || sol.Reason != Interrupted {
		t.Errorf("ended context: %+v, %v", sol, err)
	}
	for _, bad := range []*Model{
		{Variables: []Variable{{Cost: math.NaN(), Upper: 1}}},
		{Variables: []Variable{{Upper: math.NaN()}}},
		{Variables: []Variable{{Upper: 1}}, Rows: []Row{{Upper: 1, Terms: []Term{{1, 1}}}}},
		{Variables: []Variable{{Upper: 1}}, Rows: []Row{{Upper: 1, Terms: []Term{{0, 1}, {0, 1}}}}},
	} {
		var e *ModelError
		if _, err := (Go{}).Solve(context.Background(), bad, Settings{}); !errors.As(err, &e) {
			t.Errorf("%+v: err = %v", bad, err)
		}
	}
}

// A vector that breaks the model never leaves as an answer.
func TestAcceptRefusesAWrongVector(t *testing.T) {
	m := &Model{Variables: []Variable{{Cost: 1, Upper: 1}}, Rows: []Row{{Lower: 0.5, Upper: inf, Terms: []Term{{0, 1}}}}}
	if sol := Checked(m, &Solution{Reason: Finished, Status: Optimal, X: []float64{0.4}}, nil); sol.Status != Unknown || sol.X != nil || sol.Reason != Numerical {
		t.Errorf("%+v", sol)
	}
}

// The layout of SCIP's solution file and of its statistics, from its
// documentation; no SCIP was at hand.
func TestSCIPAnswer(t *testing.T) {
	a := parsed{x: make([]float64, 3), dual: make([]float64, 1)}
	a.scip("solution status: time limit reached\nobjective value:                                   -11\nx0                                                  3 \t(obj:-3)\nx2                                                  1 \t(obj:-2)\n",
		"Primal Bound       : -1.10000000000000e+01 (3 solutions)\nDual Bound         : -1.25000000000000e+01\nGap                : 13.64 %\n")
	if a.bad != "" || a.status != Feasible || a.reason != TimeLimit || !reflect.DeepEqual(a.x, []float64{3, 0, 1}) || math.Abs(a.bound+12.5) > 1e-12 || a.bound > -12.5 {
		t.Errorf("%+v", a)
	}
	for words, want := range map[string]Status{"infeasible": Infeasible, "unbounded": Unbounded, "infeasible or unbounded": InfeasibleOrUnbounded, "node limit reached\nno solution available": Unknown} {
		a := parsed{x: make([]float64, 3)}
		a.scip("solution status: "+words+"\n", "")
		if a.status != want || !math.IsNaN(a.bound) {
			t.Errorf("%s: %+v", words, a)
		}
	}
}

// What a log prints of a bound is taken half a unit of its last digit lower.
func TestPrintedBound(t *testing.T) {
	for text, want := range map[string]float64{"12.500": 12.4995, "-3": -3.5, "1.20e+03": 1195, "tree": math.NaN(), "inf": math.NaN(), "": math.NaN()} {
		if got := printedBound(text); !(math.Abs(got-want) < 1e-9) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// An executable that never ends is stopped with the context, and what it
// claims of the model when it is stopped is not believed.
func TestExternalIsStopped(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cbc")
	script := "#!/bin/sh\ntrap '' INT\nfor last; do :; done\nprintf 'Optimal - objective value 1\\n 0 x0 1 1\\n' >\"$last\"\nsleep 60 &\nwait\nsleep 60\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	m := &Model{Variables: []Variable{{Cost: 1, Upper: 1, Integer: true}}, Rows: []Row{{Lower: -inf, Upper: 9, Terms: []Term{{0, 1}}}}}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	sol, err := (&External{Path: path, Kind: CBC}).Solve(ctx, m, Settings{})
	if err != nil || sol.Reason != Interrupted || (sol.Status != Feasible && sol.Status != Unknown) {
		t.Errorf("%+v, %v", sol, err)
	}
}

// Checked keeps what is better of the vector and the start, and believes
// nothing that the start disproves.
func TestCheckedKeepsTheStart(t *testing.T) {
	m := &Model{Maximize: true, Variables: []Variable{{Cost: 1, Upper: 9, Integer: true}}}
	start := []float64{5}
	for name, c := range map[string]struct {
		in     *Solution
		status Status
		reason Reason
		z      float64
	}{
		"worse":      {&Solution{Reason: TimeLimit, Status: Feasible, X: []float64{3}, Bound: 7}, Feasible, TimeLimit, 5},
		"better":     {&Solution{Reason: TimeLimit, Status: Feasible, X: []float64{6}, Bound: 7}, Feasible, TimeLimit, 6},
		"nothing":    {None(NodeLimit, Unknown, ""), Feasible, NodeLimit, 5},
		"infeasible": {None(Finished, Infeasible, ""), Feasible, Numerical, 5},
		"optimal":    {&Solution{Reason: Finished, Status: Optimal, X: []float64{4}, Bound: 4}, Feasible, Numerical, 5},
		"in the gap": {&Solution{Reason: Finished, Status: Optimal, X: []float64{4}, Bound: 5.5}, Optimal, Finished, 5},
		"unbounded":  {None(Finished, Unbounded, ""), Unbounded, Finished, math.NaN()},
	} {
		limited := *m
		if name == "in the gap" { // which 9 would disprove
			limited.Variables = []Variable{{Cost: 1, Upper: 5, Integer: true}}
		}
		sol := Checked(&limited, c.in, start)
		if sol.Status != c.status || sol.Reason != c.reason || !(sol.Objective == c.z || math.IsNaN(sol.Objective) && math.IsNaN(c.z)) {
			t.Errorf("%s: %+v", name, sol)
		}
	}
	if sol := Checked(m, None(TimeLimit, Unknown, ""), []float64{9.5}); sol.X != nil {
		t.Errorf("a start that is not feasible: %+v", sol)
	}
}
