package workload

import (
	"fmt"
	"math"
)

const hazardForm = `what is known age by age such as {"S1": [{"age_steps": 3, "to": {"S2": 0.25}, "stay": 0.75}]}`

// hazards reads what is known of the states age by age.
func (k *kernelReader) hazards(n *node) error {
	if n.kind != mappingNode {
		return k.on(n, "hazard is "+n.kind.String(), hazardForm)
	}
	k.file.Hazard = make(map[string][]KernelHazard, len(n.fields))
	for _, row := range n.fields {
		path := "hazard of " + row.key
		if err := k.known(row.key, row.line, row.column, "hazard"); err != nil {
			return err
		}
		switch {
		case k.failure[row.key]:
			return k.at(row.line, row.column, path+" is that of a failure state", "rows of transient states only")
		case row.value.kind != sequenceNode:
			return k.on(row.value, path+" is "+row.value.kind.String(), hazardForm)
		}
		ages := make([]KernelHazard, 0, len(row.value.items))
		last := 0
		for _, item := range row.value.items {
			h, err := k.hazard(item, path, last)
			if err != nil {
				return err
			}
			last = h.Age
			ages = append(ages, h)
		}
		k.file.Hazard[row.key] = ages
	}
	return nil
}

// hazard reads one age, which must be above last.
func (k *kernelReader) hazard(n *node, path string, last int) (h KernelHazard, err error) {
	known := []string{"age_steps", "to", "stay"}
	if err := k.fields(n, path, known, len(known)); err != nil {
		return h, err
	}
	age, err := k.number(n.field("age_steps"), path+": age_steps")
	if err != nil {
		return h, err
	}
	if !(age > float64(last) && age == math.Trunc(age) && age <= 1<<30) {
		return h, k.on(n.field("age_steps"), fmt.Sprintf("%s: age_steps = %g", path, age), fmt.Sprintf("a whole number above %d", last))
	}
	h.Age = int(age)
	share := func(n *node, what string) (float64, error) {
		v, err := k.number(n, path+what)
		if err == nil && (v < 0 || v > 1) {
			err = k.on(n, fmt.Sprintf("%s%s = %g at age %d", path, what, v, h.Age), "0..1")
		}
		return v, err
	}
	if h.Stay, err = share(n.field("stay"), ": stay"); err != nil {
		return h, err
	}
	to := n.field("to")
	if to.kind != mappingNode {
		return h, k.on(to, path+": to is "+to.kind.String(), hazardForm)
	}
	h.To = make(map[string]float64, len(to.fields))
	total := h.Stay
	for _, f := range to.fields {
		if err := k.known(f.key, f.line, f.column, path); err != nil {
			return h, err
		}
		v, err := share(f.value, " to "+f.key)
		if err != nil {
			return h, err
		}
		h.To[f.key] = v
		total += v
	}
	if math.Abs(total-1) > tailSlack {
		return h, k.on(n, fmt.Sprintf("%s at age %d sums to %.12g with stay", path, h.Age, total), "1")
	}
	return h, nil
}
