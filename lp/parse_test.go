package lp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// The same model in three formats; the fixed one has blanks in its names, on
// which the free format stumbles.
func TestParse(t *testing.T) {
	want := &Model{Maximize: true, Variables: []Variable{{Name: "x", Cost: 3, Upper: 3}, {Name: "y", Cost: 2, Upper: inf, Integer: true}},
		Rows: []Row{{"c", -inf, 4, []Term{{0, 1}, {1, 2}}}}}
	for format, write := range map[string]func(*strings.Builder) error{
		"lp":    func(b *strings.Builder) error { return WriteLP(b, want) },
		"free":  func(b *strings.Builder) error { return WriteMPS(b, want, FreeMPS) },
		"fixed": func(b *strings.Builder) error { return WriteMPS(b, want, FixedMPS) },
	} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := Parse(context.Background(), []byte("\n"+b.String()))
		if err != nil || !reflect.DeepEqual(got.Variables, want.Variables) || !reflect.DeepEqual(got.Rows, want.Rows) || !got.Maximize {
			t.Errorf("%s: %+v, %v\n%s", format, got, err, b.String())
		}
	}
	fixed := "NAME          two words\nROWS\n N  cost\n L  row one\nCOLUMNS\n    x one     cost               1.0   row one            2.0\nRHS\n    RHS       row one            4.0\nENDATA\n"
	m, err := Parse(context.Background(), []byte(fixed))
	if err != nil || m.Variables[0].Name != "x one" || m.Rows[0].Upper != 4 {
		t.Errorf("fixed: %+v, %v", m, err)
	}
}

// Errors name the column of the word and hold the line.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]SyntaxError{
		"NAME\nROWS\n N c\n L r\nCOLUMNS\n x c 1 q 1\nENDATA\n":   {Line: 6, Column: 8, Text: " x c 1 q 1"},
		"NAME\nROWS\n N c\n L r\nCOLUMNS\n c c 1 r 1e\nENDATA\n":  {Line: 6, Column: 10, Text: " c c 1 r 1e"},
		"Minimize\n x\nSubject To\n  c: x ? 3\nEnd\n":             {Line: 4, Column: 8, Text: "  c: x ? 3"},
		"Minimize\n x\nSubject To\n  c: x <= y\nEnd\n":            {Line: 4, Column: 3, Text: "  c: x <= y"},
		"Minimize\n x\nSubject To\n  c: x + <= 4\n\nEnd\n":        {Line: 4, Column: 10, Text: "  c: x + <= 4"},
		"Minimize\n x\nSubject To\n c: x <= 3\n c: x >= 1\nEnd\n": {Line: 5, Column: 2, Text: " c: x >= 1"},
		"x\n": {Line: 1, Column: 1, Text: "x"},
		"":    {Line: 1, Column: 1},
	} {
		_, err := Parse(context.Background(), []byte(text))
		var e *SyntaxError
		if !errors.As(err, &e) || e.Line != want.Line || e.Column != want.Column || e.Text != want.Text {
			t.Errorf("%q: err = %v (%+v), want %+v", text, err, e, want)
		}
		var model *ModelError
		if !errors.As(err, &model) {
			t.Errorf("%q: no *ModelError", text)
		}
	}
	if _, err := ReadLP(strings.NewReader("Minimize\n x" + strings.Repeat(" ", maxLine) + "\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("long line: err = %v", err)
	}
}

// FuzzParse: no text makes it panic, and what it reads is a model.
func FuzzParse(f *testing.F) {
	f.Add([]byte("NAME t\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\nRHS\n R r 4\nENDATA\n"))
	f.Add([]byte("max\n x\nst\n c: x + 2 y <= 4\nEnd\n"))
	f.Add([]byte("\\ note\nMinimize\n x\nBounds\n x free\nEnd"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(context.Background(), text)
		if (m == nil) == (err == nil) {
			t.Fatalf("model %v, error %v", m, err)
		}
		if m != nil && m.Check() != nil {
			t.Fatal(m.Check())
		}
	})
}

// manyCoefficients is a model of 30 MB: lines of 5000 terms, no variable twice
// in a row.
func manyCoefficients() string {
	var sum strings.Builder
	sum.WriteString("Min\n x\nst\n c: x\n")
	for i := range 1001 {
		if fmt.Fprintf(&sum, " >= 1\n c%d: x\n", i); i > 0 {
			for j := range 5000 {
				fmt.Fprintf(&sum, "+y%d", j)
			}
		}
	}
	sum.WriteString(" >= 1\nEnd\n")
	return sum.String()
}

