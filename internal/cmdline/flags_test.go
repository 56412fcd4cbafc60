package cmdline

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/units"
)

// Flags of each kind tell whether they were given, a field keeps its default where its flag is not, and
// a value beyond a bound or beyond the field is refused with the flag's name.
func TestFlagsIntoQuestions(t *testing.T) {
	type question struct {
		runs, days int
		seed       uint64
		share      float64
		law        string
		names      []string
		file       string
		all        bool
		price      *float64
	}
	asked := func(args map[string]string) (*FlagSet, *question, error) {
		q := &question{days: 90, law: "all"}
		s := NewFlags(false)
		Into[units.Count](s, "runs", &q.runs, "N", "of it", Within(1, 1e6, "1 to 1,000,000 runs"))
		Into[units.Count](s, "days", &q.days, "N", "of it")
		Into[units.Fraction](s, "share", &q.share, "P", "of it", Above0("a share such as 5%"))
		Seed(s, &q.seed, "of it")
		OneOf(s, "law", &q.law, "`LAW` of it", nil, "all", "one")
		s.Repeated("name", &q.names, "a name", "of it")
		s.Text("file", &q.file, "FILE", "of it")
		s.Toggle("all", &q.all, "of it")
		Number[units.Number](s, "price", &q.price, "X", "of it")
		for name, text := range args {
			if err := s.assign(name, text); err != nil {
				return s, q, err
			}
		}
		return s, q, nil
	}
	s, q, err := asked(nil)
	if err != nil || q.seed != 1 || q.days != 90 || q.runs != 0 || q.share != 0 {
		t.Fatalf("nothing given: %+v, %v", *q, err)
	}
	given := map[string]string{"runs": "7", "days": "3", "share": "5%", "seed": "1", "law": "one", "name": "a",
		"file": "f", "all": "true", "price": "0"}
	for name := range given {
		if s.Gave(name) {
			t.Errorf("--%s is told to be given", name)
		}
	}
	if s, q, err = asked(given); err != nil {
		t.Fatal(err)
	}
	for name := range given {
		if !s.Gave(name) {
			t.Errorf("--%s %s is told not to be given", name, given[name])
		}
		if err := s.Misplaced("belongs elsewhere", name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("--%s misplaced: %v", name, err)
		}
	}
	if q.runs != 7 || q.days != 3 || q.share != .05 || q.seed != 1 || q.law != "one" || *q.price != 0 {
		t.Errorf("read %+v", *q)
	}
	for _, c := range [][3]string{
		{"runs", "0", "want 1 to 1,000,000 runs"},
		{"runs", "1000001", "want 1 to 1,000,000 runs"},
		{"share", "0", "is 0, want a share such as 5%"},
		{"law", "onne", "did you mean"},
	} {
		_, _, err := asked(map[string]string{c[0]: c[1]})
		if err == nil || !strings.Contains(err.Error(), c[0]) || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("--%s %s: %v", c[0], c[1], err)
		}
	}
	// A field narrower than a count stands for the int of a machine of 32 bits.
	var narrow int32
	n := NewFlags(false)
	Into[units.Count](n, "runs", &narrow, "N", "of it")
	if err := n.assign("runs", "4294967297"); err == nil || narrow != 0 {
		t.Errorf("2^32+1 fits 32 bits: %d, %v", narrow, err)
	}
}
