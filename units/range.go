package units

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// A Range is an uncertain quantity: a point, a uniform law or a triangular
// one.
//
//	80              point: the value is known
//	80..130         uniform between low and high
//	80..100..130    triangular: low, most likely, high
//
// A unit on the last part holds for earlier parts that have none: 2..4min,
// 5..8/s, 1..5%. Low ≤ Mode ≤ High, and Low < High unless all three are equal.
// A Range built from its fields is a point or triangular; [Uniform] builds the
// third kind, whose Mode is the midpoint.
type Range[T Quantity] struct {
	Low, Mode, High T
	uniform         bool
	form            PriceForm // of a price
}

// A RangeKind is the law of a Range.
type RangeKind string

// The kinds of Range.
const (
	KindPoint      RangeKind = "point"
	KindUniform    RangeKind = "uniform"
	KindTriangular RangeKind = "triangular"
)

// Point returns the range that holds v only.
func Point[T Quantity](v T) Range[T] { return Range[T]{Low: v, Mode: v, High: v} }

// Uniform returns the uniform range from low to high; low = high is a point.
// The bounds are not checked; see [Range.Check].
func Uniform[T Quantity](low, high T) Range[T] {
	if low == high {
		return Point(low)
	}
	return Range[T]{Low: low, Mode: low + (high-low)/2, High: high, uniform: true}
}

// Triangular returns the triangular range. The bounds are not checked; see
// [Range.Check].
func Triangular[T Quantity](low, mode, high T) Range[T] {
	return Range[T]{Low: low, Mode: mode, High: high}
}

// ParseRange reads a range of type T, as in ParseRange[Erlang]("80..130"). It
// returns a *ParseError for a text that is not one.
func ParseRange[T Quantity](s string) (Range[T], error) {
	var zero Range[T]
	r, reason := parseRange[T](trim(s))
	if reason != "" {
		return zero, &ParseError{Input: s, Want: zero.Want(), Reason: reason}
	}
	return r, nil
}

func parseRange[T Quantity](s string) (r Range[T], reason string) {
	var zero T
	k := zero.kind()
	if strings.Contains(s, "...") {
		return r, `it holds "..."`
	}
	parts := strings.Split(s, "..")
	if len(parts) > 3 {
		return r, "it has more than three parts"
	}
	for i := range parts {
		parts[i] = trim(parts[i])
	}
	last := len(parts) - 1
	var form PriceForm
	if k == &priceKind {
		if form, parts, reason = formOf(parts); reason != "" {
			return r, reason
		}
	}
	unit := k.inherit(parts[last])
	values := make([]T, len(parts))
	for i, p := range parts {
		if _, reason := plain(p); reason == "" && i < last {
			p += unit
		}
		v, reason := k.read(p)
		if reason != "" {
			if last > 0 {
				reason = "in " + quote(parts[i]) + " " + reason
			}
			return r, reason
		}
		values[i] = T(v)
	}
	low, high := values[0], values[last]
	switch {
	case last == 0:
		r = Point(low)
		r.form = form
		return r, ""
	case low == high:
		return r, "low and high are equal"
	case last == 1:
		r = Uniform(low, high)
	default:
		r = Triangular(low, values[1], high)
	}
	r.form = form
	return r, r.reason()
}

// reason says why the bounds are not a range, or "".
func (r Range[T]) reason() string {
	for _, v := range []T{r.Low, r.Mode, r.High} {
		if reason := v.kind().check(float64(v)); reason != "" {
			return reason
		}
	}
	switch {
	case r.Low > r.High:
		return "low is above high"
	case r.Mode < r.Low || r.Mode > r.High:
		return "the most likely value is outside low and high"
	}
	return ""
}

// Check returns a *ParseError when the bounds are out of order or outside the
// domain of T. A parsed range passes.
func (r Range[T]) Check() error {
	if reason := r.reason(); reason != "" {
		return &ParseError{Input: r.String(), Want: r.Want(), Reason: reason}
	}
	return nil
}

// IsPoint reports whether the range holds one value only.
func (r Range[T]) IsPoint() bool { return r.Low == r.High }

// Kind returns the law of the range.
func (r Range[T]) Kind() RangeKind {
	switch {
	case r.IsPoint():
		return KindPoint
	case r.uniform:
		return KindUniform
	}
	return KindTriangular
}

// Nominal returns the value to compute with where one is wanted: the most
// likely value, or the midpoint of a uniform range. It is not the mean of a
// triangular range, which is (Low + Mode + High)/3.
func (r Range[T]) Nominal() T { return r.Mode }

// Quantile returns the value x with P(X ≤ x) = p, the inverse of the
// distribution function, so that a uniform p draws from the range:
//
//	point       x = a
//	uniform     x = a + p (b - a)
//	triangular  x = a + √(p (b-a)(m-a))        for p ≤ (m-a)/(b-a)
//	            x = b - √((1-p)(b-a)(b-m))     otherwise
//
// where a, m, b are Low, Mode and High in the base unit of T. Domain:
// 0 ≤ p ≤ 1 and a range that passes Check; otherwise an error. Source: Johnson,
// Kotz and Balakrishnan, Continuous Univariate Distributions 2, section 26.9.
func (r Range[T]) Quantile(p float64) (T, error) {
	if !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("units: Quantile: p = %v, want 0 <= p <= 1", p)
	}
	if err := r.Check(); err != nil {
		return 0, err
	}
	a, m, b := float64(r.Low), float64(r.Mode), float64(r.High)
	w := b - a
	// Rounding may step over the end of a branch by one unit in the last place.
	between := func(x, low, high float64) (T, error) { return T(min(max(x, low), high)), nil }
	switch r.Kind() {
	case KindPoint:
		return r.Low, nil
	case KindUniform:
		return between(a+p*w, a, b)
	}
	if p <= (m-a)/w {
		return between(a+w*math.Sqrt(p*((m-a)/w)), a, m)
	}
	return between(b-w*math.Sqrt((1-p)*((b-m)/w)), m, b)
}