// A file that would become a large model is refused where it grows too large,
// and reading ends with its context.
func TestParseBounds(t *testing.T) {
	if overfull(maxFileNames+1, 0) == "" || overfull(0, maxFileCoefficients+1) == "" || overfull(maxFileNames, maxFileCoefficients) != "" {
		t.Error("the bounds are others")
	}
	tooMany := func(head, line string) string {
		text := []byte(head)
		for i := range maxFileNames + 1 {
			text = fmt.Appendf(text, line, i)
		}
		return string(text)
	}
	texts := map[string]string{tooMany("Min\n x\nBinary\n", " y%d"): "rows and variables"}
	if longtest.Wanted() {
		texts[tooMany("Min\n x\nBounds\n", " 0 <= y%d <= 1\n")] = "rows and variables"
		texts[tooMany("NAME a\nROWS\n N c\n", " L r%d\n")] = "rows and variables"
		texts[manyCoefficients()] = "coefficients"
	}
	for text, want := range texts {
		var syntax *SyntaxError
		if _, err := Parse(context.Background(), []byte(text)); !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) || syntax.Line == 0 {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Parse(ended, []byte(text)); !errors.Is(err, context.Canceled) {
			t.Errorf("%.40q, ended: %v", text, err)
		}
	}
}

// cutContext ends after so many looks at it.
type cutContext struct {
	context.Context
	looks int
}

func (c *cutContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A stop while a file is read is no fault of the file, and what was read of it until
// then no model, wherever it cuts a line.
func TestParseStops(t *testing.T) {
	long := &Model{}
	for i := range 20000 {
		long.Variables = append(long.Variables, Variable{Name: fmt.Sprintf("variable%d", i), Cost: 1, Upper: 9})
		long.Rows = append(long.Rows, Row{Name: fmt.Sprintf("row%d", i), Lower: 1, Upper: 5, Terms: []Term{{i, 2}}})
	}
	var mps, text bytes.Buffer
	if err := errors.Join(WriteMPS(&mps, long, FreeMPS), WriteLP(&text, long)); err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{mps.Bytes(), text.Bytes()} {
		for looks := range 4 {
			m, err := Parse(&cutContext{t.Context(), looks}, file)
			if m != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%.4q, after %d looks: %v", file, looks, err)
			}
		}
	}
}

// Programs without an infinity write 1e30 for it, and CPLEX and HiGHS take 1e20 and
// more for none: the answer is no optimum of 1e30.
func TestFarBoundsAreNone(t *testing.T) {
	const mps = `NAME
ROWS
 N COST
 L FREE
 G TIED
 E SPAN
 E FIXED
COLUMNS
 X COST -1 TIED 1
 X FREE 1 SPAN 1
 Y COST 1 FIXED 1
RHS
 RHS FREE 1e30 TIED -1e20
 RHS SPAN 2 FIXED 1e21
RANGES
 RNG SPAN 1e30
BOUNDS
 UP BND X 1e30
 LO BND Y -1e30
ENDATA
`
	const text = "min\n - X + Y\nst\n FREE: X <= 1e30\n TIED: -1e20 <= X <= 1e31\n SPAN: 2 <= X <= 1e30\n" +
		" FIXED: Y = 1e21\nbounds\n X <= 1e30\n Y >= -1e30\nend\n"
	for _, file := range []string{mps, text} {
		m, err := Parse(context.Background(), []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.Variables {
			if v.Upper != inf || (v.Name == "Y") != (v.Lower == -inf) {
				t.Errorf("variable %s within %v..%v", v.Name, v.Lower, v.Upper)
			}
		}
		want := map[string][2]float64{"FREE": {-inf, inf}, "TIED": {-inf, inf}, "SPAN": {2, inf}, "FIXED": {1e21, 1e21}}
		for _, r := range m.Rows {
			if got := [2]float64{r.Lower, r.Upper}; got != want[r.Name] {
				t.Errorf("row %s within %v, want %v", r.Name, got, want[r.Name])
			}
		}
	}
}

// A file may begin with a line of more blanks than are looked at: it panicked.
func TestParseBlanks(t *testing.T) {
	for _, blanks := range []string{strings.Repeat(" ", 1000), strings.Repeat("\v", 2000)} {
		if _, err := Parse(context.Background(), []byte(blanks+"NAME\nROWS\nENDATA\n")); err == nil {
			t.Errorf("%d blanks and a name: no error", len(blanks))
		}
	}
}
