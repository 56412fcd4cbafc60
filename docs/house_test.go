// Package docs holds the pages of the project, and the tests that keep them
// true.
package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

//go:generate go test -run ^TestHouse$ -update .

var update = flag.Bool("update", false, "rewrite the generated part of ARCHITECTURE.md")

const module = "github.com/capplan/capplan"

// A storey is a set of packages that stand on those of the storeys below. A name
// that ends in /* stands for the folders of a folder.
type storey struct {
	name     string
	packages []string
	// among says that packages of the storey may import each other; otherwise
	// one imports only the package of the folder around its own.
	among bool
}

// storeys are the house from the top down.
var storeys = []storey{
	{name: "command", packages: []string{"cmd/capplan"}},
	{name: "grids", packages: []string{"cmd/capplan/internal/grid"}},
	{name: "commands", packages: []string{"cmd/capplan/internal/*"}},
	{name: "command line", packages: []string{"internal/cmdline"}},
	{name: "papers", packages: []string{"internal/papers", "internal/serve", "internal/sweeps"}},
	{name: "studies", packages: []string{"internal/papers/*"}, among: true},
	{name: "forecasts", packages: []string{"report/forecasts"}},
	{name: "presentation", packages: []string{"report"}},
	{name: "pages", packages: []string{"report/page"}},
	{name: "wording", packages: []string{"report/say"}},
	{name: "comparisons", packages: []string{"planner/compare"}},
	{name: "questions", packages: []string{"planner"}},
	{name: "machine types", packages: []string{"planner/internal/worth"}},
	{name: "scenarios", packages: []string{"planner/scenario"}},
	{name: "records", packages: []string{"planner/records", "internal/hostload", "internal/prometheus"}},
	{name: "rooms", packages: []string{"planner/*", "planner/machines/*", "planner/internal/*"}},
	{name: "fleets", packages: []string{"planner/sizing", "planner/machines", "planner/machines/backtest"}},
	{
		name:     "shared words",
		packages: []string{"planner/ask", "planner/growth", "planner/simulate", "planner/tally"},
		among:    true,
	},
	{name: "files", packages: []string{"joblog", "trace", "traffic"}},
	{name: "compression", packages: []string{"packed"}},
	{name: "reading", packages: []string{"internal/document", "internal/source", "internal/table"}, among: true},
	{name: "quantities", packages: []string{"chart", "units"}},
	{name: "simulations", packages: []string{"sim", "sim/*"}},
	{name: "models", packages: []string{
		"queueing", "queueing/*", "reliability", "smp", "smp/*", "lp", "lp/*", "bags", "bags/*",
	}},
	{name: "kernels", packages: []string{
		"queueing/internal/*", "bags/internal/*", "lp/alloc/internal/*", "sim/internal/*",
	}},
	{name: "machines", packages: []string{"hosts"}},
	{name: "laws", packages: []string{"law"}},
	{name: "ground", packages: []string{"internal/*"}, among: true},
}

// kits are packages that only tests import.
var kits = []string{"internal/longtest", "internal/numtest", "internal/schematest", "internal/source/sourcetest", "lp/lptest"}

// A ban says what a package must not link, directly or not, so that whoever
// embeds it does not pay for it.
type ban struct {
	packages []string
	linked   []string // prefixes of import paths
	why      string
}

var (
	formats     = []string{"go.yaml.in/yaml", "encoding/json", "github.com/go-json-experiment"}
	compression = []string{"compress", "github.com/klauspost/compress", "github.com/ulikunitz/xz"}
	fonts       = []string{"golang.org/x/image/font", "gonum.org/v1/plot", "github.com/golang/freetype"}
	shell       = []string{"flag", "github.com/urfave/cli"}

	bans = []ban{
		{
			packages: []string{"queueing", "queueing/*", "reliability", "smp", "smp/*", "lp", "lp/alloc", "bags", "bags/spequlos", "hosts", "law", "sim", "sim/*"},
			linked:   slices.Concat(formats, compression, fonts, shell),
			why:      "a model knows formulas, not files, flags or fonts",
		},
		{
			packages: []string{
				"planner", "planner/allocation", "planner/ask", "planner/growth", "planner/machines", "planner/machines/*",
				"planner/internal/*", "planner/queues", "planner/records", "planner/routes",
				"planner/scenario", "planner/sizing", "planner/survival", "planner/tally", "joblog", "trace",
			},
			linked: slices.Concat(compression, fonts, shell),
			why:    "whoever embeds questions has the data at hand, and draws the answers himself",
		},
		{
			packages: []string{"cmd/capplan"},
			linked:   []string{"gonum.org/v1/plot/font/liberation"},
			why:      "of the twelve fonts of gonum/plot's own charts one is drawn with: 4 MB, parsed at every start",
		},
	}
)

// A listedPackage is what go list says of a package.
type listedPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Doc        string
	Imports    []string
	Deps       []string
}

func (p listedPackage) name() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

// house returns the packages of the module by name.
func house(t *testing.T) map[string]listedPackage {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// listed asks the go command once for all tests.
var listed = sync.OnceValues(func() (map[string]listedPackage, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Doc,Imports,Deps", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	all := map[string]listedPackage{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if name := p.name(); name != "docs" && !slices.Contains(kits, name) {
			all[name] = p
		}
	}
})

// matches says whether one of the patterns names a package.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		folder, any := strings.CutSuffix(p, "/*")
		return p == name || any && path.Dir(name) == folder
	})
}

// storeyOf returns the index of a package's storey: that which names it, else
// that which names its folder; -1 for none.
func storeyOf(name string) int {
	for _, exact := range []bool{true, false} {
		for i, s := range storeys {
			if exact && slices.Contains(s.packages, name) || !exact && matches(s.packages, name) {
				return i
			}
		}
	}
	return -1
}

