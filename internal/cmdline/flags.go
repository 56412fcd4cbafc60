package cmdline

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A FlagSet is the flags of one command, bound to the fields of its question. All of them are flags of
// one type of the parser, whose values say what they take.
type FlagSet struct {
	command string // for messages
	list    []cli.Flag
	Output  *Output
	need    []need
	given   func(flag string) bool // nil before the command line is read
	failed  *flagError             // the first value that could not be read, in full
	words   map[string]func() []string
	// sharding is nil where the work cannot be parted.
	sharding *sharding
}

// Has reports whether the set has a flag of the name or the alias. A set of another command may
// have it or not, as --out of a shard.
func (s *FlagSet) Has(name string) bool {
	return s.named(name) != nil
}

// named is the flag of a name or an alias, nil where the set has none.
func (s *FlagSet) named(name string) cli.Flag {
	at := slices.IndexFunc(s.list, func(f cli.Flag) bool { return slices.Contains(namesOf(f), name) })
	if at < 0 {
		return nil
	}
	return s.list[at]
}

// usageError prefers what a value's own parser said over what the flag
// package made of it. The flag package puts the name of the flag and the text around an error, in
// words of its own.
func (s *FlagSet) usageError(command string, err error) error {
	if s.failed != nil {
		return s.failed
	}
	return &UsageError{command, err.Error()}
}

// refuse keeps the first value that cannot be used, to be told with the flag's name: the parser wraps
// the error in words of its own.
func (s *FlagSet) refuse(name string, err error) error {
	if err != nil && s.failed == nil {
		s.failed = &flagError{s.command, name, err}
	}
	return err
}

// assign sets one flag from its text, without the rest of the command line;
// a flag that is on or off takes no text. Sweeps set flags so. Errors: *flagError of a value,
// *UsageError of a name.
func (s *FlagSet) assign(name, text string) error {
	f := s.named(name)
	if f == nil {
		return &UsageError{s.command, "no flag " + spell.Quote(name)}
	}
	if err := valueOf(f).Set(text); err != nil {
		return s.usageError(s.command, err)
	}
	return nil
}

// textOf is the text of a flag, empty where the set has none of the name or none was given.
func (s *FlagSet) textOf(name string) string {
	if f := s.named(name); f != nil {
		return valueOf(f).String()
	}
	return ""
}

// A quantity is a type of package units, read from text. A pointer to the type reads and writes it.
type quantity[T any] interface {
	*T
	flag.Value
	Want() string
}

// optional is a flag that leaves its target nil until it is given; nil distinguishes a flag that is
// not given from a zero.
type optional[T any, P quantity[T]] struct {
	set  *FlagSet
	name string
	into **T
}

// Set reads the value into a fresh one: the target stays nil where the text is refused.
func (o *optional[T, P]) Set(s string) error {
	v := new(T)
	if err := P(v).Set(s); err != nil {
		err = withinCounts(o.name, err)
		return o.set.refuse(o.name, err)
	}
	*o.into = v
	return nil
}

func (o *optional[T, P]) given() bool { return *o.into != nil }

// String is the text of the value, empty where none is given, as flag.Value asks. The parser calls
// it on a zero value too.
func (o *optional[T, P]) String() string {
	if o == nil || o.into == nil || *o.into == nil {
		return ""
	}
	return P(*o.into).String()
}

// Want describes the value, for the message when it is missing.
func (o *optional[T, P]) Want() string { return P(new(T)).Want() }

// plainUnit is the unit of a value that is typed as a number alone. A plot writes it beside the
// axis of a swept flag.
func (o *optional[T, P]) plainUnit() string {
	switch any(o.into).(type) {
	case **units.Erlang, **units.Range[units.Erlang]:
		return "erlangs"
	}
	return ""
}

// plainUnit is that of a flag, "" where it has none.
func (s *FlagSet) plainUnit(name string) string {
	if q, ok := valueOf(s.named(name)).(interface{ plainUnit() string }); ok {
		return q.plainUnit()
	}
	return ""
}

