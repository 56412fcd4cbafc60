package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner"
)

// maxScenario bounds a scenario file, which is kept for the report's folder. 64 MiB are far more
// than anybody writes by hand; tables and traces are named by a scenario and read as streams.
const maxScenario = 64 << 20

// scenarioForm is what an error in a scenario asks for.
const scenarioForm = "a scenario such as the one that capplan init writes: load, service, objectives, machines, ..."

// A scenarioInput is a scenario as it was read, for the report's folder, and the
// question that it is.
type scenarioInput struct {
	// content is the file as it was read, for the folder of a plan.
	content  []byte
	question *planner.PlanQuestion
	warnings []string
}

// readScenario reads a scenario and all files that it names, which are relative
// to it; those of a scenario on stdin are relative to where one stands. What live
// asks a server for takes the place of the scenario's load and service. Errors: *source.FileError
// with line and column of the scenario or of a file that it names; *ask.InputError for what stands
// in neither.
func readScenario(ctx context.Context, path string, live *scenarioLive, st *cmdline.Streams) (*scenarioInput, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: st.In, Want: scenarioWant})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	content, err := wholeScenario(src, "a scenario that names files for large parts")
	if err != nil {
		return nil, err
	}
	return scenarioOf(ctx, path, src.Name, content, live, st)
}

// wholeScenario reads a scenario, or what may be one, within its bound; want says what
// to give in place of a file beyond.
func wholeScenario(src *source.Source, want string) ([]byte, error) {
	// One byte beyond the bound distinguishes a file that is too long from one that just fits.
	content, err := io.ReadAll(io.LimitReader(src, maxScenario+1))
	if err == nil && len(content) > maxScenario {
		err = source.Whole(src.Name, fmt.Sprintf("holds more than %d MiB", maxScenario>>20), want, source.ErrMemory)
	}
	return content, err
}

// scenarioOf reads a scenario from its content. compare, which has to look at the content first,
// begins here.
func scenarioOf(ctx context.Context, path, name string, content []byte, live *scenarioLive,
	st *cmdline.Streams) (*scenarioInput, error) {
	r := &planner.ScenarioReader{Name: name, Want: scenarioForm, Files: source.System(ctx), Wrap: st.Progress}
	// The flags of the server are checked before the scenario, which may name large files, is read.
	if live != nil {
		if err := live.check(); err != nil {
			return nil, err
		}
		r.Amend = live.amend
	}
	// Files that a scenario on stdin names have no folder but the one where one stands.
	if path != "-" {
		r.Folder = filepath.ToSlash(filepath.Dir(path))
	}
	in := &scenarioInput{content: content}
	var err error
	in.question, in.warnings, err = r.Read(ctx, bytes.NewReader(content))
	return in, err
}
