package document

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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

// Of points with documents of a million values two are answered at once, of those with
// some thousand all; one that reads two documents does not wait for itself, and one
// whose context ends does not wait at all.
func TestPointsWithLargeDocumentsWait(t *testing.T) {
	for _, c := range []struct{ values, want int }{{1_000_000, 2}, {500_000, 3}, {5000, 20}} {
		synctest.Test(t, func(t *testing.T) {
			all := Remember(t.Context())
			m := all.Value(memoryKey{}).(*memory)
			var now, most atomic.Int64
			var wait sync.WaitGroup
			for range 20 {
				wait.Go(func() {
					ctx, end := Point(all)
					defer end()
					m.enter(ctx, c.values)
					m.enter(ctx, c.values)
					most.Store(max(most.Load(), now.Add(1)))
					time.Sleep(time.Second)
					now.Add(-1)
				})
			}
			wait.Wait()
			if got := int(most.Load()); got > c.want || got < min(c.want, 2) {
				t.Errorf("%d points with %d values each at once, want %d", got, c.values, c.want)
			}
			if m.points != 0 || m.values != 0 {
				t.Errorf("%d points and %d values are left", m.points, m.values)
			}
			ctx, end := Point(all)
			m.enter(ctx, 2*mostAtOnce)
			_, second := Point(all)
			defer second()
			ended, cancel := context.WithCancel(all)
			cancel()
			for range 2 {
				ctx, end := Point(ended)
				m.enter(ctx, mostAtOnce)
				end()
			}
			end()
		})
	}
}
