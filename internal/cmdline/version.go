package cmdline

import (
	"context"
	"runtime"
	"runtime/debug"
)

// VersionCommand says which program this is.
func VersionCommand() *Command {
	return &Command{
		Name: "version", Usage: "the version of this program", Flags: PlainFlags(),
		Description: "  $ capplan version",
		Ask: func(context.Context, *Streams, []string) (*Result, error) {
			return &Result{Raw: versionLine() + "\n"}, nil
		},
	}
}

// versionLine names the program, its compiler and the machine it is for.
func versionLine() string {
	return "capplan " + Version() + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// Version is that of the module the program was built from, "(devel)" where none is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
