package document

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// yamlWords says in this program's words what the YAML parser found: the first line whose words all
// occur in the parser's message and its context. A want of "" is the form of the file. The parser's
// messages may change with its version: an error that no line matches is reported without its
// reason, by its place alone.
var yamlWords = []struct {
	message, context string // parts of them
	problem, want    string
}{
	{"mapping values are not allowed", "", "a \": \" where no key is allowed",
		`each key on a line of its own, and text that holds ": " in quotes`},
	{"mapping keys are not allowed", "", "a \"? \" where no key is allowed", `text that begins with "? " in quotes`},
	{"block sequence entries are not allowed", "", "a \"- \" where no list is allowed",
		`the entries of a list on lines of their own below its key, and text that begins with "- " in quotes`},
	{"did not find expected key", "", "a line that is neither a key nor a continuation of the lines above",
		"a key such as name: at the indentation of its neighbours"},
	{"expected '-' indicator", "", `a line among the entries of a list that does not begin with "- "`,
		`"- " at the indentation of the other entries`},
	{"',' or ']'", "", "a list in brackets that is not closed, or lacks a comma",
		"a comma between entries and ] after the last"},
	{"',' or '}'", "", "a mapping in braces that is not closed, or lacks a comma",
		"a comma between fields and } after the last"},
	{"could not find expected ':'", "", "a key without a colon, or text where a key should stand",
		"a colon and a space after a key, as in name: C64"},
	{"did not find expected node content", "", "no value where one is needed",
		"a value; text that begins with one of , ] } % in quotes"},
	{"cannot start any token", "", "a character that cannot begin a text",
		"spaces to indent, not tabs, and text that begins with @, ` or % in quotes"},
	{"mixed spaces and tabs", "", "a line indented with both spaces and tabs", "spaces to indent"},
	{"a tab character", "", "a line indented with a tab", "spaces to indent"},
	{"tabs where space", "", "a line indented with a tab", "spaces to indent"},
	{"tab indentation is required", "", "spaces below a line that is indented with a tab", "spaces to indent all lines"},
	{"indentation style", "", "lines indented with both spaces and tabs", "spaces to indent"},
	{"end of stream", "quoted", "quotes that are not closed", "the same quote at the end of the text"},
	{"document indicator", "quoted", "a line of --- or ... inside quotes", "the quote closed before it"},
	{"unknown escape", "quoted", "a \\ in double quotes before a character that cannot be escaped",
		`\\ for a \ itself, or single quotes`},
	{"", "quoted", `\x, \u or \U in double quotes without the hexadecimal digits of a character`,
		`\\ for a \ itself, or single quotes`},
	{"without preceding whitespace", "", "a # directly after other text", "a space before a comment"},
	{"indentation indicator", "block scalar", "an indentation of 0 after | or >", "1 to 9, or none"},
	{"", "block scalar", "text after | or > on the same line", "the text on the lines below"},
	{"alphabetic or numeric", "alias", "a * without a name", "text that begins with * in quotes"},
	{"alphabetic or numeric", "anchor", "an & without a name", "text that begins with & in quotes"},
	{"", "tag", tagRead, tagWant},
	{"", "%TAG", tagRead, tagWant},
	{"tag handle", "", tagRead, tagWant},
	{"%TAG", "", tagRead, tagWant},
	{"incompatible YAML document", "", "a YAML version other than 1.1 or 1.2", "no %YAML line"},
	{"", "directive", "a line that begins with % and is not a %YAML line", "text that begins with % in quotes"},
	{"directive", "", "a line that begins with % inside a document, or twice", "one %YAML line at most, at the top"},
	{"document-end marker", "", "text after the ... that ends the document", "nothing after it"},
	{"<document start>", "", "text after the end of the content",
		"one mapping or list in a file, with all of its lines indented alike"},
	{"UTF-8", "", "bytes that are not UTF-8 text", "text in UTF-8"},
	{"UTF-16", "", "bytes that are not UTF-16 text", "text in UTF-8"},
	{"surrogate", "", "bytes that are not UTF-16 text", "text in UTF-8"},
	{"Unicode character", "", "a character that is not part of Unicode", "text in UTF-8"},
	{"control characters", "", "a control character", "text without it, or an escape such as \\x07 in double quotes"},
}

const (
	tagRead = "a YAML tag, which is not supported"
	tagWant = "values, lists and mappings without tags; text that begins with ! in quotes"
)

// inOurWords says what is wrong with the syntax of YAML, and what to write.
func inOurWords(e *yaml.LoadError) (problem, want string) {
	for _, w := range yamlWords {
		if strings.Contains(e.Message, w.message) && strings.Contains(e.ContextMsg, w.context) {
			return w.problem, w.want
		}
	}
	return "a line that cannot be read", ""
}
