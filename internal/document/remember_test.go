package document

import (
	"context"
	"strings"
	"sync"
	"testing"
)

// A large document that is read again in a context that remembers is held once, by
// its content; small ones, others and those outside of it are read anew.
func TestRemember(t *testing.T) {
	large := func(item string) string {
		return "list:\n" + strings.Repeat("- "+item+"\r\n# "+strings.Repeat("-", 1000)+"\r\n", 1500)
	}
	read := func(ctx context.Context, name, text string) *Node {
		t.Helper()
		d, err := Read(ctx, name, "a list", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(d.Content), "\r") {
			t.Error("the content is not that of the parser")
		}
		return d.Root
	}
	ctx := Remember(t.Context())
	var wait sync.WaitGroup
	roots := make([]*Node, 4)
	for i := range roots {
		wait.Go(func() { roots[i] = read(ctx, "a", large("x")) })
	}
	wait.Wait()
	for _, r := range roots {
		if r != roots[0] {
			t.Error("parsed twice")
		}
	}
	other := read(ctx, "a", large("y"))
	if other == roots[0] || other.Field("list").Item(0).Text != "y" {
		t.Error("of another content")
	}
	if read(ctx, "b", large("y")) == other {
		t.Error("of another name, by which errors go")
	}
	small := "list: [x]\n"
	if first, again := read(ctx, "a", small), read(ctx, "a", small); first == again {
		t.Error("a small one was remembered")
	}
	if first, again := read(t.Context(), "a", large("y")), read(t.Context(), "a", large("y")); first == again {
		t.Error("remembered without a memory")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Read(done, "a", "", strings.NewReader(large("z"))); err == nil {
		t.Error("read by a context that is done")
	}
	if _, err := Read(ctx, "a", "", strings.NewReader(large("}"))); err == nil {
		t.Error("no YAML was read")
	}
}
