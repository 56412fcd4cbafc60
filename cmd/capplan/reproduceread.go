package main

import (
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
)

// A readFlag is what some names of reproduce read, and others have no use for.
type readFlag struct {
	flags []string
	by    func(name string) bool
	who   string
}

// readFlags are all flags of reproduce that a name may have no use for.
var readFlags = []readFlag{
	{[]string{"trace", "machines", "days", "columns", "time-format", "memory-total", "gaps", "period", "light", "heavy",
		"grace", "working-set", "gap", "zone", "holidays", "holiday", "cpu-query"}, isPaper("ishare-"),
		"the figures of iShare"},
	{[]string{"swf"}, func(name string) bool { return name == "pcu-figure-14" }, "pcu-figure-14"},
	{[]string{"scale"}, simulatesPool, "the simulated figures of PCU"},
	{[]string{"resources", "capacity-law"}, drawsBatches, "the figures and the table of QoS-GRAF that draw batches"},
	{[]string{"reference-speed"}, isPaper("intergrid-"), "the figures of InterGrid"},
	{[]string{"seeds"}, func(name string) bool {
		return isDrawn(name) && name != "spequlos-figure-1" && !strings.HasPrefix(name, "ishare-")
	}, "what is simulated or drawn several times"},
	{[]string{"seed"}, isDrawn, "what is simulated or drawn"},
}

func isPaper(prefix string) func(string) bool {
	return func(name string) bool { return strings.HasPrefix(name, prefix) }
}

func simulatesPool(name string) bool {
	return strings.HasSuffix(name, "-simulated") ||
		slices.Contains([]string{"pcu-figure-4", "pcu-figure-8", "pcu-figure-14", "pcu-figure-15"}, name)
}

func drawsBatches(name string) bool {
	return strings.HasPrefix(name, "qos-graf-") && name != "qos-graf-figure-3"
}

// isDrawn reports whether chance plays a part in what a name comes to.
func isDrawn(name string) bool {
	switch paper, _, _ := strings.Cut(name, "-"); paper {
	case "pcu":
		return simulatesPool(name)
	case "qos":
		return drawsBatches(name)
	case "intergrid":
		return !slices.Contains([]string{"intergrid-workload", "intergrid-sizes", "intergrid-durations",
			"intergrid-external", "intergrid-local"}, name)
	}
	return true
}

// checkRead refuses flags that the name does not read, or that no list does. Errors: *ask.InputError.
func checkRead(s *cmdline.FlagSet, name string) error {
	for _, r := range readFlags {
		if name == "" || !r.by(name) {
			if err := s.Misplaced("is read by "+r.who+" alone: leave it out", r.flags...); err != nil {
				return err
			}
		}
	}
	if drawn := []string{"ishare-figure-14", "ishare-figure-15", "ishare-figure-16"}; s.Gave("trace") &&
		isPaper("ishare-")(name) && !slices.Contains(drawn, name) {
		return s.Misplaced("draws the machines that --trace gives: leave it out", "seed")
	}
	return nil
}
