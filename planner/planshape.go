package planner

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
)

// presentShape writes the shape into what one machine is worth. Slots of the
// shape are whole numbers kept as floats.
func presentShape(s scenario.Shape, w *MachineWorth) {
	whole := func(v *float64) *int64 {
		if v == nil {
			return nil
		}
		return new(int64(*v))
	}
	w.Slots, w.SlotsBy, w.SlotsOfCPU, w.SlotsOfMemory = int64(s.Holds), s.By, whole(s.OfCPU), whole(s.OfMemory)
}

// explainShape shows how many jobs a machine holds, where something bounds them.
func (t *machine) explainShape(e *ask.Explanation, v *scenario.Service) {
	service, parts := ask.Value(v), []string(nil)
	if t.OfCPU != nil {
		parts = append(parts, fmt.Sprintf("⌊%s/%s⌋", t.CPU, service.CPU))
	}
	if t.OfMemory != nil {
		parts = append(parts, fmt.Sprintf("⌊%s/%s⌋", t.Memory, service.Memory))
	}
	if len(parts) == 0 { // slots alone say it themselves
		return
	}
	if t.Slots != nil {
		parts = append(parts, t.Slots.String())
	}
	e.Step("slots of "+t.Name, "m = min(⌊cpu/cpu of a job⌋, ⌊memory/memory of a job⌋, slots)",
		ask.Sprintf("min(%s) = %v jobs at a time, by %s", strings.Join(parts, ", "), t.Holds, t.By), "whole jobs")
}
