// Package parallel runs work on goroutines and brings back what happens there,
// a panic included.
//
// A panic that nobody recovers ends the process from within, whatever the
// function that started the goroutine would do about it. Here the panic waits
// for the one who waits for the work, and goes on in that goroutine with the
// stack of where it began. So one recover at the top of a program sees the
// panics of all of its goroutines. (errgroup of golang.org/x/sync brings errors
// back, but no panics.)
//
// No other package of the module starts a goroutine; a test holds that.
package parallel
