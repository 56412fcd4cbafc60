//go:build unix

package lp

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the head of a process group of its own, which gets no signal of the
// terminal: only [interruptGroup] stops it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

func interruptGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGINT) }

func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// openAnswer opens a file for reading without following a link and without
// waiting for the writer of a pipe.
func openAnswer(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errors.New("it is a link")
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed.Err
	}
	return file, err
}
