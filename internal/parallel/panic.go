package parallel

import (
	"fmt"
	"runtime/debug"
)

// A Panic is a panic on its way to another goroutine. It is what that
// goroutine then panics with.
type Panic struct {
	Value any    // what the work panicked with
	Stack []byte // of the work, as debug.Stack gives it
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Unwrap returns the value where it is an error, such as a runtime.Error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Catch calls f and returns its panic, nil where there is none.
func Catch(f func()) (caught *Panic) {
	defer func() {
		if v := recover(); v != nil {
			caught = asPanic(v)
		}
	}()
	f()
	return nil
}

// asPanic gives a recovered value its stack; one that comes from a goroutine
// keeps the stack that it has.
func asPanic(v any) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Stack: debug.Stack()}
}

// Again goes on with a panic that was caught; nothing happens where p is nil.
func (p *Panic) Again() {
	if p != nil {
		panic(p)
	}
}
