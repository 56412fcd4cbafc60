package cmdline

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
)

// A Result is an answer on its way out. Raw and Write are for commands whose answer is a file of
// its own; all others have a Value and a Section.
type Result struct {
	Value    any                   // for JSON: a struct with tags
	Section  *page.Section         // for people; its data is the CSV, or else the scalar fields of value
	Raw      string                // text that is the whole answer, whatever the format
	Write    func(io.Writer) error // likewise, as it is made
	Warnings []string
	Exit     error // after the answer is printed
	// Stoppable says that the answer is what is finished where a signal ended the
	// work: it is printed all the same, and the exit code is that of an interruption.
	Stoppable bool
	// Ended says that a signal is the good end of a stoppable command, exit code 0.
	Ended bool
}

// Answered is an answer that is shown as a section says, with the warnings that
// came up on the way before its own.
func Answered(value any, s *page.Section, warnings ...string) *Result {
	return &Result{Value: value, Section: s, Warnings: slices.Concat(warnings, s.Notes)}
}

// Ask asks a question and shows its answer as a section says, as [Answered] does.
func Ask[Q, A any](ctx context.Context, q Q, ask func(context.Context, Q) (A, error), show func(A) *page.Section,
	warnings ...string) (*Result, error) {
	a, err := ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return Answered(a, show(a), warnings...), nil
}

// Output holds the flags that all answers share. A nil Output is that of a command without an
// answer.
type Output struct {
	Format  string
	Explain bool
	plot    string
	csvSafe bool
	all     bool
}

// Draws reports whether a figure of the answer is asked for.
func (o *Output) Draws() bool { return o.plot != "" }

// NewFlags returns the flags of a command that answers; plot: the answer has a curve.
func NewFlags(plot bool) *FlagSet {
	s := &FlagSet{Output: &Output{Format: "text"}}
	OneOf(s, "format",
		&s.Output.Format, "`FORMAT` of the answer: text, json or csv", []string{"o"}, "text", "json", "csv")
	s.Toggle("explain", &s.Output.Explain, "show the model, its formulas with the numbers put in, and their sources")
	s.Toggle("all", &s.Output.all, "show long and wide tables whole, as text")
	s.Toggle("csv-safe", &s.Output.csvSafe,
		"with --format csv: put ' before a cell that a spreadsheet would take for a formula (it begins with = + - @ "+
			"and is not a number)")
	if plot {
		s.Text("plot", &s.Output.plot,
			"FILE", "file to draw the answer in: .svg, .png or .pdf; - writes SVG to stdout and the answer to stderr")
	}
	return s
}

// PlainFlags starts the flags of a command whose whole answer is a text.
func PlainFlags() *FlagSet { return &FlagSet{Output: &Output{Format: "text"}} }

// check finds what is wrong with the output before anything is computed.
func (o *Output) check() error {
	if o == nil || o.plot == "" || o.plot == "-" {
		return nil
	}
	return plotFormat(o.plot)
}

// print draws and writes an answer. The drawing comes first: when it fails
// there is no answer that a script could take for success. Errors: r.Exit, after all is written;
// those of writing.
func (o *Output) print(ctx context.Context, s *Streams, r *Result) error {
	if r.Raw != "" {
		_, err := io.WriteString(s.out, r.Raw)
		return err
	}
	if r.Write != nil {
		// The command flushes at its end only.
		w := bufio.NewWriterSize(&endingWriter{ctx: ctx, w: s.out}, 1<<16)
		err := r.Write(w)
		if err != nil && ctx.Err() == nil {
			return err
		}
		return cmp.Or(w.Flush(), err) // of a stopped answer the line that it is in
	}
	s.warn(r.Warnings)
	w := s.out
	// An answer that was cut short is shown, but a drawing of it would be kept and be taken for the
	// whole.
	if o.plot != "" && !errors.Is(r.Exit, context.Canceled) {
		if err := o.drawTo(ctx, s, r); err != nil {
			return err
		}
		if o.plot == "-" {
			w = tame(s.Err)
		}
	}
	if !r.Stoppable && !errors.Is(r.Exit, context.Canceled) { // what is finished is still shown
		w = &endingWriter{ctx: ctx, w: w}
	}
	if err := o.write(w, r); err != nil {
		return err
	}
	// A stopped command whose answer is shown ends with the code of an interruption.
	if r.Exit == nil && r.Stoppable && !r.Ended {
		return ctx.Err()
	}
	return r.Exit
}

