package adversary

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A drawer draws values of any type from a seed. Two drawers of one name and
// seed draw alike.
type drawer struct {
	r      *rand.Rand
	name   string  // of what is called
	temper float64 // the share of leaves that are extreme
	torn   float64 // the share of slices that have not the length of the others
	length int
	making int // constructors that are being called
}

// drawerOf returns the drawer of a call. A third of the calls get arguments
// without an extreme, with one of them, or with many.
func drawerOf(name string, seed uint64) *drawer {
	h := fnv.New64a()
	io.WriteString(h, name)
	d := &drawer{r: rand.New(rand.NewPCG(h.Sum64(), seed)), name: name}
	d.temper = one(d, []float64{0, 0.03, 0.1, 0.2, 0.4, 1})
	d.torn = one(d, []float64{0, 0, 0.1, 0.3})
	d.length = one(d, []int{0, 1, 2, 2, 3, 3, 4, 5, 7, 12})
	return d
}

// apart returns a drawer for a goroutine or a fake of its own.
func (d *drawer) apart() *drawer {
	c := *d
	c.r = rand.New(rand.NewPCG(d.r.Uint64(), d.r.Uint64()))
	return &c
}

func (d *drawer) chance(p float64) bool { return d.r.Float64() < p }

func one[T any](d *drawer, of []T) T { return of[d.r.IntN(len(of))] }

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// draw returns a value of a type; depth bounds how deep it is.
func (d *drawer) draw(t reflect.Type, depth int) reflect.Value {
	if make := leaves[t]; make != nil {
		return reflect.ValueOf(make(d)).Convert(t)
	}
	if of := examples[t]; of != nil && d.chance(0.6) {
		v := reflect.New(t).Elem()
		v.Set(reflect.ValueOf(of(d)))
		for range 4 {
			if d.chance(d.temper) {
				d.spoil(v, 8)
			}
		}
		return v
	}
	if makers := constructors()[t]; len(makers) > 0 && d.making < 2 && depth > 0 && d.chance(0.8) {
		if v, ok := d.construct(one(d, makers), t); ok {
			return v
		}
	}
	return d.fill(t, depth)
}

// leaves are types whose kind does not say what they are.
var leaves map[reflect.Type]func(d *drawer) any

// fill draws by kind.
func (d *drawer) fill(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	extreme := d.chance(d.temper)
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(d.chance(0.5))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := int64(d.r.IntN(6))
		if extreme {
			n = one(d, extremeInts)
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.r.Uint64() >> (d.r.UintN(8) * 8))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(d.float(extreme))
	case reflect.Complex128:
		v.SetComplex(complex(d.float(extreme), d.float(extreme)))
	case reflect.String:
		v.SetString(d.string(extreme))
	case reflect.Slice:
		d.fillSlice(v, extreme, depth)
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(d.draw(t.Elem(), depth-1))
		}
	case reflect.Map:
		if extreme && d.chance(0.3) || depth <= 0 {
			break
		}
		v.Set(reflect.MakeMap(t))
		for range d.length {
			v.SetMapIndex(d.draw(t.Key(), depth-1), d.draw(t.Elem(), depth-1))
		}
	case reflect.Pointer:
		if depth > 0 && !d.chance(d.temper/2) {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(d.draw(t.Elem(), depth-1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(d.draw(t.Field(i).Type, depth-1))
			}
		}
	case reflect.Func:
		if !extreme {
			v.Set(d.function(t))
		}
	case reflect.Interface:
		if of := implementers(t); len(of) > 0 && depth > 0 && !d.chance(d.temper/2) {
			v.Set(one(d, of)(d, depth))
		}
	default:
		panic("adversary draws no " + t.String())
	}
	return v
}

func (d *drawer) float(extreme bool) float64 {
	switch {
	case extreme && d.chance(0.2):
		return math.Float64frombits(d.r.Uint64())
	case extreme:
		return one(d, extremeFloats)
	case d.chance(0.4):
		return d.r.Float64()
	default:
		return one(d, plainFloats)
	}
}

func (d *drawer) string(extreme bool) string {
	if extreme {
		return one(d, extremeStrings)
	}
	return one(d, plainStrings)
}

func (d *drawer) fillSlice(v reflect.Value, extreme bool, depth int) {
	n := d.length
	if d.chance(d.torn) {
		n = d.r.IntN(9)
	}
	if depth <= 0 {
		n = 0
	}
	if extreme && d.chance(0.3) {
		return // nil
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		v.Index(i).Set(d.draw(v.Type().Elem(), depth-1))
	}
	// Ascending numbers are asked for often, and never come by chance.
	if d.chance(0.5) {
		if f, ok := v.Interface().([]float64); ok {
			slices.Sort(f)
		}
	}
	if extreme && n > 0 && v.Type().Elem().Kind() == reflect.Float64 && d.chance(0.3) {
		for v.Len() < 50_000 {
			v.Set(reflect.AppendSlice(v, v))
		}
	}
}

// function returns a function that answers with drawn values, the same ones or
// others each time.
func (d *drawer) function(t reflect.Type) reflect.Value {
	from := d.apart()
	seed := from.r.Uint64()
	steady := from.chance(0.5)
	call := make(chan uint64, 1) // how many calls there were
	call <- 0
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		n := <-call
		call <- n + 1
		if steady {
			n = 0
		}
		now := *from
		now.r = rand.New(rand.NewPCG(seed, n))
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = now.draw(t.Out(i), 3)
		}
		return out
	})
}

// spoil makes one part of a value extreme.
func (d *drawer) spoil(v reflect.Value, depth int) {
	t := v.Type()
	worse := d.apart()
	worse.temper = 1
	again := func() {
		if leaves[t] != nil {
			v.Set(worse.draw(t, 2))
		} else {
			v.Set(worse.fill(t, 2))
		}
	}
	switch {
	case leaves[t] != nil || depth == 0:
		again()
	case t.Kind() == reflect.Struct && closed(t):
		// What a constructor made is the caller's to drop, not to change.
		if d.chance(0.2) {
			v.SetZero()
		}
	case t.Kind() == reflect.Struct:
		var open []int
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				open = append(open, i)
			}
		}
		if len(open) > 0 {
			d.spoil(v.Field(one(d, open)), depth-1)
		}
	case t.Kind() == reflect.Pointer && !v.IsNil() && d.chance(0.9):
		d.spoil(v.Elem(), depth-1)
	case t.Kind() == reflect.Array && t.Len() > 0:
		d.spoil(v.Index(d.r.IntN(t.Len())), depth-1)
	case t.Kind() == reflect.Slice && v.Len() > 0 && d.chance(0.85):
		c := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		d.spoil(v.Index(d.r.IntN(v.Len())), depth-1)
	case t.Kind() == reflect.Slice && v.Len() > 0:
		if d.chance(0.5) {
			v.Set(v.Slice(0, d.r.IntN(v.Len())))
		} else {
			v.Set(reflect.Append(v, v.Index(d.r.IntN(v.Len()))))
		}
	default:
		again()
	}
}

// written describes a value for whoever has to repeat the call.
func written(v reflect.Value) string {
	text := fmt.Sprintf("%#v", v)
	if v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct {
		text = "&" + fmt.Sprintf("%#v", v.Elem())
	}
	text = strings.ReplaceAll(text, module+"/", "")
	if len(text) > 1500 {
		text = text[:1500] + "…"
	}
	return text
}

// deadline is when a call has to give its context up.
const deadline = 100 * time.Millisecond
