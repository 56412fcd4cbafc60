package parallel

// A Task is work in a goroutine of its own, for who may give up waiting.
type Task[T any] struct {
	done  chan struct{}
	value T
	panic *Panic
}

// Start begins f.
func Start[T any](f func() T) *Task[T] {
	t := &Task[T]{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		t.panic = Catch(func() { t.value = f() })
	}()
	return t
}

// Done is closed when the work has ended.
func (t *Task[T]) Done() <-chan struct{} { return t.done }

// Value waits for the end of the work and returns what it gave; a panic of the
// work is that of Value.
func (t *Task[T]) Value() T {
	<-t.done
	t.panic.Again()
	return t.value
}
