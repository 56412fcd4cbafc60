package units

import "strings"

// Number is a finite plain number ≥ 0, such as a squared coefficient of
// variation.
type Number float64

// Erlang is an offered load in erlangs, finite and ≥ 0, written as a plain
// number or with the suffix erl.
type Erlang float64

var numberKind = kind{
	want:    "a number such as 0.25 or 4",
	example: "0.5..2 or 0.5..1..2",
	pattern: decimal,
	plain:   true,
	number:  true,
	parse:   plain,
	format:  short,
	check:   notFinite,
	inherit: func(string) string { return "" },
}

var erlangKind = kind{
	want:    "a load in erlangs such as 120 or 0.5erl",
	example: "80..130 or 80..100..130",
	pattern: decimal + `(\s*erl)?`,
	plain:   true,
	number:  true,
	parse: func(s string) (float64, string) {
		v, _, rest, reason := scan(s)
		if reason == "" && rest != "" && rest != "erl" {
			reason = "unknown unit " + quote(rest)
			switch strings.ToLower(rest) {
			case "e", "erl", "erlang", "erlangs":
				reason += " (did you mean erl?)"
			}
		}
		return v, reason
	},
	format: short,
	check:  notFinite,
	inherit: func(last string) string {
		if strings.HasSuffix(last, "erl") {
			return "erl"
		}
		return ""
	},
}

func (n Number) kind() *kind { return &numberKind }

// String returns the shortest text that parses back to n.
func (n Number) String() string { return short(float64(n)) }

// Set parses s into n; n is unchanged on error.
func (n *Number) Set(s string) error { return set(n, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (n Number) MarshalText() ([]byte, error) { return marshalText(n) }

// UnmarshalText is Set.
func (n *Number) UnmarshalText(b []byte) error { return n.Set(string(b)) }

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) { return marshalNumber(n) }

// UnmarshalJSON reads a JSON string or number.
func (n *Number) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, n.Want(), n.Set) }

// Want describes the form with examples.
func (Number) Want() string { return numberKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Number) Pattern() string { return numberKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Number) Plain() bool { return numberKind.plain }

func (e Erlang) kind() *kind { return &erlangKind }

// String returns the shortest text that parses back to e, without the suffix.
func (e Erlang) String() string { return short(float64(e)) }

// Set parses s into e; e is unchanged on error.
func (e *Erlang) Set(s string) error { return set(e, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (e Erlang) MarshalText() ([]byte, error) { return marshalText(e) }

// UnmarshalText is Set.
func (e *Erlang) UnmarshalText(b []byte) error { return e.Set(string(b)) }

// MarshalJSON writes the number of erlangs.
func (e Erlang) MarshalJSON() ([]byte, error) { return marshalNumber(e) }

// UnmarshalJSON reads a JSON string or number.
func (e *Erlang) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, e.Want(), e.Set) }

// Want describes the form with examples.
func (Erlang) Want() string { return erlangKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Erlang) Pattern() string { return erlangKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Erlang) Plain() bool { return erlangKind.plain }
