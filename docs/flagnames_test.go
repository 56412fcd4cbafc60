package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// flagName is a flag as a command line has it: not a var(--card) of a style sheet.
var flagName = regexp.MustCompile(`(^|[\s"'\x60;,]|[^r]\()--[a-z]`)

// commandName is a command of the program, but for "capplan knows no rates of exchange".
var commandName = regexp.MustCompile(`\bcapplan [a-z]+`)

// ofOthers are the files whose texts name flags all the same, with why.
var ofOthers = map[string]string{
	"planner/approximations/generate.go": "the page that it writes says which command writes it",
}

// Whoever embeds a library has no flags and no commands, and another command has other flags:
// messages name fields of questions (ask.FieldName), of which a command line makes flags, and
// cmdline has remedies to add.
func TestLibrariesNameNoFlags(t *testing.T) {
	texts := 0
	for _, root := range []string{
		"planner", "report", "trace", "joblog", "packed", "chart", "units", "law", "hosts", "bags",
		"queueing", "reliability", "smp", "sim",
	} {
		err := filepath.WalkDir(filepath.Join("..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if ofOthers[filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))] != "" {
				return nil
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				l, ok := n.(*ast.BasicLit)
				if !ok || l.Kind != token.STRING {
					return true
				}
				texts++
				text, err := strconv.Unquote(l.Value)
				command := commandName.FindString(text)
				if err != nil || flagName.MatchString(text) || command != "" && command != "capplan knows" {
					t.Errorf("%s: %s names a flag or a command; name the field of the question, or what to do", set.Position(l.Pos()), l.Value)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if texts < 1000 {
		t.Errorf("%d texts seen, want thousands", texts)
	}
}
