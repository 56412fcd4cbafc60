package workload

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/spell"
)

// A KernelFile holds a discrete-time semi-Markov kernel: Kernel[i][j][l−1] is
// the probability that the process, having entered state i, goes to j after
// exactly l steps.
type KernelFile struct {
	Step    float64  `json:"step_s"`
	States  []string `json:"states"`  // distinct
	Failure []string `json:"failure"` // those that are failure states
	Initial string   `json:"initial"`
	// Kernel has rows of transient states only. What a row leaves to 1 is the
	// chance never to leave the state.
	Kernel map[string]map[string][]float64 `json:"kernel"`
	// Tail, where given, is that chance by state, so that one below the
	// rounding of the row's entries is not lost.
	Tail map[string]float64 `json:"tail,omitempty"`
	// Hazard, where given, says by state what was known age by age, in order of
	// age. Of high ages it may say more than the kernel, which counts from the
	// entry of a state.
	Hazard map[string][]KernelHazard `json:"hazard,omitempty"`
	// Samples says what an estimated kernel rests on.
	Samples []KernelSample `json:"samples,omitempty"`
}

// A KernelHazard says how sojourns that have lasted Age − 1 steps go on at the
// next: the share To[j] goes to j, Stay lasts longer.
type KernelHazard struct {
	Age  int                `json:"age_steps"`
	To   map[string]float64 `json:"to"`
	Stay float64            `json:"stay"`
}

// A KernelSample says how much is known about one state of an estimated
// kernel.
type KernelSample struct {
	State     string `json:"state"`
	Visits    int    `json:"visits"`    // sojourns seen, cut ones included
	Exits     int    `json:"exits"`     // that ended in a transition
	Cut       int    `json:"cut"`       // right-censored
	Truncated int    `json:"truncated"` // entered before the window
	Undated   int    `json:"undated"`   // entered at an unknown time, not used
	Longest   int    `json:"longest_steps"`
}

const (
	kernelForm = `an object such as {"step_s": 6, "states": ["S1","S2","S3"], "failure": ["S3"], "initial": "S1", "kernel": {"S1": {"S2": [0.1, 0.2], "S3": [0.05]}, "S2": {"S1": [0.5]}}}`
	// rowSlack is what the rounding of its entries may put a row above 1.
	rowSlack = 1e-12
	// tailSlack is what a row and its tail may differ from 1.
	tailSlack = 1e-9
)

// ReadKernel reads a kernel file, JSON or YAML by its content. Unknown fields
// and states, names given twice, entries outside 0..1, rows above 1, rows of
// failure states and tails that do not fill their row to 1 give a *FileError
// with line, column and the line. Other errors as [ReadClusters].
func ReadKernel(ctx context.Context, name string, r io.Reader) (*KernelFile, error) {
	d, err := readDocument(ctx, name, kernelForm, r)
	if err != nil {
		return nil, err
	}
	k := &kernelReader{document: d, file: &KernelFile{}, failure: map[string]bool{}, states: map[string]bool{}}
	if err := k.read(); err != nil {
		return nil, err
	}
	return k.file, nil
}

type kernelReader struct {
	*document
	file    *KernelFile
	failure map[string]bool
	states  map[string]bool
}

var kernelFields = []string{"step_s", "states", "failure", "initial", "kernel", "tail", "hazard", "samples"}

func (k *kernelReader) read() error {
	if err := k.fields(k.root, "the document", kernelFields, 5); err != nil {
		return err
	}
	n := k.root.field("step_s")
	var err error
	if k.file.Step, err = k.number(n, "step_s"); err != nil {
		return err
	}
	if k.file.Step <= 0 {
		return k.on(n, fmt.Sprintf("step_s = %g", k.file.Step), "seconds above 0 such as 6")
	}
	if k.file.States, err = k.names("states", nil); err != nil {
		return err
	}
	for _, name := range k.file.States {
		k.states[name] = true
	}
	if len(k.file.States) == 0 {
		return k.on(k.root.field("states"), "no states", `names such as ["S1","S2","S3"]`)
	}
	if k.file.Failure, err = k.names("failure", k.file.States); err != nil {
		return err
	}
	for _, f := range k.file.Failure {
		k.failure[f] = true
	}
	n = k.root.field("initial")
	if k.file.Initial, err = k.state(n, "initial"); err != nil {
		return err
	}
	if err := k.rows(); err != nil {
		return err
	}
	if n := k.root.field("hazard"); n != nil {
		if err := k.hazards(n); err != nil {
			return err
		}
	}
	if n := k.root.field("samples"); n != nil {
		return k.samples(n)
	}
	return nil
}

// fields checks the keys of a mapping, of which the first required ones must
// be there.
func (k *kernelReader) fields(n *node, path string, known []string, required int) error {
	if n.kind != mappingNode {
		return k.on(n, path+" is "+n.kind.String(), kernelForm)
	}
	for _, f := range n.fields {
		found := false
		for _, name := range known {
			found = found || name == f.key
		}
		if !found {
			return k.at(f.line, f.column, fmt.Sprintf("unknown field %q%s", f.key, meant(f.key, known)), "one of "+strings.Join(known, ", "))
		}
	}
	for _, name := range known[:required] {
		if n.field(name) == nil {
			return k.on(n, fmt.Sprintf("%s has no field %q", path, name), "it")
		}
	}
	return nil
}

func meant(name string, known []string) string {
	if near := spell.Nearest(name, known); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

func (k *kernelReader) number(n *node, path string) (float64, error) {
	if n.kind != scalarNode {
		return 0, k.on(n, path+" is "+n.kind.String(), "a number")
	}
	v, ok := parseNumber([]byte(n.text))
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, k.on(n, fmt.Sprintf("%s = %q", path, n.text), "a finite number")
	}
	return v, nil
}

