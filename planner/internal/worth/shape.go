package worth

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
)

// ExplainSlots shows how many jobs of a service a machine holds, where cpu or memory
// bound them: slots alone say it themselves.
func (m *Machine) ExplainSlots(e *ask.Explanation, v *scenario.Service) {
	service, parts := ask.Value(v), []string(nil)
	if m.OfCPU != nil {
		parts = append(parts, fmt.Sprintf("⌊%s/%s⌋", m.CPU, service.CPU))
	}
	if m.OfMemory != nil {
		parts = append(parts, fmt.Sprintf("⌊%s/%s⌋", m.Memory, service.Memory))
	}
	if len(parts) == 0 {
		return
	}
	if m.Slots != nil {
		parts = append(parts, m.Slots.String())
	}
	e.Step("slots of "+m.Name, "m = min(⌊cpu/cpu of a job⌋, ⌊memory/memory of a job⌋, slots)",
		ask.Sprintf("min(%s) = %v jobs at a time, by %s", strings.Join(parts, ", "), m.Holds, m.By), "whole jobs")
}
