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

// exempt are not called: they start programs of the machine, go on for as long
// as a function of the caller wants, or take an answer that only a plan makes (see [TestReports]), whatever else they
// are given.
var exempt = map[string]bool{
	"lp.Installed":   true,
	"smp.Loads.Each": true,
}

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
	for name, pointer := range pointers {
		t := reflect.TypeOf(pointer).Elem()
		if t.Kind() == reflect.Interface {
			continue
		}
		p := reflect.TypeOf(pointer)
		for i := range p.NumMethod() {
			if m := p.Method(i).Name; !exempt[name+"."+m] {
				all = append(all, target{name + "." + m, m, t})
			}
		}
	}
	slices.SortFunc(all, func(a, b target) int { return strings.Compare(a.name, b.name) })
	return all
}

// A trial is a call that is ready to be made.
type trial struct {
	d      *drawer
	f      reflect.Value
	args   []reflect.Value
	ctx    context.Context // of those that take one
	cancel func()
}

// prepare draws a call. Its context ends as the call begins for one call of
// ten, and after the deadline for the others.
func (t target) prepare(seed uint64) *trial {
	d := drawerOf(t.name, seed)
	c := &trial{d: d}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	early := d.chance(0.1)
	c.f, c.args = t.draw(d, c.ctx)
	if early {
		c.cancel()
	}
	return c
}

// takesContext says whether a function can be told to stop.
func takesContext(f reflect.Type) bool {
	for i := range f.NumIn() {
		if f.In(i) == contextType {
			return true
		}
	}
	return false
}

// draw draws the function and its arguments.
func (t target) draw(d *drawer, ctx context.Context) (reflect.Value, []reflect.Value) {
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

// described writes the call that a seed makes, as Go.
func (t target) described(seed uint64) (text string) {
	if p := parallel.Catch(func() { text = t.inGo(seed) }); p != nil {
		return t.name + ", whose arguments cannot be made"
	}
	return text
}

func (t target) inGo(seed uint64) string {
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

// following are up to four methods of a result, and all of an error's.
func (d *drawer) following(v reflect.Value, ctx context.Context) []*trial {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if err, ok := v.Interface().(error); ok {
		_ = err.Error()
		_ = errors.Unwrap(err)
	}
	t := v.Type()
	of := t
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if !strings.HasPrefix(of.PkgPath(), module) || strings.HasSuffix(of.PkgPath(), "adversary") {
		return nil
	}
	var all []*trial
	for range min(4, t.NumMethod()) {
		i := d.r.IntN(t.NumMethod())
		if exempt[path.Base(of.PkgPath())+"."+of.Name()+"."+t.Method(i).Name] {
			continue
		}
		m := v.Method(i)
		all = append(all, &trial{f: m, args: d.arguments(m.Type(), ctx)})
	}
	return all
}

// limits are what one call may take.
type limits struct {
	time   time.Duration // of the processor; of the clock, ten times as much
	late   time.Duration // the same of a call that takes a context, from the context's end
	memory uint64        // bytes
}

// of returns how long a call may take, which counts the deadline twice as the
// work may be on two cores.
func (l limits) of(f reflect.Type) time.Duration {
	if takesContext(f) {
		return 2*deadline + l.late
	}
	return l.time
}

// A fall is a call that did what none may do.
type fall struct {
	what  string
	stack []byte
	fatal bool // the call goes on, so that nothing after it can be judged
}

// fell draws a call, makes it, calls methods of what it returned, and says how
// one of these fell, nil where none did.
func (t target) fell(seed uint64, l limits) *fall {
	var c *trial
	if f := l.watched("to draw", l.time, func() { c = t.prepare(seed) }); f != nil {
		return f
	}
	defer c.cancel()
	var out []reflect.Value
	stop := time.AfterFunc(deadline, c.cancel)
	defer stop.Stop()
	if f := l.watched("", l.of(c.f.Type()), func() { out = call(c.f, c.args) }); f != nil {
		return f
	}
	for _, v := range out {
		var after []*trial
		if f := l.watched("to draw", l.time, func() { after = c.d.following(v, c.ctx) }); f != nil {
			return f
		}
		for _, m := range after {
			if f := l.watched("a result's method", l.of(m.f.Type()), func() { call(m.f, m.args) }); f != nil {
				return f
			}
		}
	}
	return nil
}

// watched does what is given and says how it fell, nil where it did not.
func (l limits) watched(what string, most time.Duration, do func()) *fall {
	if what != "" {
		what += ": "
	}
	before := held()
	task := parallel.Start(func() *parallel.Panic { return parallel.Catch(do) })
	began := time.Now()
	first := spent(began)
	took := func() time.Duration { return max(spent(began)-first, time.Since(began)/10) }
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-task.Done():
			if p := task.Value(); p != nil {
				return &fall{what: what + "panic: " + p.Error(), stack: p.Stack}
			}
			if took := took(); took > most {
				return &fall{what: fmt.Sprintf("%stook %v", what, took)}
			}
			return nil
		case <-tick.C:
			if took := took(); took > l.time {
				return &fall{what: fmt.Sprintf("%sstill runs after %v", what, took), fatal: true}
			}
			if now := held(); now > before+l.memory {
				return &fall{what: fmt.Sprintf("%sholds %d MB more", what, (now-before)>>20), fatal: true}
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
