package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/urfave/cli/v2"
)

// eachCommand calls f for every command of the program that answers, with the
// words that call it.
func eachCommand(all []*cli.Command, above []string, f func(words []string, c *cli.Command)) {
	for _, c := range all {
		words := append(append([]string{}, above...), c.Name)
		if c.Action != nil {
			f(words, c)
		}
		eachCommand(c.Subcommands, words, f)
	}
}

// An empty value is bad input, whatever the flag and however it is written.
func TestEmptyValuesAreRefused(t *testing.T) {
	tried, flags := 0, 0
	app := capplan().App(&cmdline.Streams{})
	eachCommand(app.Commands, nil, func(words []string, c *cli.Command) {
		tried++
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				flags++
				dashes := "--"
				if len(name) == 1 {
					dashes = "-"
				}
				calls := [][]string{{dashes + name + "="}, {dashes + name + "= "}}
				if b, ok := f.(*cli.GenericFlag).Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
					calls = append(calls, []string{dashes + name, ""}, []string{dashes + name, " \t"})
				}
				for _, call := range calls {
					args := append(append([]string{"capplan"}, words...), call...)
					_, err := cmdline.Arrange(app.Commands, args)
					if want := "--" + f.Names()[0] + ": it is empty"; err == nil || !strings.HasPrefix(err.Error(), want) {
						t.Errorf("%q: %v, want %q", args, err, want)
					}
				}
			}
		}
		// The whole program too, once a command.
		if len(c.Flags) > 0 {
			first := "--" + c.Flags[0].Names()[0]
			refused(t, append(append([]string{}, words...), first, ""), first+": it is empty")
		}
		refused(t, append(append([]string{}, words...), "--", " "), "argument 1 is empty")
	})
	// The walk itself must not come to nothing.
	if tried < 40 || flags < 500 {
		t.Errorf("%d commands with %d flags were tried, want the whole program", tried, flags)
	}
}

// refused runs a command line that must exit with 2 and say so.
func refused(t *testing.T, args []string, want string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), append([]string{"capplan"}, args...), strings.NewReader(""), &stdout, &stderr)
	if code != cmdline.ExitBadInput || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
		t.Errorf("%q: exit code %d, stdout %q, stderr %q, want 2 and %q", args, code, stdout.String(), stderr.String(), want)
	}
}
