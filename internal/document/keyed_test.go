package document

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A looked is a list that counts how often it is looked through.
type looked struct {
	names []string
	times int
	value int
}

func (l *looked) Has(name []byte) bool {
	l.times++
	return slices.Contains(l.names, string(name))
}
func (l *looked) Names() []string { return l.names }
func (l *looked) Add(name string) reflect.Value {
	l.names = append(l.names, name)
	return reflect.ValueOf(&l.value).Elem()
}
func (*looked) Elem() reflect.Type { return reflect.TypeFor[int]() }

// Names that come again are found among few and many, and a long list is not looked
// through for each of its names: 60,000 took 4 s.
func TestNamesOfLongLists(t *testing.T) {
	for _, n := range []int{1, 2, fewNames - 1, fewNames, fewNames + 1, 5000} {
		for _, again := range []int{-1, 0, n / 2, n - 1} {
			l := &looked{}
			names := NamesOf(l)
			for i := range n {
				name := fmt.Sprint("n", i)
				if names.Has([]byte(name)) {
					t.Fatalf("%d: %s is not there", n, name)
				}
				l.Add(name)
			}
			want := again >= 0
			if got := names.Has([]byte(fmt.Sprint("n", again))); got != want {
				t.Errorf("%d: n%d: %v, want %v", n, again, got, want)
			}
			if l.times > fewNames {
				t.Errorf("%d: looked through %d times", n, l.times)
			}
		}
	}
	l := &looked{}
	text := "{" + strings.Repeat(`"a":{},`, 1) + `"a":{}}`
	if err := NewFill(strings.NewReader(text)).Value(&FillPlan{Kind: FillByName, Elem: &FillPlan{Kind: FillText}}, reflect.ValueOf(l).Elem()); err == nil {
		t.Error("a name twice was read")
	}
}
