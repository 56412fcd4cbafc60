package lp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/capplan/capplan/internal/children"
	"github.com/capplan/capplan/internal/parallel"
)

// stopDelay is how long an executable that was asked to stop may take to write
// what it has; waitDelay how long the log is waited for when the executable
// has ended with its answer written.
const (
	stopDelay = 600 * time.Millisecond
	waitDelay = 200 * time.Millisecond
)

// process is one run of an executable. The executable may be a wrapper that
// starts others: all of them are one process group, which does not outlive the
// run.
type process struct {
	path   string
	args   []string
	dir    string
	answer string // the file that it is to write
	log    lastBytes
}

// run starts the executable and waits until it has ended, or for a little while
// once the context has. The error is *exec.ExitError where it ended with
// another code than 0, else that of the start.
func (p *process) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// The system ends the executable with the thread that started it, where it
	// can: then a run that is killed leaves none behind.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, in, in
	ownGroup(cmd)
	err = cmd.Start()
	in.Close()
	if err != nil {
		return err
	}
	defer children.Add(func() { killGroup(cmd.Process) })()
	draining := parallel.Start(func() error {
		_, err := io.Copy(&p.log, out)
		return err
	})
	ended := make(chan struct{})
	watching := parallel.Start(func() (none struct{}) {
		select {
		case <-ended:
			return none
		case <-ctx.Done():
		}
		// Asked to stop, some write the best so far; none is waited for longer.
		interruptGroup(cmd.Process)
		select {
		case <-ended:
		case <-time.After(stopDelay):
			killGroup(cmd.Process)
		}
		return none
	})
	err = cmd.Wait()
	p.linger(ctx, draining.Done(), err == nil)
	close(ended)
	watching.Value()
	killGroup(cmd.Process)
	out.Close()          // ends the copying, should a process outside of the group hold the log
	_ = draining.Value() // the end of a closed pipe is an error
	return err
}

// linger waits for what a wrapper has left behind. Where the answer is there,
// that is the rest of the log; where it is not, though all went well, what
// still holds the log may be the solver.
func (p *process) linger(ctx context.Context, drained <-chan struct{}, well bool) {
	select {
	case <-drained:
		return
	case <-time.After(waitDelay):
	}
	if _, err := os.Lstat(p.answer); well && errors.Is(err, os.ErrNotExist) {
		select {
		case <-drained:
		case <-ctx.Done():
		}
	}
}

// readAnswer reads the file that an executable was told to write, "" when
// there is none. What is no regular file, or larger than any answer, is refused
// before anything of it is read.
func readAnswer(path string, most int64) (string, error) {
	file, err := openAnswer(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("it is not a regular file (%s)", info.Mode().Type())
	case info.Size() > most:
		return "", fmt.Errorf("it has %d bytes, but a solution of this model has at most %d", info.Size(), most)
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("it has more than %d bytes", most)
	}
	if err != nil {
		return "", err
	}
	return string(data), nil
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct {
	mu   sync.Mutex
	data []byte
}

const lastBytesKept = 1 << 20

// Write drops the beginning when twice as much as is kept has come.
func (l *lastBytes) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.data = append(l.data, p...); len(l.data) > 2*lastBytesKept {
		l.data = append(l.data[:0], l.data[len(l.data)-lastBytesKept:]...)
	}
	return len(p), nil
}

func (l *lastBytes) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.data)
}
