package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/report/page"
)

// planFiles makes the content of all files, the drawings on all cores. All of it is held in memory,
// some hundreds of kilobytes: the folder is written at once when everything is there.
func planFiles(ctx context.Context, in *scenarioInput, a *planner.PlanAnswer,
	doc *page.Document) ([]cmdline.OutFile, error) {
	var files []cmdline.OutFile
	made := func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		files = append(files, cmdline.OutFile{Name: name, Content: b.Bytes()})
		return nil
	}
	if err := made("result.json", func(w io.Writer) error { return writeJSON(w, a) }); err != nil {
		return nil, err
	}
	if err := made("report.html", doc.WriteHTML); err != nil {
		return nil, err
	}
	// The report says what was asked: the scenario goes with it, byte by byte, by the name
	// that its form has.
	name := "scenario.yaml"
	if strings.HasPrefix(strings.TrimSpace(string(in.content)), "{") {
		name = "scenario.json"
	}
	files = append(files, cmdline.OutFile{Name: name, Content: in.content})
	for _, t := range doc.Data() {
		if err := made(t.Name+".csv", func(w io.Writer) error { return t.Write(w, false) }); err != nil {
			return nil, err
		}
	}
	var figures []page.Figure
	var names []string
	for _, s := range doc.Sections {
		for _, f := range s.Drawn {
			figures, names = append(figures, f), append(names, "plots/"+f.ID)
		}
	}
	plots, err := plotFiles(ctx, figures, names)
	if err != nil {
		return nil, err
	}
	files = append(files, plots...)
	// The order of the files is that of their names, whatever the order in which they were made: two
	// runs write the same folder.
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	return files, nil
}

// plotFiles draws figures in two forms each, under their names with the ending of the form. They are
// drawn on all cores, each into its own place, so that the files stay in order: a drawing takes tens
// of milliseconds, and a plan has up to some twenty of them.
func plotFiles(ctx context.Context, figures []page.Figure, names []string) ([]cmdline.OutFile, error) {
	formats := []string{"svg", "png"}
	files := make([]cmdline.OutFile, len(formats)*len(figures))
	err := parallel.Each(ctx, 0, len(files), func(i int) error { // 0: as many workers as cores
		of, format := i/len(formats), formats[i%len(formats)]
		var b bytes.Buffer
		if err := figures[of].Write(&b, format); err != nil {
			return fmt.Errorf("%s: %w", names[of], err)
		}
		files[i] = cmdline.OutFile{Name: names[of] + "." + format, Content: b.Bytes()}
		return nil
	})
	return files, err
}
