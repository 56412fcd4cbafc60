package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
)

// The forms that an answer can have, by the header Accept; the first is the
// default.
const (
	asJSON   = "application/json"
	asHTML   = "text/html"
	asEvents = "text/event-stream"
)

// accepted is the first form that a request asks for. Weights (q=) are passed over: a client that
// takes several forms names the one that it wants first.
func accepted(r *http.Request) string {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		switch kind, _, _ := mime.ParseMediaType(part); kind {
		case asJSON, asHTML, asEvents:
			return kind
		}
	}
	return asJSON
}

// answer is the handler of a question. The body is read before a place is taken and the answer
// written after it is given back, so that a slow client holds none. The body is parsed between, since
// that takes a core.
func (s *Server) answer(q *question) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		content, err := readBody(w, r, q.yaml)
		if err != nil {
			problemOf(err, nil).send(w)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), s.limit)
		defer cancel()
		ctx, release, err := s.compute(ctx)
		if err != nil {
			problemOf(err, nil).send(w)
			return
		}
		defer release()
		b, err := parseBody(ctx, content, q.yaml)
		if err != nil {
			problemOf(err, nil).send(w)
			return
		}
		a, err := q.read(ctx, b)
		if err != nil {
			problemOf(err, nil).send(w)
			return
		}
		// The form is checked last: what is wrong with a question is reported in JSON whatever form
		// it asks for.
		form := accepted(r)
		if form == asEvents {
			s.stream(ctx, w, &a, release)
			return
		}
		text, err := a.written(ctx, form, nil)
		release()
		if err != nil {
			problemOf(err, a.asked).send(w)
			return
		}
		w.Header().Set("Content-Type", form+"; charset=utf-8")
		_, _ = w.Write(text) // who left reads no answer
	}
}

// compute takes a place for a question that has come whole, which is computed under the context
// returned. release, which may be called again, gives it back. Errors: those of a place.
func (s *Server) compute(ctx context.Context) (_ context.Context, release func(), err error) {
	computed := computes(ctx)
	ctx, give, err := s.places.take(ctx)
	if err != nil {
		computed()
		return nil, nil, err
	}
	return ctx, sync.OnceFunc(func() { give(); computed() }), nil
}

// written asks and writes the answer in a form. told is nil where nobody hears how far the question
// is.
func (a *asking) written(ctx context.Context, form string, told func(done, of int)) ([]byte, error) {
	answer, err := a.ask(ctx, told)
	if err != nil {
		return nil, err
	}
	if form == asHTML {
		return sectionsHTML(ctx, a.sections(answer))
	}
	var out bytes.Buffer
	// The rules of encoding/json, as the commands write.
	err = json.MarshalWrite(&out, answer, jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false))
	if err == nil {
		out.WriteByte('\n')
	}
	return out.Bytes(), err
}

// sectionsHTML draws and writes sections. An answer without a curve has no figure, which is no
// error here.
func sectionsHTML(ctx context.Context, all []*page.Section) ([]byte, error) {
	var out bytes.Buffer
	for _, s := range all {
		var none *ask.InputError // an answer without a curve
		if _, err := s.Draw(ctx); err != nil && !(errors.As(err, &none) && none.Field == "plot") {
			return nil, err
		}
		if err := s.WriteHTML(&out); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// guarded answers with 500 if a handler panics, which is always a mistake in capplan, and logs
// where. http.ErrAbortHandler makes net/http drop a connection, and is passed on.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caught := parallel.Catch(func() { next.ServeHTTP(w, r) })
		if caught == nil {
			return
		}
		if caught.Value == http.ErrAbortHandler {
			panic(http.ErrAbortHandler) // ends the connection
		}
		fmt.Fprintf(s.log, "capplan serve: internal error at %s: %v\n%s\n", r.URL.Path, caught.Value, caught.Stack)
		problemOf(caught, nil).send(w)
	})
}
