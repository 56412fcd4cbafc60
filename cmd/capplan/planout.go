package main

import (
	"bytes"
	"context"
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
	// drawn is a drawing on its way: the figures are made first and drawn on all cores after, each
	// into its own place, so that the files stay in order.
	type drawn struct {
		figure *page.Figure
		format string
		file   cmdline.OutFile
	}
	var plots []*drawn
	for i := range doc.Sections {
		for k := range doc.Sections[i].Drawn {
			for _, format := range []string{"svg", "png"} {
				plots = append(plots, &drawn{figure: &doc.Sections[i].Drawn[k], format: format})
			}
		}
	}
	// 0 stands for as many workers as there are cores. A drawing takes tens of milliseconds, and a
	// plan has up to some twenty of them in two forms.
	err := parallel.Each(ctx, 0, len(plots), func(i int) error {
		p := plots[i]
		var b bytes.Buffer
		err := p.figure.Write(&b, p.format)
		p.file = cmdline.OutFile{Name: "plots/" + p.figure.ID + "." + p.format, Content: b.Bytes()}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range plots {
		files = append(files, p.file)
	}
	// The order of the files is that of their names, whatever the order in which they were made: two
	// runs write the same folder.
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	return files, nil
}
