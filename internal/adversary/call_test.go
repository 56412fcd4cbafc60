package adversary

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// exempt are not called: they start programs of the machine, or go on for as
// long as a function of the caller wants, whatever else they are given.
var exempt = map[string]bool{"lp.Installed": true, "smp.Loads.Each": true}

// A target is what is called: a function, or a method of a type.
type target struct {
	name   string
	method string       // empty for a function
	of     reflect.Type // whose method it is
}

// targets lists all that can be called, in the order of names.
func targets() []target {
	var all []target
	for name := range functions {
		if !exempt[name] {
			all = append(all, target{name: name})
		}
	}
	for name, t := range types {
		if t.Kind() == reflect.Interface {
			continue
		}
		p := reflect.PointerTo(t)
		for i := range p.NumMethod() {
			if m := p.Method(i).Name; !exempt[name+"."+m] {
				all = append(all, target{name + "." + m, m, t})
			}
		}
	}
	slices.SortFunc(all, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return all
}

// run calls a target with what the seed draws, and then the methods of what it
// returned.
func (t target) run(seed uint64) {
	d := drawerOf(t.name, seed)
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	if d.chance(0.1) {
		cancel()
	}
	f, args := t.prepare(d, ctx)
	for _, v := range call(f, args) {
		d.follow(v, ctx)
	}
}

// prepare draws the function and its arguments.
func (t target) prepare(d *drawer, ctx context.Context) (reflect.Value, []reflect.Value) {
	if t.method == "" {
		f := reflect.ValueOf(functions[t.name])
		return f, d.arguments(f.Type(), ctx)
	}
	receiver := reflect.New(t.of)
	if !d.chance(0.1) { // of the zero value otherwise
		receiver.Elem().Set(d.draw(t.of, 5))
	}
	f := receiver.MethodByName(t.method)
	return f, d.arguments(f.Type(), ctx)
}

// described writes the call that run makes, as Go.
func (t target) described(seed uint64) string {
	d := drawerOf(t.name, seed)
	d.chance(0.1)
	var of string
	var args []string
	if t.method != "" {
		receiver := reflect.New(t.of)
		if !d.chance(0.1) {
			receiver.Elem().Set(d.draw(t.of, 5))
		}
		of = "\n  of " + written(receiver)
		for _, v := range d.arguments(receiver.MethodByName(t.method).Type(), context.Background()) {
			args = append(args, written(v))
		}
	} else {
		for _, v := range d.arguments(reflect.TypeOf(functions[t.name]), context.Background()) {
			args = append(args, written(v))
		}
	}
	return fmt.Sprintf("%s(%s)%s", t.name, strings.Join(args, ", "), of)
}

// arguments draws those of a function; a context is the given one.
func (d *drawer) arguments(f reflect.Type, ctx context.Context) []reflect.Value {
	args := make([]reflect.Value, f.NumIn())
	for i := range args {
		if f.In(i) == contextType {
			args[i] = reflect.ValueOf(ctx)
			continue
		}
		args[i] = d.draw(f.In(i), 6)
	}
	return args
}

func call(f reflect.Value, args []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// follow calls up to four methods of a result, and all of an error's.
func (d *drawer) follow(v reflect.Value, ctx context.Context) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	t := v.Type()
	of := t
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if !strings.HasPrefix(of.PkgPath(), module) || strings.HasSuffix(of.PkgPath(), "adversary") {
		if err, ok := v.Interface().(error); ok {
			_ = err.Error()
		}
		return
	}
	if err, ok := v.Interface().(error); ok {
		_ = err.Error()
		_ = errors.Unwrap(err)
	}
	for range min(4, t.NumMethod()) {
		i := d.r.IntN(t.NumMethod())
		if exempt[path.Base(of.PkgPath())+"."+of.Name()+"."+t.Method(i).Name] {
			continue
		}
		m := v.Method(i)
		call(m, d.arguments(m.Type(), ctx))
	}
}

// limits are what one call may take.
type limits struct {
	time   time.Duration // of the processor; of the clock, ten times as much
	memory uint64        // bytes
}

// A fall is a call that did what none may do.
type fall struct {
	what  string
	stack []byte
	fatal bool // the call goes on, so that nothing after it can be judged
}

// watched makes a call and says how it fell, nil where it did not.
func (t target) watched(seed uint64, l limits) *fall {
	before := held()
	task := parallel.Start(func() *parallel.Panic { return parallel.Catch(func() { t.run(seed) }) })
	began := time.Now()
	first := spent(began)
	took := func() time.Duration { return max(spent(began)-first, time.Since(began)/10) }
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-task.Done():
			if p := task.Value(); p != nil {
				return &fall{what: "panic: " + p.Error(), stack: p.Stack}
			}
			if took := took(); took > l.time {
				return &fall{what: fmt.Sprintf("took %v", took)}
			}
			return nil
		case <-tick.C:
			if took := took(); took > l.time {
				return &fall{what: fmt.Sprintf("still runs after %v", took), fatal: true}
			}
			if now := held(); now > before+l.memory {
				return &fall{what: fmt.Sprintf("holds %d MB more", (now-before)>>20), fatal: true}
			}
		}
	}
}

// held returns how many bytes the heap's objects take.
func held() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
