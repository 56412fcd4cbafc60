package machines

import (
	"context"
	"fmt"
	"io"
	"math"
	"reflect"
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
	d, err := document.ReadLarge(given.Context(ctx), name, kernelForm, r)
	if err != nil {
		return nil, err
	}
	k := &kernelCheck{Document: d, file: &Kernel{}, states: map[string]bool{}}
	if err := d.Decode(d.Root, reflect.ValueOf(k.file).Elem(), "the document"); err != nil {
		return nil, err
	}
	return k.file, k.check()
}

// A kernelCheck checks that the parts of a file that was read are consistent. It walks through the
// document, so that the first fault in the file's order is reported.
type kernelCheck struct {
	*document.Document
	file   *Kernel
	states map[string]bool
}

// check checks the states before failures, rows and samples, which name them.
func (k *kernelCheck) check() error {
	if step := k.file.Step; step <= 0 {
		return k.ErrorAt("step_s", fmt.Sprintf("step_s = %g", step), "seconds above 0 such as 6")
	}
	if len(k.file.States) == 0 {
		return k.On(k.Root.Field("states"), "no states", `names such as ["S1","S2","S3"]`)
	}
	if err := k.names("states", k.file.States); err != nil {
		return err
	}
	for _, name := range k.file.States {
		k.states[name] = true
	}
	if err := k.names("failure", k.file.Failure); err != nil {
		return err
	}
	n := k.Root.Field("initial")
	if err := k.known(k.file.Initial, n.Line, n.Column, "initial"); err != nil {
		return err
	}
	if err := k.rows(); err != nil {
		return err
	}
	if err := k.hazards(); err != nil {
		return err
	}
	for i, s := range k.file.Samples {
		n := k.Root.Field("samples").Items[i].Field("state")
		if err := k.known(s.State, n.Line, n.Column, "samples"); err != nil {
			return err
		}
	}
	return nil
}

// names refuses a list that gives a name twice, or names what is no state.
func (k *kernelCheck) names(field string, names []string) error {
	seen := map[string]bool{}
	for i, name := range names {
		n := k.Root.Field(field).Items[i]
		switch {
		case name == "":
			return k.On(n, "a name in "+field+" is empty", "a text such as S1")
		case seen[name]:
			return k.On(n, fmt.Sprintf("%s: %q is given twice", field, name), "each state once")
		}
		if len(k.states) > 0 {
			if err := k.known(name, n.Line, n.Column, field); err != nil {
				return err
			}
		}
		seen[name] = true
	}
	return nil
}

// known refuses a name, at its place in the file, that is no state.
func (k *kernelCheck) known(name string, line, column int32, path string) error {
	if k.states[name] {
		return nil
	}
	return k.At(line, column, fmt.Sprintf("%s: no state %q%s", path, name, spell.Aside(name, k.file.States)),
		"one of "+strings.Join(k.file.States, ", "))
}

// rows checks the kernel: each row holds probabilities that add up to at most 1, up to rounding.
func (k *kernelCheck) rows() error {
	sums := map[string]float64{}
	for _, row := range k.Root.Field("kernel").Fields {
		if err := k.known(row.Key, row.Line, row.Column, "kernel"); err != nil {
			return err
		}
		path := "kernel row " + row.Key
		total := 0.0
		for _, to := range row.Value.Fields {
			if err := k.known(to.Key, to.Line, to.Column, path); err != nil {
				return err
			}
			sum := 0.0
			for l, p := range k.file.Kernel[row.Key][to.Key] {
				if p < 0 || p > 1 {
					return k.On(to.Value.Items[l], fmt.Sprintf("%s to %s: probability = %g after %s",
						path, to.Key, p, fault.Count(l+1, "step")), "0..1")
				}
				sum += p
			}
			total += sum
		}
		// The sum may pass 1 by the rounding of as many additions as a row has
		// entries.
		if total > 1+rowSlack {
			return k.At(row.Line, row.Column, fmt.Sprintf("%s sums to %.15g", path, total), "at most 1")
		}
		sums[row.Key] = total
	}
	return k.tails(sums)
}

// tails checks what is left of each row. It repeats what the row says, with all digits: a difference of
// two sums would lose the small ones.
func (k *kernelCheck) tails(sums map[string]float64) error {
	if k.file.Tail == nil {
		return nil
	}
	for _, t := range k.Root.Field("tail").Fields {
		if err := k.known(t.Key, t.Line, t.Column, "tail"); err != nil {
			return err
		}
		// The tail is allowed more than the row: it may have been written with
		// fewer digits.
		if v := k.file.Tail[t.Key]; v < 0 || math.Abs(sums[t.Key]+v-1) > tailSlack {
			return k.On(t.Value, fmt.Sprintf("tail of %s = %g, beside a row of %.15g", t.Key, v, sums[t.Key]),
				"what the row lacks to 1")
		}
	}
	return nil
}

// hazards checks the hazards of the states age by age. They stand beside the kernel since a stay
// may begin before the window, at an age that the kernel, counted from entries, never reaches.
func (k *kernelCheck) hazards() error {
	if k.file.Hazard == nil {
		return nil
	}
	for _, row := range k.Root.Field("hazard").Fields {
		if err := k.known(row.Key, row.Line, row.Column, "hazard"); err != nil {
			return err
		}
		last := 0
		for i, h := range k.file.Hazard[row.Key] {
			if err := k.hazard(row.Value.Items[i], &h, "hazard of "+row.Key, last); err != nil {
				return err
			}
			last = h.Age
		}
	}
	return nil
}

// hazard checks one age at its node, which must be above last.
func (k *kernelCheck) hazard(n *document.Node, h *KernelHazard, path string, last int) error {
	// Ages rise, so that none stands twice.
	if h.Age <= last || h.Age > 1<<30 {
		return k.On(n.Field("age_steps"), fmt.Sprintf("%s: age_steps = %d", path, h.Age),
			fmt.Sprintf("a whole number above %d", last))
	}
	share := func(n *document.Node, v float64, what string) error {
		if v < 0 || v > 1 {
			return k.On(n, fmt.Sprintf("%s%s = %g at age %d", path, what, v, h.Age), "0..1")
		}
		return nil
	}
	if err := share(n.Field("stay"), h.Stay, ": stay"); err != nil {
		return err
	}
	total := h.Stay
	for _, f := range n.Field("to").Fields {
		if err := k.known(f.Key, f.Line, f.Column, path); err != nil {
			return err
		}
		if err := share(f.Value, h.To[f.Key], " to "+f.Key); err != nil {
			return err
		}
		total += h.To[f.Key]
	}
	if math.Abs(total-1) > tailSlack {
		return k.On(n, fmt.Sprintf("%s at age %d sums to %.12g with stay", path, h.Age, total), "1")
	}
	return nil
}
