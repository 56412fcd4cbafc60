package lp

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sortTerms brings the terms of every row into the order of the variables.
func sortTerms(m *Model) {
	for i := range m.Rows {
		slices.SortFunc(m.Rows[i].Terms, func(a, b Term) int { return a.Variable - b.Variable })
	}
}

func TestLPRoundTrip(t *testing.T) {
	var text bytes.Buffer
	if err := WriteLP(&text, sampler()); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLP(strings.NewReader(text.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	want := sampler()
	want.Name = ""
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%s", got, text.String())
	}
}

func TestReadLPByHand(t *testing.T) {
	got, err := ReadLP(strings.NewReader(`\ a comment
Maximize
 obj: x1 + 2 x2 + 3x3 + x4 - 7
Subject To
 c1: - x1 + x2 + x3 + 10 x4 <= 20
 x1 - 3 x2 + x3 + x1 =< 30
 c3: 2 <= x2 - 3.5 x4
 c4: -1 <= x1 + x3 <= 1e1
Bounds
 x1 <= 40
 2 <= x4 <= 3
 x3 free
 -inf <= x2 <= 5
General
 x4
Binary
 b
End
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Model{
		Maximize: true, Offset: -7,
		Variables: []Variable{
			{Name: "x1", Cost: 1, Upper: 40}, {Name: "x2", Cost: 2, Lower: -inf, Upper: 5}, {Name: "x3", Cost: 3, Lower: -inf, Upper: inf},
			{Name: "x4", Cost: 1, Lower: 2, Upper: 3, Integer: true}, {Name: "b", Upper: 1, Integer: true},
		},
		Rows: []Row{
			{"c1", -inf, 20, []Term{{0, -1}, {1, 1}, {2, 1}, {3, 10}}},
			{"", -inf, 30, []Term{{0, 2}, {1, -3}, {2, 1}}},
			{"c3", 2, inf, []Term{{1, 1}, {3, -3.5}}},
			{"c4", -1, 10, []Term{{0, 1}, {2, 1}}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestReadLPErrorsNameTheLine(t *testing.T) {
	head := "Minimize\n obj: x\nSubject To\n"
	for text, place := range map[string]string{
		"":                          "line 1",
		"Subject To\n":              "line 1",
		head + " c: x + y\nEnd\n":   "line 5",
		head + " c: 1 <= 2\nEnd\n":  "line 4",
		head + " c: x <= y\nEnd\n":  "line 4",
		head + " c: x * y <= 1\n":   "line 4",
		head + " c: x <=> 1\n":      "line 4",
		head + " c: x <= 1\n":       "line 4",
		head + "Bounds\n x <= -inf": "line 5",
		head + "SOS\n":              "line 4",
		head + "Minimize\n x\n":     "line 4",
		head + " 1 <= x >= 2\nEnd":  "line 4",

		head + " c: y >= 1\n d: inf x + y >= 2\nEnd":          "line 5",
		head + " c: 1e308 x + y + 1e308 x >= 2\nEnd":          "line 4",
		head + " c: x + inf >= 2\nEnd":                        "line 4",
		head + " c: x >= inf\nEnd":                            "line 4",
		head + " c: -inf <= x <= -inf\nEnd":                   "line 4",
		"Minimize\n inf x\nSubject To\n c: x >= 1\nEnd":       "line 2",
		"Minimize\n x + inf\nSubject To\n c: x >= 1\nEnd":     "line 2",
		"Minimize\n obj: 3 x - inf x\nSubject To\n x>=1\nEnd": "line 2",
	} {
		_, err := ReadLP(strings.NewReader(text))
		var e *ModelError
		if !errors.As(err, &e) || e.Place != place {
			t.Errorf("%q: err = %v, want an error at %s", text, err, place)
		}
	}
}

func TestNamesTheFormatCannotHold(t *testing.T) {
	for _, name := range []string{"1x", "a b", "e12", "End", "free", "a*b", ".x"} {
		m := &Model{Variables: []Variable{{Name: name, Upper: 1}}}
		var e *ModelError
		if err := WriteLP(&bytes.Buffer{}, m); !errors.As(err, &e) {
			t.Errorf("%q: err = %v", name, err)
		}
	}
}

func FuzzReadLP(f *testing.F) {
	var text bytes.Buffer
	if err := WriteLP(&text, sampler()); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add("min\nst\n1<=x<=2\nend")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadLP(strings.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if WriteLP(&out, m) != nil {
			return // a name met in a place where it cannot be written
		}
		again, err := ReadLP(strings.NewReader(out.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		// Names made up for rows that had none, and zero costs in order.
		for i := range m.Rows {
			m.Rows[i].Name, again.Rows[i].Name = "", ""
		}
		sortTerms(m)
		sortTerms(again)
		if !reflect.DeepEqual(m, again) {
			t.Fatalf("%+v\n%+v\n%s", m, again, out.String())
		}
	})
}
