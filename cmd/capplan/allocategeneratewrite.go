package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/planner/allocation"
)

// A generated batch is written as it is made.
type generated struct {
	*allocation.GeneratedBatch
	ctx   context.Context
	s     *cmdline.Streams
	count int // of jobs
}

// jobs are those of the batch, with a bar on a terminal.
func (g *generated) jobs() iter.Seq2[*allocation.BatchJob, error] {
	return func(yield func(*allocation.BatchJob, error) bool) {
		add, finish := g.s.Steps(g.count, "jobs")
		defer finish()
		n := 0
		for j, err := range g.Jobs(g.ctx) {
			if n++; n%4096 == 0 {
				add(4096)
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// writeTables writes jobs to w and resources to a file, which gets its name
// when both are whole.
func (g *generated) writeTables(w io.Writer, path string) error {
	file, err := outfile.Create(path)
	if err != nil {
		return cmdline.OutError("resources-file", path, err)
	}
	defer file.Discard()
	err = allocation.WriteBatchTablesJobs(w, file, g.BatchFile, g.jobs())
	if file.Err() != nil {
		err = cmdline.OutError("resources-file", path, file.Err())
	}
	if err != nil {
		return err
	}
	if jobs, ok := w.(*bufio.Writer); ok {
		if err := jobs.Flush(); err != nil {
			return err
		}
	}
	if err := file.Commit(); err != nil {
		return cmdline.OutError("resources-file", path, err)
	}
	return nil
}

// writeYAML writes the batch; its names are plain words.
func (g *generated) writeYAML(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "comment: %s\ndependencies: [%s]\n", g.Comment, strings.Join(g.Dependencies, ", "))
	if g.Budget != nil {
		fmt.Fprintf(w, "budget: %v\n", float64(*g.Budget))
	}
	fmt.Fprint(w, "resources:\n")
	for i := range g.Resources {
		r := &g.Resources[i]
		fmt.Fprintf(w, "  - {id: %s, dependency: %s, primary_capacity: %d, backup_capacity: %d",
			r.ID, r.Dependency, r.PrimaryCapacity, *r.BackupCapacity)
		if r.Price != nil {
			fmt.Fprintf(w, ", price: %v", float64(*r.Price))
		}
		if _, err := fmt.Fprint(w, "}\n"); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "jobs:\n")
	var line []byte
	for j, err := range g.jobs() {
		if err != nil {
			return err
		}
		line = appendYAMLJob(line[:0], j)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}

// appendYAMLJob appends a job; package fmt would take five times as long.
func appendYAMLJob(b []byte, j *allocation.BatchJob) []byte {
	b = append(append(append(b, "  - id: "...), j.ID...), "\n    class: "...)
	b = append(append(b, j.Class...), '\n')
	if j.Admission != "" {
		b = append(append(append(b, "    admission: "...), j.Admission...), '\n')
	}
	if j.BaseFee != nil {
		b = append(strconv.AppendInt(append(b, "    base_fee: "...), int64(*j.BaseFee), 10), '\n')
	}
	b = append(b, "    levels:\n"...)
	for _, need := range j.Levels {
		b = append(append(append(b, "      "...), need.Dependency...), ": ["...)
		for n, l := range need.Value {
			if n > 0 {
				b = append(b, ", "...)
			}
			b = strconv.AppendInt(append(b, "{demand: "...), int64(l.Demand), 10)
			b = append(strconv.AppendInt(append(b, ", revenue: "...), int64(l.Revenue), 10), '}')
		}
		b = append(b, "]\n"...)
	}
	return b
}
