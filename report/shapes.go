package report

import (
	"slices"

	"github.com/capplan/capplan/planner"
)

// shapes shows how many jobs each machine holds at a time, and what bounds them.
func (s *Section) shapes(a *planner.PlanAnswer) {
	shaped := func(m planner.MachineWorth) bool { return m.SlotsOfCPU != nil || m.SlotsOfMemory != nil }
	if !slices.ContainsFunc(a.Machines, shaped) {
		return
	}
	t := s.Table("machine", "jobs at a time", "by cpu", "by memory", "binds")
	t.Caption = "What fits on a machine"
	for _, m := range a.Machines {
		t.Row(m.Name, count(m.Slots), optional(m.SlotsOfCPU, count), optional(m.SlotsOfMemory, count), dashed(m.SlotsBy))
	}
}
