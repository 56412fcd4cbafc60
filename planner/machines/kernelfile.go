package machines

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

const (
	kernelForm = `an object such as {"step_s": 6, "states": ["S1","S2","S3"], "failure": ["S3"], "initial": "S1", "kernel": {"S1": {"S2": [0.1, 0.2], "S3": [0.05]}, "S2": {"S1": [0.5]}}}`
	// rowSlack is what the rounding of its entries may put a row above 1.
	rowSlack = 1e-12
	// tailSlack is what a row and its tail may differ from 1.
	tailSlack = 1e-9
)

// ReadKernel reads a kernel file, JSON or YAML by its content. Unknown fields
// and states, names given twice, entries outside 0..1, rows above 1 and tails
// that do not fill their row to 1 give a *FileError with line, column and the
// line. Other errors as [routes.ReadClusters].
func ReadKernel(ctx context.Context, name string, r io.Reader) (*Kernel, error) {
	ctx = given.Context(ctx)
	d, err := document.ReadLarge(ctx, name, kernelForm, r)
	if err != nil {
		return nil, err
	}
	k := &kernelReader{Document: d, file: &Kernel{}, failure: map[string]bool{}, states: map[string]bool{}}
	if err := k.read(); err != nil {
		return nil, err
	}
	return k.file, nil
}

// A kernelReader reads one file and notes the states as it goes, by which names
// are checked where they stand.
type kernelReader struct {
	*document.Document
	file    *Kernel
	failure map[string]bool
	states  map[string]bool
}

// kernelFields are the keys of a kernel file; the first five have to be there.
var kernelFields = []string{"step_s", "states", "failure", "initial", "kernel", "tail", "hazard", "samples", "warnings"}

// read reads the document in the order in which its parts refer to each other: states before failures,
// rows and samples that name them.
func (k *kernelReader) read() error {
	if err := k.fields(k.Root, "the document", kernelFields, 5); err != nil {
		return err
	}
	n := k.Root.Field("step_s")
	var err error
	if k.file.Step, err = k.number(n, "step_s"); err != nil {
		return err
	}
	if k.file.Step <= 0 {
		return k.On(n, fmt.Sprintf("step_s = %g", k.file.Step), "seconds above 0 such as 6")
	}
	if k.file.States, err = k.names("states", nil); err != nil {
		return err
	}
	for _, name := range k.file.States {
		k.states[name] = true
	}
	if len(k.file.States) == 0 {
		return k.On(k.Root.Field("states"), "no states", `names such as ["S1","S2","S3"]`)
	}
	if k.file.Failure, err = k.names("failure", k.file.States); err != nil {
		return err
	}
	for _, f := range k.file.Failure {
		k.failure[f] = true
	}
	n = k.Root.Field("initial")
	if k.file.Initial, err = k.state(n, "initial"); err != nil {
		return err
	}
	if err := k.rows(); err != nil {
		return err
	}
	if n := k.Root.Field("hazard"); n != nil {
		if err := k.hazards(n); err != nil {
			return err
		}
	}
	if n := k.Root.Field("warnings"); n != nil {
		var err error
		if k.file.Warnings, err = k.names("warnings", nil); err != nil {
			return err
		}
	}
	if n := k.Root.Field("samples"); n != nil {
		return k.samples(n)
	}
	return nil
}

// fields checks the keys of a mapping, of which the first required ones must
// be there.
func (k *kernelReader) fields(n *document.Node, path string, known []string, required int) error {
	if n.Kind != document.MappingNode {
		return k.On(n, path+" is "+n.Kind.String(), kernelForm)
	}
	for _, f := range n.Fields {
		if !slices.Contains(known, f.Key) {
			return k.At(f.Line, f.Column, document.UnknownField(f.Key, known),
				"one of "+strings.Join(known, ", "))
		}
	}
	for _, name := range known[:required] {
		if n.Field(name) == nil {
			return k.On(n, fmt.Sprintf("%s has no field %q", path, name), "it")
		}
	}
	return nil
}

// number reads a finite number; YAML has infinities, and a kernel no use for them.
func (k *kernelReader) number(n *document.Node, path string) (float64, error) {
	if n.Kind != document.ScalarNode {
		return 0, k.On(n, path+" is "+n.Kind.String(), "a number")
	}
	v, ok := source.ParseNumber([]byte(n.Text))
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, k.On(n, fmt.Sprintf("%s = %q", path, n.Text), "a finite number")
	}
	return v, nil
}

// names reads a list of distinct names, all among known if that is given.
func (k *kernelReader) names(field string, known []string) ([]string, error) {
	list := k.Root.Field(field)
	if list.Kind != document.SequenceNode {
		return nil, k.On(list, field+" is "+list.Kind.String(), `a list of names such as ["S3"]`)
	}
	out := make([]string, 0, len(list.Items))
	seen := map[string]bool{}
	for _, n := range list.Items {
		switch {
		case n.Kind != document.ScalarNode || n.Text == "":
			return nil, k.On(n, "a name in "+field+" is "+n.Kind.String(), "a text such as S1")
		case seen[n.Text]:
			return nil, k.On(n, fmt.Sprintf("%s: %q is given twice", field, n.Text), "each state once")
		}
		if known != nil {
			if _, err := k.state(n, field); err != nil {
				return nil, err
			}
		}
		seen[n.Text] = true
		out = append(out, n.Text)
	}
	return out, nil
}

