package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
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

// A classInput is the classes of a queue, on the command line or in a file.
type classInput struct {
	texts []string // of --class
	file  string   // of --classes
}

// flag binds --class or --classes, by its name.
func (c *classInput) flag(s *cmdline.FlagSet, name string) {
	if name == "classes" {
		s.Text(name, &c.file, "FILE", "file of the classes in YAML or JSON: a list with the fields of --class")
		return
	}
	s.Repeated(name, &c.texts, classWant, "`CLASS` of jobs, may be repeated: "+classWant)
}

// read returns the classes, nil where none are given. The file, where "-" is stdin, holds the same list
// with the same names; its values may hold commas too. Errors: *ask.InputError of the fields class and
// classes; *source.FileError.
func (c *classInput) read(ctx context.Context, s *cmdline.Streams) (all []queues.JobClass, err error) {
	if len(c.texts) > 0 && c.file != "" {
		return nil, &ask.InputError{Field: "classes", Reason: "classes are given both by --class and in a file"}
	}
	for _, text := range c.texts {
		class, err := parseClass(text)
		if err != nil {
			return nil, err
		}
		all = append(all, class)
	}
	if c.file == "" {
		return all, nil
	}
	want := "YAML or JSON: a list of classes, each with name, rate, service, load, scv, servers, reserve"
	return cmdline.Read(ctx, s, c.file, want, queues.ReadJobClasses)
}
