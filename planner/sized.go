package planner

import (
	"github.com/capplan/capplan/planner/ask"
)

// sizedParts are the fields of sizing's questions that a plan has elsewhere. The
// left side is the field that an *ask.InputError of package sizing names, the
// right its place in a scenario.
var sizedParts = map[string]string{
	"load":              "load",
	"scv":               "load",
	"arrival_scv":       "load.arrival_scv",
	"service_scv":       "service.scv",
	"load_curve":        "load.curve",
	"swf":               "load.log",
	"rate":              "load.rate",
	"service_time":      "service.time",
	"patience":          "service.patience",
	"model":             "service.model",
	"staffing":          "service.staffing",
	"objective":         "objectives.responses",
	"public_count":      "objectives.public_count",
	"max_blocking":      "objectives.max_blocking",
	"max_wait":          "objectives.max_wait",
	"percentile":        "objectives.percentile",
	"service_level_of":  "objectives.service_level_of",
	"max_mean_wait":     "objectives.max_mean_wait",
	"max_mean_response": "objectives.max_mean_response",
	"max_response":      "objectives.max_response",
	"max_utilization":   "objectives.max_utilization",
	"max_abandon":       "objectives.max_abandon",
}

// sized translates the field of an error of the fleet into the part of the plan that it comes from:
// load, service or objectives. Any other error, and a field that is not among them, is returned as
// it is.
func sized(err error) error { return ask.Renamed(err, sizedParts) }
