//go:build unix && !linux

package lp

import "syscall"

// endWithParent does nothing: there is no such order to the system here.
func endWithParent(*syscall.SysProcAttr) {}