// Equal reports whether r and o are the same law, and prices in one form.
func (r Range[T]) Equal(o Range[T]) bool { return r == o }

// Form is how a range of prices was written; the zero form of other quantities.
func (r Range[T]) Form() PriceForm { return r.form }

// String returns a text that parses back to r, such as 80..100..130.
func (r Range[T]) String() string {
	f := func(v T) string {
		if v.kind() == &priceKind {
			return r.form.text(float64(v))
		}
		return v.kind().format(float64(v))
	}
	switch r.Kind() {
	case KindPoint:
		return f(r.Low)
	case KindUniform:
		return inOneUnit([]T{r.Low, r.High}, f)
	}
	return inOneUnit([]T{r.Low, r.Mode, r.High}, f)
}

// inOneUnit joins the parts of a range. Parts that f writes in several units, such as
// 1/s and 80/min, are written in the one of them that takes the fewest digits and
// loses none: 60..80..90/min.
func inOneUnit[T Quantity](values []T, f func(T) string) string {
	texts, unit := sharedUnit(values, f)
	return strings.Join(texts, "..") + unit
}

// sharedUnit writes values as f does or, where f takes several units, without the one
// that it returns.
func sharedUnit[T Quantity](values []T, f func(T) string) (texts []string, unit string) {
	k := values[0].kind()
	texts, units := make([]string, len(values)), make([]string, len(values))
	alike := true
	for i, v := range values {
		texts[i] = f(v)
		units[i] = strings.TrimLeft(texts[i], ".0123456789")
		alike = alike && units[i] == units[0]
	}
	if alike || k == &priceKind {
		return texts, ""
	}
	least := math.MaxInt
	for _, name := range units {
		one, reason := k.read("1" + name)
		if reason != "" || strings.ContainsAny(name, "0123456789") || k.inherit("1"+name) != name {
			continue
		}
		in, letters := make([]string, len(values)), len(name)
		for i, v := range values {
			in[i] = short(float64(v) / one)
			letters += len(in[i])
			if back, _ := k.read(in[i] + name); T(back) != v {
				letters = math.MaxInt
				break
			}
		}
		if letters < least {
			texts, unit, least = in, name, letters
		}
	}
	return texts, unit
}

// Pair writes a and b as String does, but in one unit where that loses no digit, so that
// one can see which is more: 72/min and 86/min, not 1.2/s and 86/min.
func Pair[T Quantity](a, b Range[T]) (string, string) {
	values := []T{a.Low, a.Mode, a.High, b.Low, b.Mode, b.High}
	if values[0].kind() == &priceKind {
		return a.String(), b.String()
	}
	texts, unit := sharedUnit(values, func(v T) string { return v.kind().format(float64(v)) })
	if unit == "" {
		return a.String(), b.String()
	}
	join := func(r Range[T], parts []string) string {
		switch r.Kind() {
		case KindPoint:
			parts = parts[:1]
		case KindUniform:
			parts = []string{parts[0], parts[2]}
		}
		return strings.Join(parts, "..") + unit
	}
	return join(a, texts[:3]), join(b, texts[3:])
}

// Set parses s into r; r is unchanged on error.
func (r *Range[T]) Set(s string) error {
	v, err := ParseRange[T](s)
	if err == nil {
		*r = v
	}
	return err
}

// MarshalText returns String, or an error for bounds that are not a range.
func (r Range[T]) MarshalText() ([]byte, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	return []byte(r.String()), nil
}

// UnmarshalText is Set.
func (r *Range[T]) UnmarshalText(b []byte) error { return r.Set(string(b)) }

// UnmarshalJSON reads a JSON string, or a number where T may be plain.
func (r *Range[T]) UnmarshalJSON(b []byte) error {
	var zero T
	if zero.kind() == &fractionKind && isOne(b) {
		*r = Point(T(1))
		return nil
	}
	return unmarshalJSON(b, r.Want(), r.Set)
}

// Want describes the form with examples.
func (Range[T]) Want() string {
	var zero T
	return zero.kind().want + ", or a range such as " + zero.kind().example
}

// Pattern returns a regular expression that every accepted text matches.
func (Range[T]) Pattern() string {
	var zero T
	one := zero.kind().pattern
	bare := zero.kind().bare
	bare = cmp.Or(bare, decimal)
	part := `\s*(` + bare + `|` + one + `)\s*\.\.`
	return `^\s*(` + part + `){0,2}\s*(` + one + `)\s*$`
}

// Plain reports whether a number without a unit is accepted.
func (Range[T]) Plain() bool {
	var zero T
	return zero.kind().plain
}