// Value adds a flag for a quantity. what names the value in the help, as in
// LOAD; usage explains it. The value's own parser refuses what has no unit; see package units.
func Value[T any, P quantity[T]](s *FlagSet, name string, into **T, what, usage string) {
	s.add(name, what, usage, nil, &optional[T, P]{s, name, into})
}

// Flags are added by functions that are called and not put into their callers: a flag of the parser is
// a large struct, and a hundred KB of the program were copies of its making.

// add adds a flag by its value. what, where there is one, names the value in the help, as in LOAD.
//
//go:noinline
func (s *FlagSet) add(name, what, usage string, aliases []string, v cli.Generic) {
	if what != "" {
		usage = fmt.Sprintf("`%s`: %s", what, usage)
	}
	s.list = append(s.list, &cli.GenericFlag{Name: name, Usage: usage, Aliases: aliases, Value: v})
}

// plain is a flag whose question holds the quantity as a plain number, in base units.
type plain struct {
	quantified
	hand func() error // the number on to the question
}

// quantified is a flag of a quantity.
type quantified interface {
	flag.Value
	Want() string
	plainUnit() string
	given() bool
}

// Set reads the value, and hands its number on.
func (p *plain) Set(s string) error {
	err := p.quantified.Set(s)
	if err == nil {
		err = p.hand()
	}
	return err
}

// Number adds a flag as [Value] does, for a quantity U that its question holds as a plain number:
// Number[units.Duration] reads 2min into a field of seconds. nil is a flag that was not given.
func Number[U ~int64 | ~float64, P quantity[U], T int64 | float64](s *FlagSet, name string, into **T,
	what, usage string) {
	read := &optional[U, P]{s, name, new(*U)}
	s.add(name, what, usage, nil, &plain{read, func() error {
		*into = new(T(**read.into))
		return nil
	}})
}

// A Bound says what is wrong with a value, in words behind its flag; empty: nothing.
type Bound func(v float64) string

// Within refuses values outside least to most, with want as what is wanted.
func Within(least, most float64, want string) Bound {
	return func(v float64) string {
		if v < least || v > most {
			return "want " + want
		}
		return ""
	}
}

// Above0 refuses the 0 of a user, which stands for the default in a question.
func Above0(want string) Bound {
	return func(v float64) string {
		if v == 0 {
			return "is 0, want " + want
		}
		return ""
	}
}

// Into adds a flag as [Number] does, whose question has a plain field: it keeps its default where the flag
// is not given. A count that the field cannot hold, as an int of 32 bits cannot hold all, is refused.
func Into[U ~int64 | ~float64, P quantity[U], T int | int32 | int64 | uint64 | float64](s *FlagSet, name string,
	into *T, what, usage string, bounds ...Bound) {
	read := &optional[U, P]{s, name, new(*U)}
	s.add(name, what, usage, nil, &plain{read, func() error {
		for _, wrong := range bounds {
			if reason := wrong(float64(**read.into)); reason != "" {
				return s.refuse(name, &ask.InputError{Reason: reason})
			}
		}
		v := T(**read.into)
		if U(v) != **read.into {
			return s.refuse(name, &ask.InputError{Reason: "is more than this machine can count"})
		}
		*into = v
		return nil
	}})
}

// Seed adds --seed, which usage explains. It is 1 where none is given, so that the same line gives the same
// bytes.
func Seed(s *FlagSet, into *uint64, usage string) {
	*into = 1
	Into[units.Count](s, "seed", into, "N", usage+" (default 1)")
}

// assigned is a flag whose target is empty until it is given. It is for lists, whose empty value
// says that there is none.
type assigned[T any, P quantity[T]] struct {
	set  *FlagSet
	name string
	into *T
}

