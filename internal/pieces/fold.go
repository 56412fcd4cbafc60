package pieces

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/internal/parallel"
)

// A Work is pieces of one kind.
type Work struct {
	Name  string  `json:"work"`           // in the plural: points, replications
	Count int     `json:"pieces"`         // how many there are
	Seed  *uint64 `json:"seed,omitempty"` // that their chance is keyed by; nil: none
	// Workers is how many are done at once; 0 is one a core.
	Workers int `json:"-"`
}

// A Form writes partials and reads them back.
type Form[P any] struct {
	// Write appends the partial of piece i as one JSON value without a line break.
	Write func(to []byte, i int, p P, words Words) ([]byte, error)
	// Read reads what Write wrote. The text is only lent. Any error becomes a *FormError.
	Read func(i int, text []byte, said Said) (P, error)
}

// Words keeps texts that many pieces repeat, such as the names of columns, once.
type Words interface {
	// Number returns the number under which [Said] finds the text.
	Number(text string) int
}

// Said are the texts that [Words] kept.
type Said interface {
	Text(number int) (text string, ok bool)
}

// A Write appends the partial of one piece.
type Write func(to []byte, words Words) ([]byte, error)

// A Keeper has pieces done and writes down what they come to.
type Keeper interface {
	Keep(ctx context.Context, w Work, do func(i int) (Write, error)) error
}

// A Kept is a piece that was written down. Its text is only lent.
type Kept struct {
	Index int
	Text  []byte
	Said  Said
}

// A Giver hands over all pieces that were written down, in order and some at a
// time. It says of a *[FormError] where the piece stands.
type Giver interface {
	Give(ctx context.Context, w Work, some func([]Kept) error) error
	// Skim hands them over in no order, on all cores, each as soon as it is read.
	Skim(ctx context.Context, w Work, look func(Kept) error) error
	// Again hands over those of the last work once more, in order and some at a time.
	Again(ctx context.Context, w Work, some func([]Kept) error) error
}

// ErrKept says that pieces were done and kept, and that there is no answer yet.
var ErrKept = errors.New("the pieces are kept: the answer is made when all are merged")

// ErrUncounted says that work cannot be parted, since how many pieces it has
// depends on what they come to.
var ErrUncounted = errors.New("how many pieces there are is known only when they are done")

// A FormError says that a piece was not written down as its [Form] writes it.
type FormError struct{ Index int }

func (e *FormError) Error() string {
	return fmt.Sprintf("piece %d is not as it was written", e.Index)
}

// key is that of the [elsewhere] in a context.
type key struct{}

// elsewhere is where pieces go to or come from: one of the two.
type elsewhere struct {
	keeper Keeper
	giver  Giver
}

// WithKeeper returns a context in which the outermost [Fold] keeps its pieces.
func WithKeeper(ctx context.Context, k Keeper) context.Context {
	return context.WithValue(ctx, key{}, elsewhere{keeper: k})
}

// WithGiver returns a context in which the outermost [Fold] takes pieces that were
// kept.
func WithGiver(ctx context.Context, g Giver) context.Context {
	return context.WithValue(ctx, key{}, elsewhere{giver: g})
}

// Parted reports whether the pieces of the outermost [Fold] are not all done here and now. Work
// whose number of pieces depends on their results must be refused then.
func Parted(ctx context.Context) bool { return at(ctx) != elsewhere{} }

func at(ctx context.Context) elsewhere {
	e, _ := ctx.Value(key{}).(elsewhere)
	return e
}

// Fold does the pieces 0 to w.Count−1 on the cores and takes each partial as soon
// as all before it were taken, never two at once. The error is that of the least
// piece that failed, as with [parallel.Each]; where the context ends, the pieces
// before the first that was not done have been taken.
//
// With a keeper in the context nothing is taken, and the error is [ErrKept] where
// all went well.
func Fold[P any](ctx context.Context, w Work, form Form[P], do func(ctx context.Context, i int) (P, error),
	take func(i int, p P) error) error {
	inner := context.WithValue(ctx, key{}, elsewhere{})
	if k := at(ctx).keeper; k != nil {
		err := k.Keep(ctx, w, func(i int) (Write, error) {
			p, err := do(inner, i)
			return func(to []byte, words Words) ([]byte, error) { return form.Write(to, i, p, words) }, err
		})
		err = cmp.Or(err, ErrKept)
		return err
	}
	if g := at(ctx).giver; g != nil {
		return g.Give(ctx, w, func(some []Kept) error { return retake(ctx, form, some, take) })
	}
	line := Line[P]{Take: take}
	return parallel.Each(ctx, w.Workers, w.Count, func(i int) error {
		p, err := do(inner, i)
		if err == nil {
			err = ctx.Err() // what ended early may not have said so
		}
		if err != nil {
			return err
		}
		return line.Put(i, p)
	})
}

// retake reads some pieces on all cores and takes them.
func retake[P any](ctx context.Context, form Form[P], some []Kept, take func(i int, p P) error) error {
	read := make([]P, len(some))
	err := parallel.All(ctx, portions(len(some)), func(k int) (err error) {
		for j := k * portion; j < min((k+1)*portion, len(some)) && err == nil; j++ {
			if read[j], err = form.Read(some[j].Index, some[j].Text, some[j].Said); err != nil {
				err = &FormError{some[j].Index}
			}
		}
		return err
	})
	for j := 0; j < len(some) && err == nil; j++ {
		err = take(some[j].Index, read[j])
	}
	return err
}
