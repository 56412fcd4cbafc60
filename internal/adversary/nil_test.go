package adversary

import (
	"context"
	"reflect"
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
