// Command capplan answers capacity questions from the shell. See the README
// and "capplan help".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/capplan/capplan/packed" // gzip and xz, wherever a file is read
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it to go on
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	// The first signal asks for an orderly end; with its own meaning given back,
	// a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
