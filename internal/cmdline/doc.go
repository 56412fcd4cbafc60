// Package cmdline is what all commands of the program share: how words become a
// question, and how an answer leaves. It knows no question of its own.
//
//	words ─▶ arrange ─▶ flags ─▶ Command.Ask ─▶ Result ─▶ text, JSON, CSV, figure
//	                                   └──────▶ error  ─▶ message and exit code
//
// A command is a function that makes a [Command] anew, with a [FlagSet] whose
// flags are bound to the fields of a question: [Value] for quantities of package
// units, [OneOf] for words, and the methods of the set for texts and switches. The
// command's Ask fills in the rest, asks the planner and returns [Answered]: the
// answer's struct for JSON and its section for people. That commands are made anew
// is what lets [Sweep] ask one at many points in one process.
//
// What the parser underneath (urfave/cli) does not do is done here: flags behind
// file arguments, an empty or repeated flag refused, the nearest spelling of what
// is unknown, a flag that says nothing without another ([FlagSet.Needs]), a full
// disk or a closed pipe never taken for success, an answer written whole or not at
// all, a panic reported as the mistake that it is.
//
// An error of a question names a field, max_wait, and is told by its flag,
// --max-wait; a field without a flag stands under its own name. The exit code
// follows the type of the error: 2 for what the asker can mend, 3 for what no
// answer exists for, 1 for the rest.
//
// Left out on purpose: configuration files and variables of the environment that
// change an answer. What was asked stands on the command line and in its files.
package cmdline
