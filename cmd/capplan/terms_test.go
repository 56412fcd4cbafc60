package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
)

// abbreviation matches what a reader may have to look up: MOL, SCVs. Names in mixed
// letters are mostly those of Go, for who embeds a model.
var abbreviation = regexp.MustCompile(`\b[A-Z]{2,}s?\b`)

// commonWords need no glossary: whoever plans capacity knows them, or they name a
// product, a format, or a symbol of the formula that they stand in.
var commonWords = strings.Fields(`API CPU CSV GB HTTP JSON MB MPS RFC URL US UTC UTF VM VMs YAML DAS LA UR
	AR ARMA MA CR CV ETL JCT TL TR WR MEAN SHAPE SIGMA DAY HOST DO NOT EDIT APPROXIMATIONS`)

// Whatever abbreviation a message, an answer or an explanation may hold is among
// the terms.
func TestMessagesUseKnownTerms(t *testing.T) {
	known := map[string]bool{}
	for _, term := range terms {
		for _, w := range regexp.MustCompile(`[A-Za-z0-9]+`).FindAllString(term.Name, -1) {
			known[w], known[w+"s"] = true, true
		}
	}
	found := 0
	for _, dir := range []string{"report", "planner", "queueing", "reliability", "smp", "bags", "sim", "joblog", "trace",
		"traffic", "hosts", "lp/alloc"} {
		walk := func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			for _, text := range sentences(t, path) {
				for _, w := range abbreviation.FindAllString(text, -1) {
					if found++; !known[w] && !slices.Contains(commonWords, w) {
						t.Errorf("%s: %q uses %s, which capplan terms does not explain", path, text, w)
					}
				}
			}
			return nil
		}
		if err := filepath.WalkDir(filepath.Join("../..", dir), walk); err != nil {
			t.Error(err)
		}
	}
	if found < 100 {
		t.Errorf("only %d abbreviations seen", found)
	}
}

// sentences are the texts of more than a word in a file, but for those that begin
// with the name of what a programmer called.
func sentences(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	called := regexp.MustCompile(`^[a-z]+: |\b[A-Z][A-Za-z]*: `)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.GenDecl:
			if d, ok := n.(*ast.GenDecl); !ok || d.Tok == token.IMPORT || d.Tok == token.TYPE {
				return false
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind == token.STRING && err == nil && strings.Contains(text, " ") && !called.MatchString(text) {
				all = append(all, text)
			}
		}
		return true
	})
	return all
}

// The words that lead to the terms are sorted, for they are looked up, and each is
// explained.
func TestTermsExplainWhatLeadsToThem(t *testing.T) {
	words := cmdline.Explained()
	if !slices.IsSorted(words) {
		t.Error("the words are not sorted")
	}
	stdout, stderr, code := runLine(t, "capplan terms "+strings.Join(words, " "))
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	for _, w := range words {
		if !strings.Contains(stdout, w) {
			t.Errorf("%s is not explained", w)
		}
	}
}
