//go:build !unix

package lp

import (
	"errors"
	"os"
	"os/exec"
)

// Without process groups only the executable itself can be stopped.
func ownGroup(*exec.Cmd) {}

func interruptGroup(p *os.Process) { _ = p.Kill() }

func killGroup(p *os.Process) { _ = p.Kill() }

// openAnswer opens only what the solver itself has written: a link might lead
// anywhere.
func openAnswer(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return nil, errors.New("it is a link")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return os.Open(path)
}
