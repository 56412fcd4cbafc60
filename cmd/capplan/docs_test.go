package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/longtest"
)

// runLine runs a command line in this process, in the shell's words.
func runLine(t *testing.T, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), shellWords(line), strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

// atRoot runs the test in the repository's root, whose files the documentation
// names, in a copy of the paths so that nothing is written there.
func atRoot(t *testing.T) (root string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	return root
}

var consoleBlock = regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n(.*?)```")

// Every console block of the README is what the command prints now; -update
// rewrites them.
func TestREADMECommands(t *testing.T) {
	root := atRoot(t)
	file := filepath.Join(root, "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	rewritten := consoleBlock.ReplaceAllStringFunc(string(data), func(block string) string {
		m := consoleBlock.FindStringSubmatch(block)
		line := strings.Replace(m[1], "go run ./cmd/capplan", "capplan", 1)
		if line == "go test ./..." {
			return block // that is what runs this
		}
		blocks++
		stdout, stderr, code := runLine(t, line)
		if code != 0 && !strings.Contains(line, "check") {
			t.Errorf("%s: exit code %d: %s", line, code, stderr)
		}
		if stdout != m[2] && !*update {
			t.Errorf("%s prints\n%s\nthe README says\n%s", line, stdout, m[2])
		}
		return "```console\n$ " + m[1] + "\n" + stdout + "```"
	})
	if blocks < 5 {
		t.Errorf("only %d console blocks found", blocks)
	}
	if *update {
		if err := os.WriteFile(file, []byte(rewritten), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A newcomer looks for a question in the README's table: each command that answers one is there.
func TestREADMENamesEachCommand(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]bool{"completion": true, "man": true, "terms": true, "version": true, "help": true}
	for _, c := range capplan().App(&cmdline.Streams{}).Commands {
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + c.Name + "`")
		if !about[c.Name] && !row.Match(data) {
			t.Errorf("no row of the README's table names %s", c.Name)
		}
	}
}

