package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
		ask: func(_ context.Context, _ *streams, args []string) (*result, error) {
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
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			switch {
			case errors.Is(err, fs.ErrExist):
				return nil, &usageError{reason: quote(path) + " is there already and is left as it is: give another name"}
			case errors.Is(err, fs.ErrNotExist):
				return nil, &usageError{reason: quote(path) + ": there is no such folder"}
			case err != nil:
				return nil, err
			}
			_, err = f.WriteString(exampleScenario)
			if closing := f.Close(); err == nil {
				err = closing
			}
			if err != nil {
				os.Remove(path)
				return nil, err
			}
			return &result{raw: fmt.Sprintf("written to %s; next: capplan plan %s\n", path, path)}, nil
		},
	}
}
