package main

import (
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/planner/routes"
)

// inputFile marks a schema as that of a file that capplan reads: strict, and
// with quantities as they are written.
type inputFile struct{ of any }

// fileSchemas lists the files by the name that schema has for them.
var fileSchemas = map[string]any{
	"clusters": inputFile{routes.ClusterFile{}},
	"batch":    inputFile{allocation.BatchFile{}},
	"leases":   inputFile{leases.File{}},
	"scenario": inputFile{planner.PlanQuestion{}},
	"pool":     inputFile{pools.File{}},
}
