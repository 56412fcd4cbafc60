package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
)

func versionCommand() *command {
	return &command{
		name: "version", usage: "the version of this program", flags: &flagSet{output: &output{format: "text"}},
		description: "  $ capplan version",
		ask: func(context.Context, *streams, []string) (*result, error) {
			return &result{raw: versionLine() + "\n"}, nil
		},
	}
}

// versionLine names the program, its compiler and the machine it is for.
func versionLine() string {
	return "capplan " + version() + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func manCommand() *command {
	return &command{
		name: "man", usage: "the manual page, in man format", flags: &flagSet{output: &output{format: "text"}},
		description: "Read it with: capplan man | man -l -\n\n  $ capplan man",
		ask: func(_ context.Context, s *streams, _ []string) (*result, error) {
			page, err := newApp(s, commands()).ToManWithSection(1)
			return &result{raw: page}, err
		},
	}
}

func completionCommand() *command {
	return &command{
		name: "completion", usage: "a completion script for bash, zsh or fish", args: "bash|zsh|fish", maxArgs: 1,
		flags: &flagSet{output: &output{format: "text"}},
		description: `Load it into the running shell with

  source <(capplan completion bash)

or write it to where the shell looks for completions.

  $ capplan completion zsh`,
		ask: func(_ context.Context, s *streams, args []string) (*result, error) {
			shells := []string{"bash", "zsh", "fish"}
			shell := ""
			if len(args) == 1 {
				shell = args[0]
			}
			switch shell {
			case "bash":
				return &result{raw: bashCompletion}, nil
			case "zsh":
				return &result{raw: zshCompletion}, nil
			case "fish":
				script, err := newApp(s, commands()).ToFishCompletion()
				return &result{raw: script}, err
			}
			return nil, &usageError{"completion", "want one of " + strings.Join(shells, ", ") + suggest(shell, shells)}
		},
	}
}

// The shells ask the program itself: the words so far, then completionFlag.
const bashCompletion = `# bash completion of capplan
_capplan() {
  local cur="${COMP_WORDS[COMP_CWORD]}" words
  words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ "$cur" == -* ]]; then words+=("$cur"); fi
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _capplan capplan
`

const zshCompletion = `#compdef capplan
_capplan() {
  local -a words_so_far options
  local cur="${words[CURRENT]}"
  words_so_far=("${(@)words[1,CURRENT-1]}")
  if [[ "$cur" == -* ]]; then words_so_far+=("$cur"); fi
  options=("${(@f)$("${words_so_far[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n "${options[1]}" ]]; then compadd -- "${options[@]%%:*}"; else _files; fi
}
if [[ "$funcstack[1]" == _capplan ]]; then _capplan "$@"; else compdef _capplan capplan; fi
`
