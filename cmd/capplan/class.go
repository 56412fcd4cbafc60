package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/queues"
)

// classWant shows the form of a class in every message about one.
const classWant = "name=NAME, rate=2/min and service=20s or load=1.5, and as the queue needs them scv=1, servers=2, reserve=1, separated by commas"

// classKeys are the names that a class may have.
var classKeys = []string{"name", "rate", "service", "load", "scv", "servers", "reserve"}

// parseClass reads one --class. Its values are those of a file. It checks form and units alone;
// which of the values a queue needs is known by the question. Errors: *ask.InputError of the field
// class.
func parseClass(s string) (queues.QueueClass, error) {
	var c queues.QueueClass
	seen := map[string]bool{}
	// A name cannot hold a comma here; a file of --classes can give it one.
	for _, part := range strings.Split(s, ",") {
		key, text, ok := strings.Cut(part, "=")
		key, text = strings.TrimSpace(key), strings.TrimSpace(text)
		if !ok || text == "" {
			return c, ask.Inputf("class", "%s is no name=value, want %s", spell.Quote(part), classWant)
		}
		// The last of two would win in silence.
		if seen[key] {
			return c, &ask.InputError{Field: "class", Reason: key + " is given twice in " + spell.Quote(s)}
		}
		seen[key] = true
		var err error
		switch key {
		case "name":
			c.Name = text
		case "rate":
			err = cmdline.SetNew(&c.Rate, text)
		case "service":
			err = cmdline.SetNew(&c.ServiceTime, text)
		case "load":
			err = cmdline.SetNew(&c.Load, text)
		case "scv":
			err = cmdline.SetNew(&c.SCV, text)
		case "servers":
			err = cmdline.SetNew(&c.Servers, text)
		case "reserve":
			err = cmdline.SetNew(&c.Reserve, text)
		// A word that is none is told with the nearest that is, as a misspelt flag would be.
		default:
			return c, &ask.InputError{Field: "class", Reason: fmt.Sprintf("a class has no %s%s; want %s",
				spell.Quote(key), spell.Suggest(key, classKeys), classWant)}
		}
		if err != nil {
			return c, &ask.InputError{Field: "class", Reason: key + ": " + cmdline.Plainly(err)}
		}
	}
	return c, nil
}

// readClasses reads a file of classes; "-" is stdin. The form of the file is the same list with the
// same names, where values may also hold commas.
func readClasses(ctx context.Context, path string, s *cmdline.Streams, into *[]queues.QueueClass) error {
	var err error
	want := "YAML or JSON: a list of classes, each with " + strings.Join(classKeys, ", ")
	*into, err = cmdline.Read(ctx, s, path, want, queues.ReadJobClasses)
	return err
}
