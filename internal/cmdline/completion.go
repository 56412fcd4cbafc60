package cmdline

import (
	"context"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/spell"
)

// withoutDefaults matches the default of a flag in a manual page, "" for most.
var withoutDefaults = regexp.MustCompile(`\\fP(="[^"]*")?: `)

// ManCommand writes the manual page of a program. It is made from the help by way of Markdown,
// whose signs are escaped before.
func ManCommand(of func() *Program) *Command {
	return &Command{
		Name: "man", Usage: "the manual page, in man format", Flags: PlainFlags(),
		Description: "Read it with: capplan man | man -l -\n\n  $ capplan man",
		// The page is made of the program as it is, so that it cannot differ from the help.
		Ask: func(_ context.Context, s *Streams, _ []string) (*Result, error) {
			app := of().App(s)
			escape(app.Commands)
			page, err := app.ToManWithSection(1)
			return &Result{Raw: withoutDefaults.ReplaceAllString(page, `\fP `)}, err
		},
	}
}

// markup stands before what a manual page's Markdown would take for markup: "p50<80ms,p99"
// begins a tag there, and is left out up to its end. Words between ` are set apart on purpose.
var markup = strings.NewReplacer(`<`, `\<`, `*`, `\*`)

// escape has the texts of all flags stand as they are in a page made of Markdown. The flags are
// those of a program that was made for this page alone.
func escape(commands []*cli.Command) {
	for _, c := range commands {
		for _, flag := range c.Flags {
			if f, ok := flag.(*cli.GenericFlag); ok {
				f.Usage = markup.Replace(f.Usage)
			}
		}
		escape(c.Subcommands)
	}
}

// shells are those that a script is written for. Each has a script of its own below, which asks the
// program for words.
var shells = []string{"bash", "zsh", "fish"}

// CompletionCommand writes what completes the words of a program in a shell.
func CompletionCommand(of func() *Program) *Command {
	return &Command{
		Name: "completion", Usage: "a completion script for bash, zsh or fish", Args: "bash|zsh|fish", MaxArgs: 1,
		Flags: PlainFlags(),
		Description: `Load it into the running shell with

  source <(capplan completion bash)

or write it to where the shell looks for completions.

  $ capplan completion zsh`,
		Complete: func() []string { return shells },
		Ask: func(_ context.Context, _ *Streams, args []string) (*Result, error) {
			shell := ""
			if len(args) == 1 {
				shell = args[0]
			}
			switch shell {
			case "bash":
				return &Result{Raw: bashCompletion}, nil
			case "zsh":
				return &Result{Raw: zshCompletion}, nil
			case "fish":
				return &Result{Raw: fishCompletion}, nil
			}
			return nil, &UsageError{Reason: "want one of " + strings.Join(shells, ", ") + spell.Suggest(shell, shells)}
		},
	}
}

// The shells ask the program itself: the words so far with the one begun, which may be
// empty, then completionFlag.
const bashCompletion = `# bash completion of capplan
_capplan() {
  local cur="${COMP_WORDS[COMP_CWORD]}" words
  words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ "$cur" == "=" ]]; then cur=""; fi
  words+=("$cur")
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi
  if [[ "${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o filenames -F _capplan capplan
`

const zshCompletion = `#compdef capplan
_capplan() {
  local -a words_so_far options
  local cur="${words[CURRENT]}"
  words_so_far=("${(@)words[1,CURRENT]}")
  options=("${(@f)$("${words_so_far[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n "${options[1]}" ]] && compadd -S '' -q -- "${(@M)options:#*=}" 2>/dev/null; then return; fi
  if [[ -n "${options[1]}" ]] && compadd -- "${options[@]}"; then return; fi
  if [[ "$cur" == -*=* ]]; then compset -P '*='; fi
  _files
}
if [[ "$funcstack[1]" == _capplan ]]; then _capplan "$@"; else compdef _capplan capplan; fi
`

const fishCompletion = `# fish completion of capplan
function __capplan_words
  set -l words (commandline -opc)
  set -l cur (commandline -ct)
  set cur "$cur" # one word, also where nothing is typed yet
  set -l options ($words "$cur" --generate-bash-completion 2>/dev/null)
  if test (count $options) -gt 0; and string match -q -- "$cur*" $options
    printf '%s\n' $options
  else if string match -qr -- '^-[^=]*=' $cur
    set -l flag (string replace -r -- '=.*' '=' $cur)
    printf "$flag%s\n" (__fish_complete_path (string replace -r -- '^[^=]*=' '' $cur))
  else
    __fish_complete_path $cur
  end
end
complete -c capplan -f -a '(__capplan_words)'
`
