package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/queues"
)

// classWant shows the form of a class in every message about one.
const classWant = "name=NAME, rate=2/min and service=20s or load=1.5, and as the queue needs them scv=1, servers=2, " +
	"reserve=1, separated by commas"

// parseClass reads one --class. Its values are those of a file. It checks form and units alone;
// which of the values a queue needs is known by the question. Errors: *ask.InputError of the field
// class.
func parseClass(s string) (queues.JobClass, error) {
	var c queues.JobClass
	// A name cannot hold a comma here; a file of --classes can give it one.
	err := cmdline.ReadNamed("class", "class", s, classWant,
		cmdline.Word("name", &c.Name),
		cmdline.Fresh("rate", &c.Rate),
		cmdline.Fresh("service", &c.ServiceTime),
		cmdline.Fresh("load", &c.Load),
		cmdline.Fresh("scv", &c.SCV),
		cmdline.Fresh("servers", &c.Servers),
		cmdline.Fresh("reserve", &c.Reserve),
	)
	return c, err
}

// readClasses reads a file of classes; "-" is stdin. The form of the file is the same list with the
// same names, where values may also hold commas.
func readClasses(ctx context.Context, path string, s *cmdline.Streams, into *[]queues.JobClass) error {
	var err error
	want := "YAML or JSON: a list of classes, each with name, rate, service, load, scv, servers, reserve"
	*into, err = cmdline.Read(ctx, s, path, want, queues.ReadJobClasses)
	return err
}
