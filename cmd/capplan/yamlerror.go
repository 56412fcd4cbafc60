package main

import (
	"strings"

	"github.com/goccy/go-yaml"
)

// yamlError shows place and source line as goccy/go-yaml prints them, with a
// suggestion for an unknown field.
func yamlError(err error, known []string) string {
	text := strings.TrimSpace(yaml.FormatError(err, false, true))
	if _, rest, ok := strings.Cut(text, `unknown field "`); ok {
		if name, _, ok := strings.Cut(rest, `"`); ok {
			text = strings.Replace(text, `unknown field "`+name+`"`, `unknown field "`+name+`"`+suggest(name, known), 1)
		}
	}
	return text
}
