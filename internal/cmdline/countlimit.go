package cmdline

import (
	"errors"

	"github.com/capplan/capplan/units"
)

// countLimits are what counts of these flags may be at most. A count above 2^63−1 is refused by
// package units for all of them alike; these are the limits that the questions have.
var countLimits = map[string]string{
	"servers":   "1e12",
	"dedicated": "1e12",
	"public":    "1e12",
	"capacity":  "1e12",
	"sources":   "1e12",
	"replicas":  "1e9",
	"needed":    "1000000",
}

// withinCounts says of a number beyond all counts what the flag is limited to. Any other error
// stays as it is.
func withinCounts(flag string, err error) error {
	var parse *units.ParseError
	if limit, ok := countLimits[flag]; ok && errors.As(err, &parse) && parse.Reason == units.AboveCounts {
		said := *parse
		said.Reason = "it is above " + limit
		return &said
	}
	return err
}
