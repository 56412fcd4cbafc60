package ask

import (
	"strings"
	"testing"
)

// Every reader is told fields by the names that he gives them, also those in a reason.
func TestNamed(t *testing.T) {
	e := Inputf("with", "is %d%%, which belongs to a deadline such as %s 8h", 95, FieldName("by"))
	const plain = "with: is 95%, which belongs to a deadline such as by 8h"
	if got := e.Error(); got != plain {
		t.Errorf("%q, want %q", got, plain)
	}
	flag := e.Named(func(field string) string { return "--" + field })
	if got, want := flag.Error(), "--with: is 95%, which belongs to a deadline such as --by 8h"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := In("bag", e).Error(), "bag.with: is 95%, which belongs to a deadline such as bag.by 8h"; got != want {
		t.Errorf("in a part: %q, want %q", got, want)
	}
	if got := e.Named(nil).Error(); got != plain {
		t.Errorf("by no names %q, want %q", got, plain)
	}
	if got := e.Error(); got != plain {
		t.Errorf("afterwards %q, want %q", got, plain)
	}
	both := (&InputError{Field: "up", With: "hosts", Reason: "both given"}).Named(func(f string) string { return "-" + f })
	if got, want := both.Error(), "-hosts and -up contradict each other: both given"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (&InputError{Reason: "no question"}).Named(func(string) string { return "x" }).Error(), "no question"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Fields in a format are written as the reader calls them, and what a question holds
// is never taken for one.
func TestFieldsInBraces(t *testing.T) {
	e := Inputf("percentile", "only used with {max_wait}, not %s of 5%%", "{load}")
	if got, want := e.Error(), "percentile: only used with max_wait, not {load} of 5%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	named := e.Named(func(field string) string { return "--" + strings.ReplaceAll(field, "_", "-") })
	if got, want := named.Error(), "--percentile: only used with --max-wait, not {load} of 5%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := In("size", e).Error(), "size.percentile: only used with size.max_wait, not {load} of 5%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	odd := e.Named(func(field string) string { return "100%s " + field })
	if got, want := odd.Reason, "only used with 100%s max_wait, not {load} of 5%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