// names reads a list of distinct names, all among known if that is given.
func (k *kernelReader) names(field string, known []string) ([]string, error) {
	list := k.root.field(field)
	if list.kind != sequenceNode {
		return nil, k.on(list, field+" is "+list.kind.String(), `a list of names such as ["S3"]`)
	}
	out := make([]string, 0, len(list.items))
	seen := map[string]bool{}
	for _, n := range list.items {
		switch {
		case n.kind != scalarNode || n.text == "":
			return nil, k.on(n, "a name in "+field+" is "+n.kind.String(), "a text such as S1")
		case seen[n.text]:
			return nil, k.on(n, fmt.Sprintf("%s: %q is given twice", field, n.text), "each state once")
		}
		if known != nil {
			if _, err := k.state(n, field); err != nil {
				return nil, err
			}
		}
		seen[n.text] = true
		out = append(out, n.text)
	}
	return out, nil
}

// state reads the name of a known state.
func (k *kernelReader) state(n *node, path string) (string, error) {
	if n.kind != scalarNode {
		return "", k.on(n, path+" is "+n.kind.String(), "a state, one of "+strings.Join(k.file.States, ", "))
	}
	return n.text, k.known(n.text, n.line, n.column, path)
}

func (k *kernelReader) known(name string, line, column int32, path string) error {
	if k.states[name] {
		return nil
	}
	return k.at(line, column, fmt.Sprintf("%s: no state %q%s", path, name, meant(name, k.file.States)), "one of "+strings.Join(k.file.States, ", "))
}

func (k *kernelReader) rows() error {
	n := k.root.field("kernel")
	if n.kind != mappingNode {
		return k.on(n, "kernel is "+n.kind.String(), `rows such as {"S1": {"S2": [0.1, 0.2]}}`)
	}
	k.file.Kernel = make(map[string]map[string][]float64, len(n.fields))
	sums := map[string]float64{}
	for _, row := range n.fields {
		if err := k.known(row.key, row.line, row.column, "kernel"); err != nil {
			return err
		}
		path := "kernel row " + row.key
		switch {
		case k.failure[row.key]:
			return k.at(row.line, row.column, path+" is that of a failure state", "rows of transient states only")
		case row.value.kind != mappingNode:
			return k.on(row.value, path+" is "+row.value.kind.String(), `target states such as {"S2": [0.1, 0.2]}`)
		}
		targets := make(map[string][]float64, len(row.value.fields))
		total := 0.0
		for _, to := range row.value.fields {
			if err := k.known(to.key, to.line, to.column, path); err != nil {
				return err
			}
			f, sum, err := k.column(to.value, path+" to "+to.key)
			if err != nil {
				return err
			}
			targets[to.key] = f
			total += sum
		}
		if total > 1+rowSlack {
			return k.at(row.line, row.column, fmt.Sprintf("%s sums to %.15g", path, total), "at most 1")
		}
		k.file.Kernel[row.key] = targets
		sums[row.key] = total
	}
	return k.tails(sums)
}

// column reads f_ij(1), f_ij(2), …
func (k *kernelReader) column(n *node, path string) (f []float64, sum float64, err error) {
	if n.kind != sequenceNode {
		return nil, 0, k.on(n, path+" is "+n.kind.String(), "a list of probabilities, the l-th after l steps")
	}
	f = make([]float64, len(n.items))
	for l, item := range n.items {
		if f[l], err = k.number(item, path); err != nil {
			return nil, 0, err
		}
		if f[l] < 0 || f[l] > 1 {
			return nil, 0, k.on(item, fmt.Sprintf("%s: probability = %g after %d steps", path, f[l], l+1), "0..1")
		}
		sum += f[l]
	}
	return f, sum, nil
}

func (k *kernelReader) tails(sums map[string]float64) error {
	n := k.root.field("tail")
	if n == nil {
		return nil
	}
	if n.kind != mappingNode {
		return k.on(n, "tail is "+n.kind.String(), `the chance never to leave a state such as {"S1": 0.1}`)
	}
	k.file.Tail = make(map[string]float64, len(n.fields))
	for _, t := range n.fields {
		if err := k.known(t.key, t.line, t.column, "tail"); err != nil {
			return err
		}
		v, err := k.number(t.value, "tail of "+t.key)
		if err != nil {
			return err
		}
		if v < 0 || math.Abs(sums[t.key]+v-1) > tailSlack {
			return k.on(t.value, fmt.Sprintf("tail of %s = %g, beside a row of %.15g", t.key, v, sums[t.key]), "what the row leaves to 1")
		}
		k.file.Tail[t.key] = v
	}
	return nil
}

func (k *kernelReader) samples(list *node) error {
	if list.kind != sequenceNode {
		return k.on(list, "samples is "+list.kind.String(), "a list")
	}
	for _, n := range list.items {
		var s KernelSample
		counts := []*int{&s.Visits, &s.Exits, &s.Cut, &s.Truncated, &s.Undated, &s.Longest}
		known := []string{"state", "visits", "exits", "cut", "truncated", "undated", "longest_steps"}
		if err := k.fields(n, "samples", known, len(known)); err != nil {
			return err
		}
		var err error
		if s.State, err = k.state(n.field("state"), "samples"); err != nil {
			return err
		}
		for m, into := range counts {
			v, err := k.number(n.field(known[m+1]), known[m+1])
			if err != nil {
				return err
			}
			if v < 0 || v != math.Trunc(v) || v > 1<<53 {
				return k.on(n.field(known[m+1]), fmt.Sprintf("%s = %g", known[m+1], v), "a whole number >= 0")
			}
			*into = int(v)
		}
		k.file.Samples = append(k.file.Samples, s)
	}
	return nil
}