// The plot of the README is what the command draws now.
func TestREADMEPlot(t *testing.T) {
	root := atRoot(t)
	if _, stderr, code := runLine(t, "capplan size --load 120 --max-blocking 1% --plot size.svg"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	got, err := os.ReadFile("size.svg")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join(root, "testdata", "readme", "size.svg")
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("testdata/readme/size.svg is out of date: go test ./cmd/capplan -update, and look at it")
	}
}

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```\n\nprints[^\n]*\n\n```text\n(.*?)```")

// The Go program of the README compiles and prints what it says.
func TestREADMEProgram(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := goBlock.FindSubmatch(data)
	if m == nil {
		t.Fatal("no Go block with its output in the README")
	}
	program := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(program, m[1], 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", program)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if string(out) != string(m[2]) {
		t.Errorf("prints %q, the README says %q", out, m[2])
	}
}

// Every example in the help of every command runs.
func TestHelpExamples(t *testing.T) {
	atRoot(t)
	lines := helpExamples(capplan().Description)
	var walk func(makers []func() *cmdline.Command)
	walk = func(makers []func() *cmdline.Command) {
		for _, m := range makers {
			c := m()
			examples := helpExamples(c.Description)
			if len(examples) == 0 && !strings.HasPrefix(c.Description, "Takes the flags of") {
				t.Errorf("the help of %s has no example", c.Name)
			}
			lines = append(lines, examples...)
			walk(c.Children)
		}
	}
	walk(capplan().Commands)
	server := fakePrometheus(t)
	fewDraws(t)
	for _, line := range lines {
		line = strings.ReplaceAll(line, localPrometheus, server)
		// The scripts of plan and check make all draws.
		line = strings.Replace(line, "plan testdata/scenario.yaml", "plan few.yaml", 1)
		line = strings.Replace(line, "plan scenario.yaml", "plan few.yaml", 1)
		line = strings.Replace(line, "check testdata/scenario.yaml --machines rack=95", "check few.yaml --machines rack=95", 1)
		if !longtest.Wanted() {
			line = strings.TrimSuffix(line, " --out plan") // the script of plan writes such folders
			line = strings.Replace(line, "--replications 20", "--replications 2", 1)
			line = strings.Replace(line, "--seeds 3", "--seeds 1", 1)
			// Runs judge the help of a small bag, which the script of finish has them do.
			line = strings.Replace(line, "--bag small --hosts nd --by 8h", "--bag big --hosts nd --by 70min", 1)
			if strings.HasSuffix(line, "--simulate") {
				line += " --replications 2"
			}
		}
		// All figures together are drawn by the script of reproduce.
		if strings.HasPrefix(line, "capplan reproduce ") && (!longtest.Wanted() || strings.Contains(line, " all ")) {
			t.Logf("%s takes long and was left out", line)
			continue
		}
		stdout, stderr, code := runLine(t, line)
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", line, code, stderr)
		}
		if stdout == "" && stderr == "" { // init has nothing for stdout
			t.Errorf("%s prints nothing", line)
		}
		if strings.Contains(line, " record trace.csv ") {
			evenly(t, "trace.csv", 0.2)
		}
	}
}

// evenly puts the samples of a recorded trace at equal gaps, as they are on a machine that has time to record: of
// two seconds on a busy one no period can be told, and label refuses them.
func evenly(t *testing.T, trace string, gap float64) {
	t.Helper()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(rows) < 3 {
		t.Fatalf("two seconds were recorded as %q", text)
	}
	for i := 1; i < len(rows); i++ {
		_, sample, ok := strings.Cut(rows[i], ",")
		if !ok {
			t.Fatalf("row %d is %q", i, rows[i])
		}
		rows[i] = fmt.Sprintf("%.3f,%s", 1.7e9+gap*float64(i), sample)
	}
	if err := os.WriteFile(trace, []byte(strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// fewDraws writes the example scenario with a hundred draws as few.yaml, and returns
// it: a plan of it has every part, and takes a seventh of the time.
func fewDraws(t *testing.T) string {
	t.Helper()
	const all = "\nsamples: 4000\n"
	if !strings.Contains(exampleScenario, all) {
		t.Fatalf("the example scenario has no line %q", all)
	}
	few := strings.Replace(exampleScenario, all, "\nsamples: 100\n", 1)
	if err := os.WriteFile("few.yaml", []byte(few), 0o666); err != nil {
		t.Fatal(err)
	}
	return few
}

func helpExamples(description string) []string {
	var all []string
	for _, line := range strings.Split(description, "\n") {
		if l, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			all = append(all, l)
		}
	}
	return all
}

// Help can be asked of everything, and names every flag once.
func TestHelp(t *testing.T) {
	for _, line := range []string{"capplan", "capplan --help", "capplan help size", "capplan size --help", "capplan queue --help", "capplan queue erlang-b --help", "capplan sweep size -h", "capplan help queue erlang-c"} {
		stdout, stderr, code := runLine(t, line)
		if code != 0 || !strings.Contains(stdout, "USAGE") {
			t.Errorf("%s: exit code %d, %q, %s", line, code, stderr, stdout)
		}
	}
}

// A default is told once, and what a value is begins with a word.
func TestHelpOfFlags(t *testing.T) {
	man, stderr, code := runLine(t, "capplan man")
	if code != 0 {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	for _, twice := range regexp.MustCompile(`.*\(default ([^()]*)\) \(default: .*|.*P \\fB[^ ]*fR[,;].*`).FindAllString(man, -1) {
		t.Error(twice)
	}
}

// The files that the help of route and allocate shows are taken as they stand: who installed the
// program has no testdata to look into.
func TestFilesInHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	for command, flags := range map[string]string{"route": " --rate 0.1/s", "allocate": ""} {
		help, _, _ := runLine(t, "capplan "+command+" --help")
		var file strings.Builder
		for line := range strings.Lines(help) {
			// The help of a command is indented by three blanks, and a file in it by four more.
			if text, ok := strings.CutPrefix(line, "       "); ok {
				file.WriteString(text)
			}
			if strings.HasPrefix(line, "OPTIONS:") {
				break
			}
		}
		if err := os.WriteFile("asked.yaml", []byte(file.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := runLine(t, "capplan "+command+" asked.yaml"+flags); code != 0 {
			t.Errorf("%s: exit code %d, %s:\n%s", command, code, stderr, file.String())
		}
	}
}
