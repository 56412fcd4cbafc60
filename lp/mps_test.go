package lp

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

var inf = math.Inf(1)

// sampler is a model with everything the formats can say.
func sampler() *Model {
	return &Model{
		Name: "sampler", Maximize: true, Offset: 2.5,
		Variables: []Variable{
			{Name: "x", Cost: 1, Lower: 0, Upper: inf},
			{Name: "y", Cost: -2.25, Lower: -inf, Upper: inf},
			{Name: "z", Cost: 0, Lower: -inf, Upper: -1},
			{Name: "n", Cost: 3, Lower: 0, Upper: inf, Integer: true},
			{Name: "b", Cost: 1e-5, Lower: 0, Upper: 1, Integer: true},
			{Name: "f", Cost: 1, Lower: 4, Upper: 4},
			{Name: "u", Cost: 0, Lower: -3, Upper: 1e6},
		},
		Rows: []Row{
			{Name: "c1", Lower: -inf, Upper: 10, Terms: []Term{{0, 1}, {1, 1}, {3, 2}}},
			{Name: "c2", Lower: -5, Upper: 5, Terms: []Term{{1, -1}, {2, 3}}},
			{Name: "c3", Lower: 7, Upper: inf, Terms: []Term{{0, 1}, {6, 0.5}}},
			{Name: "c4", Lower: 3, Upper: 3, Terms: []Term{{3, 1}, {4, -1}}},
		},
	}
}

func TestMPSRoundTrip(t *testing.T) {
	for _, format := range []MPSFormat{FreeMPS, FixedMPS} {
		var text bytes.Buffer
		if err := WriteMPS(&text, sampler(), format); err != nil {
			t.Fatal(err)
		}
		for _, as := range []MPSFormat{format, FreeMPS} {
			got, err := ReadMPS(strings.NewReader(text.String()), as)
			if err != nil {
				t.Fatalf("%v\n%s", err, text.String())
			}
			if !reflect.DeepEqual(got, sampler()) {
				t.Errorf("format %v read as %v: %+v\n%s", format, as, got, text.String())
			}
		}
	}
}

func TestReadMPSByHand(t *testing.T) {
	text := `* a comment
NAME          TESTPROB
ROWS
 N  COST
 N  OTHER
 L  LIM1
 G  LIM2
 E  MYEQN
COLUMNS
    XONE      COST         1.0   LIM1         1.0
    XONE      LIM2         1.0   OTHER        9.0
    MARKER    'MARKER'                 'INTORG'
    YTWO      COST         2.0   LIM1         1.0
    YTWO      MYEQN       -1.0
    MARKER    'MARKER'                 'INTEND'
    ZTHREE    COST       -1.0D0  MYEQN        1.0
RHS
    RHS       LIM1         4.0   LIM2         1.0
    RHS       MYEQN        7.0   COST        -3.0
RANGES
    RNG       LIM1         2.5   MYEQN       -4.0
BOUNDS
 UP BND       XONE         4.0
 LO BND       YTWO        -1.0
 UP BND       YTWO         1.0
ENDATA
`
	want := &Model{
		Name: "TESTPROB", Offset: 3,
		Variables: []Variable{
			{Name: "XONE", Cost: 1, Upper: 4}, {Name: "YTWO", Cost: 2, Lower: -1, Upper: 1, Integer: true}, {Name: "ZTHREE", Cost: -1, Upper: inf},
		},
		Rows: []Row{
			{"LIM1", 1.5, 4, []Term{{0, 1}, {1, 1}}},
			{"LIM2", 1, inf, []Term{{0, 1}}},
			{"MYEQN", 3, 7, []Term{{1, -1}, {2, 1}}},
		},
	}
	for _, format := range []MPSFormat{FixedMPS, FreeMPS} {
		if format == FixedMPS {
			// In the fixed format numbers end at column 36 or 61.
			text := strings.ReplaceAll(text, "-1.0D0  M", "-1.0D0   M")
			got, err := ReadMPS(strings.NewReader(text), FreeMPS)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v: %+v", err, got)
			}
			continue
		}
		got, err := ReadMPS(strings.NewReader(text), format)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v", err, got)
		}
	}
}

func TestReadMPSErrorsNameTheLine(t *testing.T) {
	head := "NAME\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\n"
	for text, place := range map[string]string{
		"":                              "line 1",
		"ROWS\n X r\n":                  "line 2",
		"ROWS\n L r\n L r\n":            "line 3",
		"FOO\n":                         "line 1",
		" x y\n":                        "line 1",
		head + " x r 2\n":               "line 7",
		head + " x z 2\n":               "line 7",
		head + " x r abc\n":             "line 7",
		head + " y r inf\n":             "line 7",
		head + " y r 1\n x c 1\n":       "line 8",
		head + "RHS\n r\n":              "line 8",
		head + "RANGES\n c 1\n":         "line 8",
		head + "BOUNDS\n ZZ b x 1\n":    "line 8",
		head + "BOUNDS\n UP b y 1\n":    "line 8",
		head + "BOUNDS\n LO b x inf\n":  "line 8",
		head + "OBJSENSE\n SIDEWAYS\n":  "line 8",
		head + " M 'MARKER' 'SOSORG'\n": "line 7",
		head + "BOUNDS\n UP b x nan\n":  "line 8",
	} {
		_, err := ReadMPS(strings.NewReader(text), FreeMPS)
		var e *ModelError
		if !errors.As(err, &e) || e.Place != place {
			t.Errorf("%q: err = %v, want an error at %s", text, err, place)
		}
	}
}

func TestReadFixedMPSLosesNoText(t *testing.T) {
	head := "NAME\nROWS\n N  c\n L  r\nCOLUMNS\n"
	for text, place := range map[string]string{
		head + "   x      r                  2\n": "line 6, column 4",
		head + "    x        r               2\n": "line 6, column 14",
		head + "              r              2\n": "line 6",
		"ROWS\n L  r\n L            r\n":          "line 3",
	} {
		_, err := ReadMPS(strings.NewReader(text), FixedMPS)
		var e *SyntaxError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), place) {
			t.Errorf("%q: err = %v, want an error at %s", text, err, place)
		}
	}
}

func FuzzReadMPS(f *testing.F) {
	for _, format := range []MPSFormat{FreeMPS, FixedMPS} {
		var text bytes.Buffer
		if err := WriteMPS(&text, sampler(), format); err != nil {
			f.Fatal(err)
		}
		f.Add(text.String(), format == FixedMPS)
	}
	f.Fuzz(func(t *testing.T, text string, fixed bool) {
		format := FreeMPS
		if fixed {
			format = FixedMPS
		}
		m, err := ReadMPS(strings.NewReader(text), format)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if WriteMPS(&out, m, FreeMPS) != nil {
			return // a name that only the fixed format can hold
		}
		again, err := ReadMPS(&out, FreeMPS)
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		m.Name, again.Name = "", ""
		sortTerms(m)
		sortTerms(again)
		if !reflect.DeepEqual(m, again) {
			t.Fatalf("%+v\n%+v", m, again)
		}
	})
}