func (a *assigned[T, P]) Set(s string) error {
	return a.set.refuse(a.name, P(a.into).Set(s))
}

func (a *assigned[T, P]) given() bool { return a.String() != "" }

func (a *assigned[T, P]) String() string {
	if a == nil || a.into == nil {
		return ""
	}
	return P(a.into).String()
}

// Want describes the value, for the message when it is missing.
func (a *assigned[T, P]) Want() string { return P(new(T)).Want() }

// Setting adds a flag for a quantity that is empty where it is not given.
func Setting[T any, P quantity[T]](s *FlagSet, name string, into *T, what, usage string) {
	s.add(name, what, usage, nil, &assigned[T, P]{s, name, into})
}

// choice is a flag with a fixed set of words.
type choice struct {
	set     *FlagSet
	name    string
	into    func(string)
	now     func() string
	unset   string // the default
	allowed []string
}

// Set takes one of the words to the letter: no abbreviation, which a word added later could make
// ambiguous.
func (c *choice) Set(s string) error {
	if slices.Contains(c.allowed, s) {
		c.into(s)
		return nil
	}
	return c.set.refuse(c.name, &UsageError{Reason: fmt.Sprintf("%s is not one of %s%s",
		spell.Quote(s), strings.Join(c.allowed, ", "), spell.Suggest(s, c.allowed))})
}

func (c *choice) given() bool { return c.now() != c.unset }

func (c *choice) String() string {
	if c == nil || c.now == nil {
		return ""
	}
	return c.now()
}

// Want lists the words.
func (c *choice) Want() string { return "one of " + strings.Join(c.allowed, ", ") }

// OneOf adds a flag that takes one of some words. The field's value at the time of the help is its
// default.
func OneOf[S ~string](s *FlagSet, name string, into *S, usage string, aliases []string, allowed ...string) {
	s.add(name, "", usage, aliases,
		&choice{s, name, func(v string) { *into = S(v) }, func() string { return string(*into) },
			string(*into), allowed})
}

// list is a flag that may be given several times. Values may hold any text, commas included.
type list struct {
	into *[]string
	want string
}

func (l *list) Set(s string) error {
	*l.into = append(*l.into, s)
	return nil
}

func (l *list) String() string {
	if l == nil || l.into == nil {
		return ""
	}
	return strings.Join(*l.into, " ")
}

func (l *list) given() bool { return len(*l.into) > 0 }

// Want describes one value.
func (l *list) Want() string { return l.want }

// Repeatable says that the flag may be given several times.
func (l *list) Repeatable() bool { return true }

// Repeated adds a flag that may be given several times; want describes one of
// its values.
func (s *FlagSet) Repeated(name string, into *[]string, want, usage string) {
	s.add(name, "", usage, nil, &list{into, want})
}

// text is a flag for a plain string.
type text struct{ into *string }

func (t *text) Set(s string) error { *t.into = s; return nil }
func (t *text) given() bool        { return *t.into != "" }

func (t *text) String() string {
	if t == nil || t.into == nil {
		return ""
	}
	return *t.into
}

// Text adds a flag for a plain string such as a file name. An empty text is a flag that was not
// given: Arrange refuses an empty value.
func (s *FlagSet) Text(name string, into *string, what, usage string) {
	s.add(name, what, usage, nil, &text{into})
}

// toggle is a flag that is on or off.
type toggle struct{ into *bool }

// Set turns the flag on, whatever its text but false: a sweep has none.
func (t *toggle) Set(s string) error { *t.into = s != "false"; return nil }
func (t *toggle) given() bool        { return *t.into }

// String is empty, since the default of no flag is on.
func (t *toggle) String() string { return "" }

// IsBoolFlag tells the parser that no value follows.
func (t *toggle) IsBoolFlag() bool { return true }

// Toggle adds a flag that is on or off.
func (s *FlagSet) Toggle(name string, into *bool, usage string) {
	s.add(name, "", usage, nil, &toggle{into})
}
