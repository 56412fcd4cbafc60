package adversary

import (
	"bytes"
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/smp/baseline"
	"github.com/capplan/capplan/smp/ranking"
)

var readEnds = []error{io.EOF, io.ErrUnexpectedEOF, errFake}

func init() {
	knownImplementers = remember(findImplementers)
	leaves = map[reflect.Type]func(d *drawer) any{
		reflect.TypeFor[time.Duration](): func(d *drawer) any {
			if d.chance(d.temper) {
				return time.Duration(one(d, extremeInts))
			}
			return one(d, plainDurations)
		},
		reflect.TypeFor[time.Time](): func(d *drawer) any {
			if d.chance(d.temper) {
				return one(d, extremeTimes)
			}
			return one(d, plainTimes)
		},
		reflect.TypeFor[*time.Location](): func(d *drawer) any {
			if d.chance(d.temper) {
				return (*time.Location)(nil)
			}
			return time.FixedZone("away", d.r.IntN(86400)-43200)
		},
		reflect.TypeFor[*rand.Rand](): func(d *drawer) any {
			if d.chance(d.temper) {
				return (*rand.Rand)(nil)
			}
			return rand.New(rand.NewPCG(d.r.Uint64(), 1))
		},
		// Outside the module nobody can make a document.
		reflect.TypeFor[*document.Document](): func(*drawer) any { return (*document.Document)(nil) },
		reflect.TypeFor[[]byte]():             func(d *drawer) any { return []byte(d.text()) },
	}
}

// text is a document for a reader, often with a piece cut out of it.
func (d *drawer) text() string {
	text := one(d, texts)
	if own := ownTexts(d.name); len(own) > 0 && d.chance(0.7) {
		text = one(d, own)
	}
	for range 4 {
		if len(text) == 0 || !d.chance(max(d.temper, 0.2)) {
			break
		}
		i := d.r.IntN(len(text))
		j := min(len(text), i+d.r.IntN(20))
		text = text[:i] + one(d, extremeStrings[:11]) + text[j:]
	}
	return text
}

type implementer = func(d *drawer, depth int) reflect.Value

func drawnFake[T any](of func(fake) T) implementer {
	return func(d *drawer, _ int) reflect.Value { return reflect.ValueOf(of(fakeOf(d))) }
}

// fakes are the implementers of interfaces that the packages leave open.
var fakes = map[reflect.Type][]implementer{
	reflect.TypeFor[queueing.Model]():      {drawnFake(func(f fake) fakeModel { return fakeModel{f} })},
	reflect.TypeFor[law.Law]():             {drawnFake(func(f fake) fakeLaw { return fakeLaw{f} })},
	reflect.TypeFor[sim.Model]():           {drawnFake(func(f fake) fakeSystem { return fakeSystem{f} })},
	reflect.TypeFor[sim.Sized]():           {drawnFake(func(f fake) fakeSystem { return fakeSystem{f} })},
	reflect.TypeFor[baseline.Forecaster](): {drawnFake(func(f fake) fakeForecaster { return fakeForecaster{f} })},
	reflect.TypeFor[ranking.Scheduler]():   {drawnFake(func(f fake) fakeScheduler { return fakeScheduler{f} })},
	reflect.TypeFor[lp.Solver]():           {drawnFake(func(f fake) fakeSolver { return fakeSolver{f} })},
	reflect.TypeFor[context.Context]():     {func(*drawer, int) reflect.Value { return reflect.ValueOf(context.Background()) }},
	reflect.TypeFor[io.Writer]():           {drawnFake(func(f fake) fakeWriter { return fakeWriter{f} }), buffer},
	reflect.TypeFor[io.Reader]():           {reader},
	reflect.TypeFor[error]():               {failure, failure},
	reflect.TypeFor[any]():                 {number},
}

func buffer(*drawer, int) reflect.Value { return reflect.ValueOf(new(bytes.Buffer)) }

func reader(d *drawer, _ int) reflect.Value {
	text := d.text()
	if d.chance(0.5) {
		return reflect.ValueOf(strings.NewReader(text))
	}
	return reflect.ValueOf(fakeReader{fakeOf(d), &text})
}

func failure(d *drawer, _ int) reflect.Value {
	v := reflect.New(errorType).Elem()
	if err := one(d, failures); err != nil {
		v.Set(reflect.ValueOf(err))
	}
	return v
}

func number(d *drawer, _ int) reflect.Value { return reflect.ValueOf(d.float(d.chance(d.temper))) }

// implementers returns what a value of an interface may hold: the exported
// types that have its methods, and the fakes, which come as often as all of
// these.
func implementers(t reflect.Type) []implementer { return knownImplementers(t) }

var knownImplementers func(t reflect.Type) []implementer

func findImplementers(t reflect.Type) []implementer {
	all := fakes[t]
	var own []implementer
	for _, name := range slices.Sorted(maps.Keys(pointers)) {
		of := reflect.TypeOf(pointers[name]).Elem()
		switch {
		case of.Kind() == reflect.Interface || t.NumMethod() == 0:
		case of.Implements(t):
			own = append(own, func(d *drawer, depth int) reflect.Value { return d.draw(of, depth-1) })
		case reflect.PointerTo(of).Implements(t):
			own = append(own, func(d *drawer, depth int) reflect.Value {
				p := reflect.New(of)
				p.Elem().Set(d.draw(of, depth-1))
				return p
			})
		}
	}
	if len(all) > 0 && len(own) > 0 {
		return append(slices.Repeat(all, len(own)), own...)
	}
	return append(all, own...)
}

// remember keeps the answers of f.
func remember[K comparable, V any](f func(K) V) func(K) V {
	var known sync.Map
	return func(k K) V {
		if v, ok := known.Load(k); ok {
			return v.(V)
		}
		v := f(k)
		known.Store(k, v)
		return v
	}
}

// constructors are the exported functions by the type of their first result,
// for the types that hold what only such a function can fill.
var constructors = sync.OnceValue(func() map[reflect.Type][]string {
	by := map[reflect.Type][]string{}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		t := reflect.TypeOf(functions[name])
		if t.NumOut() == 0 || exempt[name] {
			continue
		}
		of := t.Out(0)
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct && closed(of) {
			by[of] = append(by[of], name)
		}
	}
	return by
})

// closed says whether a struct has fields that are not exported.
func closed(t reflect.Type) bool {
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// construct calls a constructor with arguments that are mostly plain.
func (d *drawer) construct(name string, t reflect.Type) (reflect.Value, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	mild := d.apart()
	mild.making++
	mild.temper = min(mild.temper, 0.05)
	f := reflect.ValueOf(functions[name])
	out := call(f, mild.arguments(f.Type(), ctx))
	if last := out[len(out)-1]; last.Type() == errorType && !last.IsNil() {
		return reflect.Value{}, false
	}
	v := out[0]
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return reflect.Value{}, false
		}
		v = v.Elem()
	}
	return v, v.Type() == t
}