// Packages stand on those of the storeys below theirs.
func TestImportsGoDown(t *testing.T) {
	for name, p := range house(t) {
		from := storeyOf(name)
		if from < 0 {
			t.Errorf("%s stands in no storey: say in which, in docs/house_test.go", name)
			continue
		}
		for _, path := range p.Imports {
			to, ours := strings.CutPrefix(path, module+"/")
			if !ours {
				continue
			}
			if slices.Contains(kits, to) {
				t.Errorf("%s imports %s, which is for tests", name, to)
				continue
			}
			below := storeyOf(to)
			inside := below == from && (storeys[from].among || strings.HasPrefix(name, to+"/"))
			if below <= from && !inside {
				t.Errorf("%s (%s) imports %s (%s), which does not stand below it",
					name, storeys[from].name, to, storeys[below].name)
			}
		}
	}
}

// Papers are reproduced for the command only.
func TestPapersAreTheCommands(t *testing.T) {
	papers := module + "/internal/papers"
	for name, p := range house(t) {
		if name == "cmd/capplan" || strings.HasPrefix(name, "internal/papers") {
			continue
		}
		for _, i := range p.Imports {
			if i == papers || strings.HasPrefix(i, papers+"/") {
				t.Errorf("%s imports %s", name, i)
			}
		}
	}
}

// Whoever embeds a package links nothing that it does not need.
func TestEmbeddingLinksLittle(t *testing.T) {
	for name, p := range house(t) {
		for _, b := range bans {
			if !matches(b.packages, name) {
				continue
			}
			for _, dep := range p.Deps {
				banned := slices.ContainsFunc(b.linked, func(prefix string) bool {
					return dep == prefix || strings.HasPrefix(dep, prefix+"/")
				})
				if banned {
					t.Errorf("%s links %s: %s", name, dep, b.why)
				}
			}
		}
	}
}

const (
	pictureBegins = "<!-- The picture is made by go generate ./docs. -->\n"
	pictureEnds   = "<!-- End of the picture. -->\n"
)

// A package that one can read in a day has at most so many files and lines, tests apart.
// lp/alloc, one method with its bounds, is longer.
func TestPackagesAreSmall(t *testing.T) {
	const mostFiles, mostLines = 45, 6000
	for name, p := range house(t) {
		if name == "lp/alloc" {
			continue
		}
		lines := 0
		for _, file := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(text), "\n")
		}
		if len(p.GoFiles) > mostFiles || lines > mostLines {
			t.Errorf("%s has %d files of %d lines, at most %d and %d: part it by subject",
				name, len(p.GoFiles), lines, mostFiles, mostLines)
		}
	}
}

// The picture of the house is what go list says.
func TestHouse(t *testing.T) {
	const page = "ARCHITECTURE.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), pictureBegins)
	_, tail, ends := strings.Cut(rest, pictureEnds)
	if !ok || !ends {
		t.Fatalf("%s does not hold %q and %q", page, pictureBegins, pictureEnds)
	}
	want := head + pictureBegins + picture(house(t)) + pictureEnds + tail
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what go list says: go generate ./docs", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// picture draws the storeys from the top, then says of each package what it is
// for and what it stands on.
func picture(all map[string]listedPackage) string {
	names := make([][]string, len(storeys))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		i := storeyOf(name)
		names[i] = append(names[i], name)
	}
	var drawn, tables strings.Builder
	for i, s := range storeys {
		if len(names[i]) == 0 {
			continue
		}
		for k, line := range wrapped(names[i], 60) {
			title := ""
			if k == 0 {
				title = s.name
			}
			fmt.Fprintf(&drawn, "│ %-13s│ %-61s│\n", title, line)
		}
		fmt.Fprintf(&drawn, "├%s┼%s┤\n", strings.Repeat("─", 14), strings.Repeat("─", 62))

		fmt.Fprintf(&tables, "\n### %s\n\n| package | question or purpose | stands on |\n| --- | --- | --- |\n",
			strings.ToUpper(s.name[:1])+s.name[1:])
		for _, name := range names[i] {
			var on []string
			for _, path := range all[name].Imports {
				if to, ours := strings.CutPrefix(path, module+"/"); ours {
					on = append(on, "`"+to+"`")
				}
			}
			fmt.Fprintf(&tables, "| `%s` | %s | %s |\n", name, purpose(all[name].Doc), strings.Join(on, ", "))
		}
	}
	rows := strings.TrimSuffix(drawn.String(), "\n")
	floor := strings.LastIndex(rows, "├")
	top := "┌" + strings.Repeat("─", 14) + "┬" + strings.Repeat("─", 62) + "┐\n"
	rows = top + rows[:floor] + "└" + strings.Repeat("─", 14) + "┴" + strings.Repeat("─", 62) + "┘"
	return "\n```text\n" + rows + "\n```\n" + tables.String() + "\n"
}

// wrapped joins words to lines of at most width letters.
func wrapped(words []string, width int) (lines []string) {
	line := ""
	for _, w := range words {
		if line != "" && len(line)+2+len(w) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += "  "
		}
		line += w
	}
	return append(lines, line)
}

// purpose is the first clause of a package's first sentence, without the name.
func purpose(doc string) string {
	words := strings.Fields(doc)
	if len(words) < 3 {
		return doc
	}
	text := strings.Join(words[2:], " ") // Package x ...
	for _, verb := range []string{"answers: ", "answers "} {
		text = strings.TrimPrefix(text, verb)
	}
	for _, end := range []string{"? ", ": "} {
		if head, _, ok := strings.Cut(text, end); ok {
			text = head + strings.TrimRight(end, ": ")
		}
	}
	return strings.TrimSuffix(strings.ReplaceAll(text, "|", "\\|"), ".")
}
