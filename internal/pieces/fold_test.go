package pieces

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// decimal writes numbers.
var decimal = Form[int]{
	Write: func(to []byte, _ int, p int, _ Words) ([]byte, error) {
		return strconv.AppendInt(to, int64(p), 10), nil
	},
	Read: func(_ int, text []byte, _ Said) (int, error) { return strconv.Atoi(string(text)) },
}

func square(_ context.Context, i int) (int, error) { return i * i, nil }

// What is kept and given back in any order of doing comes to the same fold.
func TestFold(t *testing.T) {
	w := Work{Name: "squares", Count: 1000}
	sum := func(ctx context.Context) ([]int, error) {
		var all []int
		err := Fold(ctx, w, decimal, square, func(i, p int) error {
			if i != len(all) {
				return fmt.Errorf("piece %d is taken as number %d", i, len(all))
			}
			all = append(all, p)
			return nil
		})
		return all, err
	}
	plain, err := sum(t.Context())
	if err != nil || len(plain) != w.Count || plain[31] != 961 {
		t.Fatalf("%d partials, %v", len(plain), err)
	}
	m := &memory{}
	if some, err := sum(WithKeeper(t.Context(), m)); !errors.Is(err, ErrKept) || some != nil {
		t.Errorf("kept: %v, %v; want ErrKept and nothing taken", some, err)
	}
	if again, err := sum(WithGiver(t.Context(), m)); err != nil || !slices.Equal(again, plain) {
		t.Errorf("given back: %v, want the same partials", err)
	}
	m.texts[17] = []byte("seventeen")
	if _, err := sum(WithGiver(t.Context(), m)); err == nil {
		t.Error("a piece that cannot be read is no error")
	}
}

// What was kept can be looked at in any order, and then be gone through as often as
// is wanted.
func TestSkimAndAgain(t *testing.T) {
	w := Work{Name: "squares", Count: 1000}
	m := &memory{}
	if err := Fold(WithKeeper(t.Context(), m), w, decimal, square, nil); !errors.Is(err, ErrKept) {
		t.Fatal(err)
	}
	given := WithGiver(t.Context(), m)
	if !Given(given) || Given(WithKeeper(t.Context(), m)) || Given(t.Context()) {
		t.Error("pieces are given where there is a giver, and only there")
	}
	seen := map[int]string{}
	if err := Skim(given, w, func(k Kept) error { seen[k.Index] = string(k.Text); return nil }); err != nil || len(seen) != w.Count || seen[31] != "961" {
		t.Errorf("%d pieces, %v", len(seen), err)
	}
	for range 2 {
		var all []string
		err := Again(given, w, func(some []Kept) (string, error) {
			text := ""
			for _, k := range some {
				text += string(k.Text) + " "
			}
			return text, nil
		}, func(text string) error { all = append(all, text); return nil })
		if fields := strings.Fields(strings.Join(all, "")); err != nil || len(fields) != w.Count || fields[31] != "961" || fields[999] != "998001" {
			t.Errorf("%d pieces, %v", len(fields), err)
		}
	}
}

// Inside a piece nothing is parted.
func TestFoldInside(t *testing.T) {
	w := Work{Name: "outer", Count: 3}
	m := &memory{}
	err := Fold(WithKeeper(t.Context(), m), w, decimal, func(ctx context.Context, i int) (int, error) {
		if Parted(ctx) {
			return 0, errors.New("parted inside")
		}
		total := 0
		err := Fold(ctx, Work{Count: i}, decimal, square, func(_, p int) error { total += p; return nil })
		return total, err
	}, nil)
	if !errors.Is(err, ErrKept) || string(m.texts[2]) != "1" {
		t.Errorf("%q, %v", m.texts, err)
	}
}

// The error is that of the least piece, and all before it were taken.
func TestFoldFails(t *testing.T) {
	taken := 0
	err := Fold(t.Context(), Work{Count: 100}, decimal, func(_ context.Context, i int) (int, error) {
		if i >= 40 {
			return 0, fmt.Errorf("no %d", i)
		}
		return i, nil
	}, func(int, int) error { taken++; return nil })
	if err == nil || err.Error() != "no 40" || taken != 40 {
		t.Errorf("%d taken, %v; want 40 and no 40", taken, err)
	}
	full := errors.New("full")
	err = Fold(t.Context(), Work{Count: 100}, decimal, square, func(i, _ int) error {
		if i == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Errorf("%v, want that of the one who takes", err)
	}
}

// memory keeps all pieces, from the last to the first, and gives them back.
type memory struct{ texts [][]byte }

func (m *memory) Keep(_ context.Context, w Work, do func(i int) (Write, error)) error {
	m.texts = make([][]byte, w.Count)
	for i := w.Count - 1; i >= 0; i-- {
		write, err := do(i)
		if err != nil {
			return err
		}
		if m.texts[i], err = write(nil, nil); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Skim(_ context.Context, w Work, look func(Kept) error) error {
	for i := w.Count - 1; i >= 0; i-- {
		if err := look(Kept{Index: i, Text: m.texts[i]}); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Again(ctx context.Context, w Work, some func([]Kept) error) error {
	return m.Give(ctx, w, some)
}

func (m *memory) Give(_ context.Context, w Work, some func([]Kept) error) error {
	for first := 0; first < w.Count; first += 300 {
		var part []Kept
		for i := first; i < min(first+300, w.Count); i++ {
			part = append(part, Kept{Index: i, Text: m.texts[i]})
		}
		if err := some(part); err != nil {
			return err
		}
	}
	return nil
}
