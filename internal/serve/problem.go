package serve

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A problem is why a request has no answer, as it is sent. It is an error of this package and the
// body of a response. status is the HTTP status; line and column count from 1, 0 where they are not
// known.
type problem struct {
	status int
	Kind   string `json:"kind"` // input, infeasible, busy, timeout, refused or internal
	Field  string `json:"field,omitempty"`
	With   string `json:"with,omitempty"` // the field that it contradicts
	Reason string `json:"reason"`
	Want   string `json:"want,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text,omitempty"` // the line
	// Of a question that has no answer: what binds, what was asked for of it and
	// what cannot be reached or undercut.
	Constraint string   `json:"constraint,omitempty"`
	Limit      *float64 `json:"limit,omitempty"`
	Infimum    *float64 `json:"infimum,omitempty"`
	Shortfall  *float64 `json:"shortfall,omitempty"` // by how much the two differ
}

func (p *problem) Error() string { return p.Reason }

// kinds of problems by status, of those that say no other. Whatever is not listed is a fault of the
// input.
var kinds = map[int]string{
	http.StatusTooManyRequests:     "busy",
	http.StatusServiceUnavailable:  "timeout",
	http.StatusUnprocessableEntity: "infeasible",
	http.StatusInternalServerError: "internal",
	http.StatusUnauthorized:        "refused",
	http.StatusForbidden:           "refused",
	http.StatusMisdirectedRequest:  "refused",
}

// problemOf says what went wrong. asked, if it is not nil, knows where the fields
// of the question stand. What is no known type is a mistake of this program: its text could name
// files of the machine and is not sent.
func problemOf(err error, asked *document.Asked) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	var input *ask.InputError
	var infeasible *ask.InfeasibleError
	var field *document.FieldError
	var file *source.FileError
	var parse *units.ParseError
	var domain *source.DomainError
	p := &problem{status: http.StatusBadRequest}
	switch {
	// Both ends of the context come as 503, since the same question may be answered at another
	// time.
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{status: http.StatusServiceUnavailable, Reason: "the question takes longer than a request may"}
	case errors.Is(err, context.Canceled):
		return &problem{status: http.StatusServiceUnavailable, Reason: "the question was cancelled"}
	case errors.As(err, &infeasible):
		p.status = http.StatusUnprocessableEntity
		p.Constraint, p.Reason = infeasible.Constraint, infeasible.Reason
		p.Limit, p.Infimum = ask.Figure(infeasible.Limit), ask.Figure(infeasible.Infimum)
		p.Shortfall = ask.Figure(math.Abs(infeasible.Limit - infeasible.Infimum))
	case errors.As(err, &input):
		p.Field, p.With, p.Reason, p.Want = input.Field, input.With, input.Problem(), input.Want
		if asked != nil && input.Field != "" {
			p.at(asked.Place(input.Field, input.Reason, input.Want))
		}
	case errors.As(err, &field):
		p.Field, p.Reason, p.Want = field.Field, field.Problem, field.Want
		p.at(field.FileError)
	case errors.As(err, &file):
		p.Reason, p.Want = file.Problem, file.Want
		p.at(file)
	case errors.As(err, &parse), errors.As(err, &domain):
		p.Reason = err.Error()
	default:
		return &problem{status: http.StatusInternalServerError, Reason: "a mistake in capplan, not in the question"}
	}
	return p
}

// at takes the place of an error.
func (p *problem) at(file *source.FileError) {
	p.Line, p.Column, p.Text = file.Line, file.Column, file.Text
}

// name gives the problem its kind. It has to be called before the problem is written.
func (p *problem) name() {
	if p.Kind == "" {
		if p.Kind = kinds[p.status]; p.Kind == "" {
			p.Kind = "input"
		}
	}
}

// send writes the problem. Retry-After is in seconds.
func (p *problem) send(w http.ResponseWriter) {
	p.name()
	if p.status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	if p.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="capplan"`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.status)
	_ = json.NewEncoder(w).Encode(map[string]*problem{"error": p}) // who left reads no error
}