// state reads the name of a known state.
func (k *kernelReader) state(n *document.Node, path string) (string, error) {
	if n.Kind != document.ScalarNode {
		return "", k.On(n, path+" is "+n.Kind.String(), "a state, one of "+strings.Join(k.file.States, ", "))
	}
	return n.Text, k.known(n.Text, n.Line, n.Column, path)
}

// known is an error at a place where a name is no state.
func (k *kernelReader) known(name string, line, column int32, path string) error {
	if k.states[name] {
		return nil
	}
	return k.At(line, column, fmt.Sprintf("%s: no state %q%s", path, name, spell.Aside(name, k.file.States)),
		"one of "+strings.Join(k.file.States, ", "))
}

// rows reads the kernel, each row of which is a law: probabilities that add up to at most 1, rounding
// allowed for.
func (k *kernelReader) rows() error {
	n := k.Root.Field("kernel")
	if n.Kind != document.MappingNode {
		return k.On(n, "kernel is "+n.Kind.String(), `rows such as {"S1": {"S2": [0.1, 0.2]}}`)
	}
	k.file.Kernel = make(map[string]map[string][]float64, len(n.Fields))
	sums := map[string]float64{}
	for _, row := range n.Fields {
		if err := k.known(row.Key, row.Line, row.Column, "kernel"); err != nil {
			return err
		}
		path := "kernel row " + row.Key
		if row.Value.Kind != document.MappingNode {
			return k.On(row.Value, path+" is "+row.Value.Kind.String(), `target states such as {"S2": [0.1, 0.2]}`)
		}
		targets := make(map[string][]float64, len(row.Value.Fields))
		total := 0.0
		for _, to := range row.Value.Fields {
			if err := k.known(to.Key, to.Line, to.Column, path); err != nil {
				return err
			}
			f, sum, err := k.column(to.Value, path+" to "+to.Key)
			if err != nil {
				return err
			}
			targets[to.Key] = f
			total += sum
		}
		// The sum may pass 1 by the rounding of as many additions as a row has
		// entries.
		if total > 1+rowSlack {
			return k.At(row.Line, row.Column, fmt.Sprintf("%s sums to %.15g", path, total), "at most 1")
		}
		k.file.Kernel[row.Key] = targets
		sums[row.Key] = total
	}
	return k.tails(sums)
}

// column reads f_ij(1), f_ij(2), …
func (k *kernelReader) column(n *document.Node, path string) (f []float64, sum float64, err error) {
	if n.Kind != document.SequenceNode {
		return nil, 0, k.On(n, path+" is "+n.Kind.String(), "a list of probabilities, the l-th after l steps")
	}
	f = make([]float64, len(n.Items))
	for l, item := range n.Items {
		if f[l], err = k.number(item, path); err != nil {
			return nil, 0, err
		}
		if f[l] < 0 || f[l] > 1 {
			return nil, 0, k.On(item, fmt.Sprintf("%s: probability = %g after %s", path, f[l], fault.Count(l+1, "step")),
				"0..1")
		}
		sum += f[l]
	}
	return f, sum, nil
}

// tails reads what is left of each row. It repeats what the row says, with all digits: a difference of
// two sums would lose the small ones.
func (k *kernelReader) tails(sums map[string]float64) error {
	n := k.Root.Field("tail")
	if n == nil {
		return nil
	}
	if n.Kind != document.MappingNode {
		return k.On(n, "tail is "+n.Kind.String(), `the chance never to leave a state such as {"S1": 0.1}`)
	}
	k.file.Tail = make(map[string]float64, len(n.Fields))
	for _, t := range n.Fields {
		if err := k.known(t.Key, t.Line, t.Column, "tail"); err != nil {
			return err
		}
		v, err := k.number(t.Value, "tail of "+t.Key)
		if err != nil {
			return err
		}
		// The tail is allowed more than the row: it may have been written with
		// fewer digits.
		if v < 0 || math.Abs(sums[t.Key]+v-1) > tailSlack {
			return k.On(t.Value, fmt.Sprintf("tail of %s = %g, beside a row of %.15g", t.Key, v, sums[t.Key]),
				"what the row leaves to 1")
		}
		k.file.Tail[t.Key] = v
	}
	return nil
}

// samples reads how much each row rests on, which is shown beside the answer.
func (k *kernelReader) samples(list *document.Node) error {
	if list.Kind != document.SequenceNode {
		return k.On(list, "samples is "+list.Kind.String(), "a list")
	}
	for _, n := range list.Items {
		var s StateSample
		counts := []*int{&s.Visits, &s.Exits, &s.Cut, &s.Truncated, &s.Undated, &s.Longest}
		known := []string{"state", "visits", "exits", "cut", "truncated", "undated", "longest_steps"}
		if err := k.fields(n, "samples", known, len(known)); err != nil {
			return err
		}
		var err error
		if s.State, err = k.state(n.Field("state"), "samples"); err != nil {
			return err
		}
		// Counts are read as numbers and must be whole; 2⁵³ is the last number
		// below which all are.
		for m, into := range counts {
			v, err := k.number(n.Field(known[m+1]), known[m+1])
			if err != nil {
				return err
			}
			if v < 0 || v != math.Trunc(v) || v > 1<<53 {
				return k.On(n.Field(known[m+1]), fmt.Sprintf("%s = %g", known[m+1], v), "a whole number >= 0")
			}
			*into = int(v)
		}
		k.file.Samples = append(k.file.Samples, s)
	}
	return nil
}
