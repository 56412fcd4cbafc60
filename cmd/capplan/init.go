package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/capplan/capplan/internal/outfile"
)

//go:embed scenario.yaml
var exampleScenario string

func initCommand() *command {
	return &command{
		name: "init", usage: "a commented example scenario that runs", args: "[FILE]", maxArgs: 1, flags: &flagSet{output: &output{format: "text"}},
		description: `Writes FILE, scenario.yaml where none is given; - is stdout. A file that is
there already is left alone.

  $ capplan init
  $ capplan plan scenario.yaml`,
		ask: func(_ context.Context, st *streams, args []string) (*result, error) {
			path := "scenario.yaml"
			if len(args) > 0 {
				path = args[0]
			}
			switch path {
			case "-":
				return &result{raw: exampleScenario}, nil
			case "":
				return nil, &usageError{reason: "an empty name is no file, want a name such as scenario.yaml"}
			}
			err := writeNew(path, exampleScenario)
			switch {
			case errors.Is(err, fs.ErrExist):
				return nil, &usageError{reason: quote(path) + " is there already and is left as it is: give another name"}
			case errors.Is(err, fs.ErrNotExist):
				return nil, &usageError{reason: quote(path) + ": there is no such folder"}
			case err != nil:
				return nil, fmt.Errorf("%s: %s", quote(path), errno(err))
			}
			// The answer is the file; what is said of it is for people.
			fmt.Fprintf(st.err, "written to %s; next: capplan plan %s\n", path, path)
			return &result{write: func(io.Writer) error { return nil }}, nil
		},
	}
}

// writeNew writes a file under a name that nothing has.
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
