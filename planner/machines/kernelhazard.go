package machines

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/document"
)

const hazardForm = `what is known age by age such as {"S1": [{"age_steps": 3, "to": {"S2": 0.25}, "stay": 0.75}]}`

// hazards reads what is known of the states age by age. It is kept beside the
// kernel since a stay may begin before the window, at an age that the kernel of
// entries never comes to.
func (k *kernelReader) hazards(n *document.Node) error {
	if n.Kind != document.MappingNode {
		return k.On(n, "hazard is "+n.Kind.String(), hazardForm)
	}
	k.file.Hazard = make(map[string][]KernelHazard, len(n.Fields))
	for _, row := range n.Fields {
		path := "hazard of " + row.Key
		if err := k.known(row.Key, row.Line, row.Column, "hazard"); err != nil {
			return err
		}
		switch {
		case row.Value.Kind != document.SequenceNode:
			return k.On(row.Value, path+" is "+row.Value.Kind.String(), hazardForm)
		}
		ages := make([]KernelHazard, 0, len(row.Value.Items))
		last := 0
		for _, item := range row.Value.Items {
			h, err := k.hazard(item, path, last)
			if err != nil {
				return err
			}
			last = h.Age
			ages = append(ages, h)
		}
		k.file.Hazard[row.Key] = ages
	}
	return nil
}

// hazard reads one age, which must be above last.
func (k *kernelReader) hazard(n *document.Node, path string, last int) (h KernelHazard, err error) {
	known := []string{"age_steps", "to", "stay"}
	if err := k.fields(n, path, known, len(known)); err != nil {
		return h, err
	}
	age, err := k.number(n.Field("age_steps"), path+": age_steps")
	if err != nil {
		return h, err
	}
	// Ages rise, so that none stands twice.
	if !(age > float64(last) && age == math.Trunc(age) && age <= 1<<30) {
		return h, k.On(n.Field("age_steps"), fmt.Sprintf("%s: age_steps = %g", path, age),
			fmt.Sprintf("a whole number above %d", last))
	}
	h.Age = int(age)
	share := func(n *document.Node, what string) (float64, error) {
		v, err := k.number(n, path+what)
		if err == nil && (v < 0 || v > 1) {
			err = k.On(n, fmt.Sprintf("%s%s = %g at age %d", path, what, v, h.Age), "0..1")
		}
		return v, err
	}
	if h.Stay, err = share(n.Field("stay"), ": stay"); err != nil {
		return h, err
	}
	to := n.Field("to")
	if to.Kind != document.MappingNode {
		return h, k.On(to, path+": to is "+to.Kind.String(), hazardForm)
	}
	h.To = make(map[string]float64, len(to.Fields))
	total := h.Stay
	for _, f := range to.Fields {
		if err := k.known(f.Key, f.Line, f.Column, path); err != nil {
			return h, err
		}
		v, err := share(f.Value, " to "+f.Key)
		if err != nil {
			return h, err
		}
		h.To[f.Key] = v
		total += v
	}
	if math.Abs(total-1) > tailSlack {
		return h, k.On(n, fmt.Sprintf("%s at age %d sums to %.12g with stay", path, h.Age, total), "1")
	}
	return h, nil
}
