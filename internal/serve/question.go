package serve

import (
	"context"
	"reflect"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/report/page"
)

// A question is one kind of question that can be asked. One value serves all requests, so that
// nothing in it is changed by one.
type question struct {
	name, usage string
	answer      string // name of the schema of the answer
	example     string // a body
	yaml        bool   // the body may be YAML
	struct_     any    // a question as it is before it is read, for the schema
	// read makes a question of a body.
	read func(ctx context.Context, b *body) (asking, error)
}

// An asking is a question that was read.
type asking struct {
	// ask answers; told, where it is not nil, hears how far it is.
	ask func(ctx context.Context, told func(done, of int)) (any, error)
	// sections show the answer as people read it.
	sections func(answer any) []*page.Section
	// place finds a field of the question in the body.
	asked *document.Asked
}

// of is a question whose struct is read field by field. fresh is the struct
// before that; told lets a question say how far it is. A question becomes a copy of fresh that the
// body is decoded into. ask answers it, show makes its section; the answer's schema has the
// question's name.
func of[Q, A any](
	name, usage, example string, fresh Q,
	ask func(context.Context, *Q) (*A, error), show func(*A) *page.Section, told func(*Q, func(done, of int)),
) question {
	return question{
		name: name, usage: usage, answer: name, example: example, struct_: fresh,
		read: func(_ context.Context, b *body) (asking, error) {
			q := fresh
			asked, err := questions.Decode(b.document, &q)
			if err != nil {
				return asking{}, err
			}
			if err := checkFiles(b.document, &q); err != nil {
				return asking{}, err
			}
			// Rules that a question has beyond its fields are checked at their places.
			if c, ok := any(&q).(checked); ok {
				if err := c.check(b.document); err != nil {
					return asking{}, err
				}
			}
			return asking{
				ask: func(ctx context.Context, hear func(done, of int)) (any, error) {
					if told != nil {
						told(&q, hear)
					}
					return ask(ctx, &q)
				},
				sections: func(a any) []*page.Section { return []*page.Section{show(a.(*A))} },
				asked:    asked,
			}, nil
		},
	}
}

// checked is a question with rules of its own, which are checked when its fields are read.
type checked interface {
	check(d *document.Document) error
}

// checkFiles checks the fields of a question that a command reads from files, such as batches and
// networks, by the rules of those files. Errors: *source.FileError at the line in the body;
// *ask.InputError of a file that is not given.
func checkFiles(d *document.Document, question any) error {
	v := reflect.ValueOf(question).Elem()
	for _, f := range questions.Fields(v.Type()) {
		at := v.FieldByIndex(f.Index)
		if at.Kind() != reflect.Pointer {
			at = at.Addr()
		}
		file, ok := at.Interface().(interface {
			CheckAt(part *document.Document) error
		})
		if !ok {
			continue
		}
		var part *document.Document // nil where the file is not given
		if n := d.Root.Field(f.Name); n != nil {
			part = new(*d)
			part.Root = n
		}
		if err := file.CheckAt(part); err != nil {
			return err
		}
	}
	return nil
}

func typesOf(values ...any) []reflect.Type {
	var all []reflect.Type
	for _, v := range values {
		all = append(all, reflect.TypeOf(v))
	}
	return all
}