// An endingWriter writes until the context ends: a long answer is given up like a
// long computation, at the end of a line, and one that has not begun is not begun.
type endingWriter struct {
	ctx    context.Context
	w      io.Writer
	within bool // a line
}

func (e *endingWriter) Write(p []byte) (int, error) {
	err := e.ctx.Err()
	if err != nil {
		// A row that was cut within its last number would be taken for whole.
		if p = p[:bytes.IndexByte(p, '\n')+1]; !e.within {
			return 0, err
		}
	}
	if len(p) > 0 {
		e.within = p[len(p)-1] != '\n'
	}
	n, failed := e.w.Write(p)
	return n, cmp.Or(failed, err)
}

// drawTo draws the first figure of an answer. Where that takes long, as of a
// million points, it ends with the context, and nothing is written. Other figures of the answer are
// for reports.
func (o *Output) drawTo(ctx context.Context, s *Streams, r *Result) error {
	format := "svg"
	if o.plot != "-" {
		format = strings.TrimPrefix(strings.ToLower(filepath.Ext(o.plot)), ".")
	}
	if r.Stoppable { // what is finished is still drawn
		ctx = context.WithoutCancel(ctx)
	}
	drawing, err := parallel.Await(ctx, func() ([]byte, error) {
		figures, err := r.Section.Draw(ctx)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = figures[0].Write(&b, format)
		return b.Bytes(), err
	})
	if why, empty := ask.NothingToDraw(err); empty {
		s.warn([]string{"--plot: nothing is drawn: " + why})
		return nil
	}
	if err != nil {
		return err
	}
	if o.plot == "-" {
		_, err := s.out.Write(drawing)
		return err
	}
	return OutError("plot", o.plot, outfile.Write(o.plot, drawing))
}

// plotFormat checks the suffix of a file before anything is computed for it.
func plotFormat(path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg", ".png", ".pdf":
		return CheckOut("plot", path)
	default:
		return &UsageError{Reason: "--plot: " + spell.Quote(path) +
			" has no format that can be drawn, want a name ending in .svg, .png or .pdf, or - for SVG on stdout"}
	}
}

// write writes an answer whole or not at all. A large one is not held as text
// but written as it is rendered, after a look whether it can be. Half an answer on stdout would be
// taken for one by whoever reads a pipe.
func (o *Output) write(w io.Writer, r *Result) error {
	if o.Format == "csv" && !o.csvSafe && len(r.Section.Data) > 0 && r.Section.Data[0].CSV != nil {
		// Rows that shards keep have been looked at.
		return r.Section.Data[0].Write(w, false)
	}
	// Most answers fit the gate, and are known to render before a byte is written. A larger one is
	// rendered twice: the first attempt shows that it does not fit.
	first := &gate{}
	switch err := o.render(first, r); {
	case err == nil:
		_, err := w.Write(first.text)
		return err
	case !first.full:
		return err
	}
	// JSON can fail in the middle, at a number that is not finite; text and CSV write such a number.
	if o.Format == "json" {
		if err := encodable(reflect.ValueOf(r.Value)); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := o.render(out, r); err != nil {
		return err
	}
	return out.Flush()
}

// A gate takes a text of up to a MiB. A MiB is more than nearly all answers have.
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

// render writes an answer in its format. It may be called twice for one answer, so that it changes
// nothing but how a section is shortened.
func (o *Output) render(w io.Writer, r *Result) error {
	switch o.Format {
	case "json":
		// The rules of encoding/json, as a stream.
		write := func(w io.Writer) error {
			err := json.MarshalWrite(w, r.Value, jsonv1.DefaultOptionsV1(), jsontext.WithIndent("  "),
				jsontext.EscapeForHTML(false))
			// What an answer that writes itself met is the error, and not that it was writing itself.
			var writing *jsonv1.MarshalerError
			if errors.As(err, &writing) && writing.Err != nil {
				return writing.Err
			}
			return err
		}
		// An answer without a field for warnings gets one as the last of its object.
		if len(r.Warnings) > 0 && !r.warn() {
			var object bytes.Buffer
			if err := write(&object); err != nil {
				return err
			}
			text, err := withWarnings(object.Bytes(), r.Warnings)
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
		data := page.Scalars(r.Value)
		if len(r.Section.Data) > 0 {
			data = r.Section.Data[0]
		}
		return data.Write(w, o.csvSafe)
	default:
		if !o.all {
			r.Section.Shorten("--all shows them")
		}
		return r.Section.WriteText(w)
	}
}
