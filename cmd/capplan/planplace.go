package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner/ask"
)

// scenarioPlaces are the fields of questions as the scenario has them.
var scenarioPlaces = map[string]string{
	"batch":             "allocation",
	"fail":              "allocation.fail",
	"day":               "availability.day",
	"days":              "availability.days",
	"gap":               "availability.gap",
	"grace":             "availability.grace",
	"heavy":             "availability.heavy",
	"light":             "availability.light",
	"period":            "availability.period",
	"start":             "availability.start",
	"task":              "availability.task",
	"trace":             "availability.trace",
	"window":            "availability.window",
	"cost":              "checkpoint.cost",
	"mtbf":              "checkpoint.mtbf",
	"mttr":              "checkpoint.mttr",
	"restart":           "checkpoint.restart",
	"work":              "checkpoint.work",
	"failure-rate":      "epoch.failure_rate",
	"epoch":             "epoch.length",
	"migration-time":    "epoch.migration_time",
	"migrations":        "epoch.migrations",
	"public-jobs":       "epoch.public_jobs",
	"dedicated":         "link.dedicated",
	"downlink":          "link.downlink",
	"footprint":         "link.footprint",
	"uplink":            "link.uplink",
	"load":              "load",
	"scv":               "load",
	"arrival-scv":       "load.arrival_scv",
	"load-curve":        "load.curve",
	"swf":               "load.log",
	"rate":              "load.rate",
	"objective":         "objectives",
	"target":            "objectives.availability",
	"max-abandon":       "objectives.max_abandon",
	"max-blocking":      "objectives.max_blocking",
	"max-mean-response": "objectives.max_mean_response",
	"max-mean-wait":     "objectives.max_mean_wait",
	"max-utilization":   "objectives.max_utilization",
	"max-wait":          "objectives.max_wait",
	"percentile":        "objectives.percentile",
	"public_count":      "objectives.public_count",
	"replicas":          "replicas",
	"crews":             "replicas.crews",
	"mttf":              "replicas.mttf",
	"needed":            "replicas.needed",
	"routing":           "routing",
	"clusters":          "routing.clusters",
	"hedge":             "routing.hedge",
	"policy":            "routing.policy",
	"types":             "routing.types",
	"weight":            "routing.types",
	"model":             "service.model",
	"patience":          "service.patience",
	"staffing":          "service.staffing",
	"service-time":      "service.time",
}

// namesakes are the parts of a scenario that have fields of the same names.
var namesakes = []string{"replicas", "checkpoint", "availability", "routing"}

// fieldPlace returns where a field of a part's question stands in the scenario:
// in the part, if it is given there or the place known is that of a namesake.
func (in *scenarioInput) fieldPlace(part, field string) string {
	place, ok := scenarioPlaces[field]
	if !ok {
		place = field
	}
	if !slices.Contains(namesakes, part) || strings.Contains(field, ".") {
		return place
	}
	own := part + "." + strings.ReplaceAll(field, "-", "_")
	of, _, _ := strings.Cut(place, ".")
	if in.scenario.Line(own) > 0 || of != part && slices.Contains(namesakes, of) {
		return own
	}
	return place
}

// place turns an error of the question into one of the file, where its field
// stands there.
func (in *scenarioInput) place(err error) error {
	var input *ask.InputError
	if !errors.As(err, &input) || input.Field == "" {
		return err
	}
	place := in.fieldPlace(input.Part, input.Field)
	for at := place; at != ""; {
		if in.scenario.Line(at) > 0 {
			return in.scenario.At(place, place+": "+input.Reason, "")
		}
		dot := strings.LastIndexByte(at, '.')
		at = at[:max(dot, 0)]
	}
	return &ask.InputError{Reason: in.name + ": " + place + ": " + input.Reason}
}
