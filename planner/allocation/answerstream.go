package allocation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
)

// An answer of largeAnswer bytes and more is read as a stream: of a million jobs with backups it holds 14 million
// values, which take over 1 GB as a document. It is a variable for a test.
var largeAnswer int64 = 32 << 20

// mostAnswer bounds the bytes of an answer.
const mostAnswer = 1 << 30

// An answerStream reads an answer in JSON, list by list. Nothing of the text is kept.
type answerStream struct {
	*document.Document
	fill   *document.Fill
	answer *BatchAnswer
	choice *document.FillPlan
	number *document.FillPlan
	place  string // what is read
}

// streamBatchAnswer is [ReadBatchAnswer] of a large answer in JSON.
func streamBatchAnswer(ctx context.Context, name string, r io.Reader) (*BatchAnswer, error) {
	d := &document.Document{Name: name, Want: answerForm}
	text := &io.LimitedReader{R: r, N: mostAnswer + 1}
	s := &answerStream{Document: d, fill: document.NewFill(text), answer: &BatchAnswer{d: d}, place: "the document",
		choice: document.PlanOf(reflect.TypeFor[BatchChoice]()), number: document.PlanOf(reflect.TypeFor[*Whole]())}
	listed := false
	err := s.fill.Object(func(field []byte) error {
		switch string(field) {
		case "assignments":
			listed = true
			return s.list("assignments", &s.answer.Assignments)
		case "revenue":
			return s.figure("revenue", &s.answer.Revenue)
		case "backup":
			return s.backup()
		}
		return s.fill.Dec.SkipValue()
	})
	switch {
	case text.N == 0:
		return nil, d.Whole("holds more than 1 GiB", source.ErrMemory)
	case err == nil && !listed:
		err = document.ErrOdd
	case err == nil:
		if _, err = s.fill.Dec.ReadToken(); err == io.EOF {
			return s.answer, nil
		}
		err, s.place = document.ErrOdd, "what follows the document"
	}
	if ctx.Err() != nil || !errors.Is(err, document.ErrOdd) && !isSyntax(err) {
		return nil, d.ReadError(ctx, err)
	}
	return nil, d.Whole(s.place+" is not as it should be", source.ErrMalformed)
}

// isSyntax reports whether an error is of the text and not of reading it.
func isSyntax(err error) bool {
	var syntax *jsontext.SyntacticError
	return errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF)
}

// backup reads the backups, of an answer that has some.
func (s *answerStream) backup() error {
	s.place = "backup"
	if s.fill.Dec.PeekKind() == 'n' {
		return s.fill.Dec.SkipValue()
	}
	err := s.fill.Object(func(field []byte) error {
		switch string(field) {
		case "assignments":
			s.answer.HasBackups = true
			return s.list("backup.assignments", &s.answer.Backups)
		case "loss":
			return s.figure("backup.loss", &s.answer.Loss)
		}
		return s.fill.Dec.SkipValue()
	})
	if err == nil && !s.answer.HasBackups {
		return document.ErrOdd
	}
	return err
}

// list reads choices, once.
func (s *answerStream) list(place string, into *[]BatchChoice) error {
	s.place = place
	if s.fill.Dec.PeekKind() != '[' || *into != nil {
		return s.fill.Odd()
	}
	if _, err := s.fill.Dec.ReadToken(); err != nil {
		return err
	}
	list := make([]BatchChoice, 0, len(s.answer.Assignments)) // as many backups as primaries
	for s.fill.Dec.PeekKind() != ']' {
		s.place = fmt.Sprintf("%s[%d]", place, len(list))
		list = append(list, BatchChoice{})
		if err := s.fill.Value(s.choice, reflect.ValueOf(&list[len(list)-1]).Elem()); err != nil {
			return err
		}
	}
	*into = list
	_, err := s.fill.Dec.ReadToken()
	return err
}

// figure reads a whole number or null.
func (s *answerStream) figure(place string, into **float64) error {
	s.place = place
	var v *Whole
	if err := s.fill.Value(s.number, reflect.ValueOf(&v).Elem()); err != nil || v == nil {
		return err
	}
	*into = new(float64(*v))
	return nil
}
