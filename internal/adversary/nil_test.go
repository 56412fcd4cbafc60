package adversary

import (
	"context"
	"os"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// Nothing is given: no context, no question, no reader, no function, and methods
// of the zero value. The answer is an error or NaN, no panic. A nil pointer for a
// receiver is left out: as everywhere in Go, a method of nothing is a mistake of the
// program, which its panic shows, and not of its data.
func TestNil(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, target := range targets() {
		f := reflect.ValueOf(functions[target.name])
		if target.method != "" {
			f = reflect.New(target.of).MethodByName(target.method)
		}
		l := limits{time: *longest, late: *latest, memory: most}
		args := make([]reflect.Value, f.Type().NumIn())
		for i := range args {
			args[i] = reflect.Zero(f.Type().In(i))
		}
		if fell := l.watched("", l.time, func() { call(f, args) }); fell != nil {
			t.Errorf("%s of nothing: %s\n%s", target.name, fell.what, fell.stack)
		}
	}
}

// A context that has ended before a call ends it, whatever is asked.
func TestEndedContext(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	t.Chdir(t.TempDir())
	l := limits{time: *longest, late: *latest, memory: most}
	for _, target := range targets() {
		for seed := range uint64(3) {
			d := drawerOf(target.name, seed)
			d.temper = 0
			var f reflect.Value
			var args []reflect.Value
			if p := parallel.Catch(func() { f, args = target.draw(d, ended) }); p != nil || !takesContext(f.Type()) {
				continue
			}
			if fell := l.watched("", time.Second, func() { call(f, args) }); fell != nil {
				t.Errorf("%s, seed %d: %s\n%s", target.name, seed, fell.what, fell.stack)
			}
		}
	}
}

// A method of a nil pointer is a mistake of the program, and shows as everywhere in
// Go: it dereferences nil at once, if it needs its receiver at all. No other panic,
// no wait, and nothing done before.
func TestNilReceiver(t *testing.T) {
	t.Chdir(t.TempDir())
	methods := 0
	for _, target := range targets() {
		if target.method == "" {
			continue
		}
		methods++
		f := reflect.Zero(reflect.PointerTo(target.of)).MethodByName(target.method)
		args := make([]reflect.Value, f.Type().NumIn())
		for i := range args {
			args[i] = reflect.Zero(f.Type().In(i))
		}
		done := make(chan *parallel.Panic, 1)
		parallel.Start(func() (none struct{}) {
			done <- parallel.Catch(func() { call(f, args) })
			return none
		})
		select {
		case p := <-done:
			if p == nil {
				continue
			}
			if _, ok := p.Value.(runtime.Error); !ok {
				t.Errorf("%s of nil: %v, want the error of a nil pointer", target.name, p.Value)
			}
		case <-time.After(*longest):
			t.Fatalf("%s of nil goes on", target.name)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%d files are left: %v", len(left), err)
	}
	if methods < 400 {
		t.Errorf("%d methods, want all", methods)
	}
}
