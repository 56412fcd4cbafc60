// Package fault holds the error of a model that has no type of its own: which
// function found what, apart, so that whoever words it anew for a reader does not
// have to cut it out of a text; and how messages count things.
package fault

import "errors"

// An Error is what a function found wrong.
type Error struct {
	Package, Func string
	Found         string // empty: what Kind says
	Kind          error  // a sentinel of the package; nil: none
}

// New returns an error of a kind.
func New(pkg, fn, found string, kind error) *Error { return &Error{pkg, fn, found, kind} }

func (e *Error) Error() string {
	text := e.Package + ": "
	if e.Func != "" {
		text += e.Func + ": "
	}
	switch {
	case e.Kind == nil:
		return text + e.Found
	case e.Found == "":
		return text + e.Kind.Error()
	}
	return text + e.Found + ": " + e.Kind.Error()
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// Problem is what was found, without the package and the function.
func (e *Error) Problem() string {
	if e.Found != "" {
		return e.Found
	}
	return e.Kind.Error()
}

// Problem says what an error found, without the package and the function that
// found it; of an error that does not tell them apart the whole text.
func Problem(err error) string {
	var p interface{ Problem() string }
	if errors.As(err, &p) {
		return p.Problem()
	}
	return err.Error()
}
