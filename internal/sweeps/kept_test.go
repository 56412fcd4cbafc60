package sweeps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/report/page"
)

// memory gives back what it keeps, as a folder of shards does.
type memory struct {
	texts [][]byte
	said  notes
}

func (m *memory) Keep(_ context.Context, w pieces.Work, do func(i int) (pieces.Write, error)) error {
	m.texts = make([][]byte, w.Count)
	for i := w.Count - 1; i >= 0; i-- {
		write, err := do(i)
		if err != nil {
			return err
		}
		if m.texts[i], err = write(nil, &m.said); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Skim(_ context.Context, w pieces.Work, look func(pieces.Kept) error) error {
	for i := w.Count - 1; i >= 0; i-- {
		if err := look(pieces.Kept{Index: i, Text: m.texts[i], Said: &m.said}); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Give(_ context.Context, w pieces.Work, some func([]pieces.Kept) error) error {
	var all []pieces.Kept
	for i := range w.Count {
		all = append(all, pieces.Kept{Index: i, Text: m.texts[i], Said: &m.said})
	}
	return some(all)
}

func (m *memory) Again(ctx context.Context, w pieces.Work, some func([]pieces.Kept) error) error {
	return m.Give(ctx, w, some)
}

// Rows that shards keep are shown as those in memory are, whatever is in them: some
// infeasible, some with other columns than the first.
func TestKeptIsHeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "0", "1.5", "NaN", `\.`, `a"b`, "a,b", "a\r\nb", "é", "\u2028", "<&>"}))
		n := rapid.IntRange(1, 6).Draw(t, "points")
		s := &Sweep{Command: "drawn", Axes: []Axis{{Flag: "x", Values: rapid.SliceOfN(word, n, n).Draw(t, "x")}, {Flag: "y", Values: []string{"1", "2"}}}}
		answers := make([]Row, 2*n)
		columns := [][]string{{"a", "b"}, {"b", "c", "a"}, {}}
		for i := range answers {
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				answers[i].Infeasible = "since " + word.Draw(t, "reason")
				continue
			}
			names := rapid.SampledFrom(columns).Draw(t, "columns")
			answers[i].Answer(names, rapid.SliceOfN(word, len(names), len(names)).Draw(t, "cells"))
		}
		s.Answer = func(_ context.Context, i int, r *Row) ([]string, error) {
			r.names, r.packed, r.Infeasible = answers[i].names, answers[i].packed, answers[i].Infeasible
			if i%3 == 0 {
				return []string{fmt.Sprintf("point %d", i)}, nil
			}
			return nil, nil
		}
		view := &View{Command: s.Command, Axes: s.Axes, Unit: func(string) string { return "" }}
		promised := func() []string { return []string{"a"} }
		shown := func(names []string, rows Rows) string {
			section, err := view.Section(names, rows)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			for _, safe := range []bool{false, true} {
				if err := section.Data[0].Write(&b, safe); err != nil {
					t.Fatal(err)
				}
			}
			if err := section.WriteText(&b); err != nil {
				t.Fatal(err)
			}
			_, err = section.Draws(t.Context())
			return b.String() + fmt.Sprint(err)
		}
		grid, err := NewGrid(s.Axes)
		if err != nil {
			t.Fatal(err)
		}
		var heard Warnings
		s.Warned = heard.Add
		rows, err := grid.Rows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if k, err := s.Run(t.Context(), rows, nil); k != len(rows) || err != nil {
			t.Fatal(k, err)
		}
		names := Columns(rows)
		if names == nil {
			names = promised()
		}
		for i := range rows {
			rows[i].Fill(names)
		}
		want, wantHeard := shown(names, Held(rows)), heard.Texts()
		m := &memory{}
		if err := s.Shard(pieces.WithKeeper(t.Context(), m), grid); !errors.Is(err, pieces.ErrKept) {
			t.Fatal(err)
		}
		heard = Warnings{}
		s.Warned = heard.Add
		kept, err := s.Kept(pieces.WithGiver(t.Context(), m), grid, promised)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, shown(kept.Names(), kept)); d != "" || !slices.Equal(wantHeard, heard.Texts()) {
			t.Errorf("%s\nwarns %q, want %q", d, heard.Texts(), wantHeard)
		}
		inJSON := func(rows Rows) string {
			text, err := json.Marshal(NewAnswer("x", s.Axes, rows))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if kept, held := inJSON(kept), inJSON(Held(rows)); kept != held {
			t.Errorf("kept rows are %s, want %s", kept, held)
		}
	})
}

// A row that is not as it was written is refused in each walk.
func TestKeptRefuses(t *testing.T) {
	s := &Sweep{Axes: []Axis{{Flag: "x", Values: []string{"1"}}}}
	grid, err := NewGrid(s.Axes)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`[0,[],"1"]`, `[0,[],"1","2"]]`, `[0,[],"1","\x"]`, `[0,[],"1","2`, `[-1,[]]`} {
		m := &memory{texts: [][]byte{[]byte(text)}, said: notes{`["a","b"]`}}
		k, err := s.Kept(pieces.WithGiver(t.Context(), m), grid, func() []string { return nil })
		if err != nil {
			continue
		}
		if _, err := (&View{Axes: s.Axes}).Section(k.Names(), k); err == nil {
			t.Errorf("%s is shown", text)
		}
		if err := (&page.Data{CSV: k.WriteCSV}).Write(new(strings.Builder), false); err == nil {
			t.Errorf("%s is written", text)
		}
	}
	m := &memory{texts: [][]byte{[]byte(`{}`)}}
	if _, err := s.Kept(pieces.WithGiver(t.Context(), m), grid, func() []string { return nil }); err == nil {
		t.Error("what is no row is taken")
	}
}
