package lp

import "syscall"

// endWithParent has the system end the command when this process ends in any
// way, killed included.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
