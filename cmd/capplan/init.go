package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
)

// exampleScenario is the file that init writes; the tests of the documentation plan it, so that it
// keeps running.
//
//go:embed scenario.yaml
var exampleScenario string

// initCommand writes an example scenario under a name that is free. It never overwrites: a scenario
// that somebody has edited is worth more than the example.
func initCommand() *cmdline.Command {
	return &cmdline.Command{
		Name: "init", Usage: "a commented example scenario that runs", Args: "[FILE]", MaxArgs: 1,
		Flags: cmdline.PlainFlags(),
		Description: `Writes the example to FILE (default scenario.yaml; - is stdout). An existing file is left
alone.

  $ capplan init
  $ capplan plan scenario.yaml`,
		Ask: func(_ context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			path := "scenario.yaml"
			if len(args) > 0 {
				path = args[0]
			}
			// A shell with an empty variable gives an empty name.
			switch path {
			case "-":
				return &cmdline.Result{Raw: exampleScenario}, nil
			case "":
				return nil, &cmdline.UsageError{Reason: "an empty name names no file, want a name such as " +
					"scenario.yaml"}
			}
			// A name that cannot be used is a fault of the call, with exit code 2; a full disk is not,
			// and falls to the last case.
			err := writeNew(path, exampleScenario)
			switch {
			case errors.Is(err, fs.ErrExist):
				return nil, &cmdline.UsageError{Reason: spell.Quote(path) +
					" exists already and is not changed: give another name"}
			case errors.Is(err, fs.ErrNotExist):
				return nil, &cmdline.UsageError{Reason: spell.Quote(path) + ": there is no such folder"}
			case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
				return nil, &cmdline.UsageError{Reason: spell.Quote(path) + ": " + cmdline.Errno(err)}
			case err != nil:
				return nil, fmt.Errorf("%s: %s", spell.Quote(path), cmdline.Errno(err))
			}
			// The answer is the file; what is said of it is for people.
			fmt.Fprintln(st.Err, cmdline.Printable(fmt.Sprintf("written to %s; next: capplan plan %s", path, path)))
			return &cmdline.Result{Write: func(io.Writer) error { return nil }}, nil
		},
	}
}

// writeNew writes a file under a name that nothing has. A file that cannot be written to its end is
// removed again. Errors: fs.ErrExist where the name is taken, and those of the system.
func writeNew(path, text string) error {
	f, err := outfile.CreateNew(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := io.WriteString(f, text); err != nil {
		return err
	}
	return f.Commit()
}
