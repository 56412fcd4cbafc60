package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/report"
)

// A result is an answer on its way out.
type result struct {
	value    any                   // for JSON: a struct with tags
	section  *report.Section       // for people; its data is the CSV, or else the scalar fields of value
	raw      string                // text that is the whole answer, whatever the format
	write    func(io.Writer) error // likewise, as it is made
	warnings []string
	exit     error // after the answer is printed
	// stoppable says that a signal is a good end of the command, and the answer
	// is printed all the same.
	stoppable bool
}

// answered is an answer that is shown as a section says, with the warnings that
// came up on the way before its own.
func answered(value any, s *report.Section, warnings ...string) *result {
	return &result{value: value, section: s, warnings: slices.Concat(warnings, s.Notes)}
}

// output holds the flags that all answers share.
type output struct {
	format  string
	explain bool
	plot    string
	csvSafe bool
}

// newFlags starts the flags of a command that answers.
func newFlags(plot bool) *flagSet {
	s := &flagSet{output: &output{format: "text"}}
	oneOf(s, "format", &s.output.format, "`FORMAT` of the answer: text, json or csv", []string{"o"}, "text", "json", "csv")
	toggle(s, "explain", &s.output.explain, "show the model, its formulas with the numbers put in, and their sources")
	toggle(s, "csv-safe", &s.output.csvSafe, "with --format csv: put ' before a cell that a spreadsheet would take for a formula, one that begins with = + - @ and is no number")
	if plot {
		text(s, "plot", &s.output.plot, "FILE", "to draw the answer in: .svg, .png or .pdf; - writes SVG to stdout and the answer to stderr")
	}
	return s
}

// check finds what is wrong with the output before anything is computed.
func (o *output) check() error {
	if o == nil || o.plot == "" || o.plot == "-" {
		return nil
	}
	return plotFormat(o.plot)
}

// print draws and writes an answer. The drawing comes first: when it fails
// there is no answer that a script could take for success.
func (o *output) print(ctx context.Context, s *streams, r *result) error {
	if r.raw != "" {
		_, err := io.WriteString(s.out, r.raw)
		return err
	}
	if r.write != nil {
		w := bufio.NewWriterSize(&endingWriter{ctx, s.out}, 1<<16)
		if err := r.write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	for _, w := range r.warnings {
		fmt.Fprintln(s.err, "warning:", printable(w))
	}
	w := s.out
	if o.plot != "" && !errors.Is(r.exit, context.Canceled) {
		if err := o.drawTo(ctx, s, r); err != nil {
			return err
		}
		if o.plot == "-" {
			w = s.err
		}
	}
	if !r.stoppable && !errors.Is(r.exit, context.Canceled) { // what is finished is still shown
		w = &endingWriter{ctx, w}
	}
	if err := o.write(w, r); err != nil {
		return err
	}
	return r.exit
}

// An endingWriter writes until the context ends: a long answer, or one that
// nobody reads to its end, is given up like a long computation.
type endingWriter struct {
	ctx context.Context
	w   io.Writer
}

func (e *endingWriter) Write(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.w.Write(p)
}

// drawTo draws the first figure of an answer.
func (o *output) drawTo(ctx context.Context, s *streams, r *result) error {
	figures, err := r.section.Draw(ctx)
	if err != nil {
		return err
	}
	format := "svg"
	if o.plot != "-" {
		format = strings.TrimPrefix(strings.ToLower(filepath.Ext(o.plot)), ".")
	}
	var drawing bytes.Buffer
	if err := figures[0].Write(&drawing, format); err != nil {
		return err
	}
	if o.plot == "-" {
		_, err := s.out.Write(drawing.Bytes())
		return err
	}
	return outError("plot", o.plot, outfile.Write(o.plot, drawing.Bytes()))
}

// plotFormat checks the suffix of a file before anything is computed for it.
func plotFormat(path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg", ".png", ".pdf":
		return checkOut("plot", path)
	default:
		return &usageError{reason: "--plot: " + quote(path) + " has no format that can be drawn, want a name ending in .svg, .png or .pdf, or - for SVG on stdout"}
	}
}

// write writes an answer whole or not at all. A large one is not held as text
// but written as it is rendered, after a look whether it can be.
func (o *output) write(w io.Writer, r *result) error {
	first := &gate{}
	switch err := o.render(first, r); {
	case err == nil:
		_, err := w.Write(first.text)
		return err
	case !first.full:
		return err
	}
	if o.format == "json" {
		if err := encodable(reflect.ValueOf(r.value)); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := o.render(out, r); err != nil {
		return err
	}
	return out.Flush()
}

// A gate takes a text of up to a MiB.
type gate struct {
	text []byte
	full bool
}

var errFull = errors.New("more than a MiB of text")

func (g *gate) Write(p []byte) (int, error) {
	if len(g.text)+len(p) > 1<<20 {
		g.full = true
		return 0, errFull
	}
	g.text = append(g.text, p...)
	return len(p), nil
}

func (o *output) render(w io.Writer, r *result) error {
	switch o.format {
	case "json":
		// The rules of encoding/json, as a stream.
		write := func(w io.Writer) error {
			return json.MarshalWrite(w, r.value, jsonv1.DefaultOptionsV1(), jsontext.WithIndent("  "), jsontext.EscapeForHTML(false))
		}
		if len(r.warnings) > 0 && !r.warn() {
			var object bytes.Buffer
			if err := write(&object); err != nil {
				return err
			}
			text, err := withWarnings(object.Bytes(), r.warnings)
			if err == nil {
				_, err = w.Write(text)
			}
			return err
		}
		err := write(w)
		if err == nil {
			_, err = io.WriteString(w, "\n")
		}
		return err
	case "csv":
		data := report.Scalars(r.value)
		if len(r.section.Data) > 0 {
			data = r.section.Data[0]
		}
		return data.Write(w, o.csvSafe)
	default:
		return r.section.WriteText(w)
	}
}
