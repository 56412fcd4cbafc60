package alloc

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

//go:generate go test . -run "TestClaimsTables|TestTable2Readings" -update

var update = flag.Bool("update", false, "measure the claims anew, rewrite their file and the tables of CLAIMS.md")

const (
	claimSeeds = 100
	claimsFile = "testdata/claims.csv"
)

// claimLevels are the low end of the paper's ranges of availability and the
// middles of the three.
var claimLevels = [...]struct {
	name   string
	pf, bf float64
}{{"least", 0.25, 0.08}, {"low", 0.375, 0.115}, {"medium", 0.625, 0.225}, {"high", 0.875, 0.35}}

// claimPoints are the rows of the tables.
func claimPoints() []claimPoint {
	var points []claimPoint
	for _, law := range []CapacityLaw{Literal, Relative} {
		for _, size := range [][2]int{{100, 4}, {100, 10}, {200, 20}} {
			for _, l := range claimLevels {
				points = append(points, claimPoint{law, size[0], size[1], l.pf, l.bf})
			}
		}
	}
	return points
}

// claimHead is that of testdata/claims.csv: a line for each batch, empty where
// there is no answer.
var claimHead = []string{
	"law", "jobs", "resources", "pf", "bf", "seed", "lp_bound",
	"lp_round_paper", "lp_round", "unit_big", "placed_lp_round_paper", "placed_lp_round", "placed_unit_big",
	"least_loss", "loss_lp_round_paper", "loss_lp_round", "loss_unit_big", "sharing_lp_round_paper",
}

// record is a line of testdata/claims.csv.
func (p claimPoint) record(seed uint64, b *claimBatch) []string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }
	line := []string{
		string(p.law), fmt.Sprint(p.jobs), fmt.Sprint(p.resources), number(p.pf), number(p.bf), fmt.Sprint(seed),
	}
	if b == nil {
		return append(line, make([]string, len(claimHead)-len(line))...)
	}
	known := func(v float64) string {
		if v == silent {
			return ""
		}
		return number(v)
	}
	line = append(line, number(b.bound))
	for _, r := range b.revenue {
		line = append(line, known(float64(r)))
	}
	for i, share := range b.placed {
		if b.revenue[i] != silent {
			share = 1
		}
		line = append(line, known(share))
	}
	line = append(line, known(b.leastLoss))
	for _, l := range b.loss {
		line = append(line, known(float64(l)))
	}
	return append(line, known(b.sharing))
}

// readClaimBatch is the reverse of record.
func readClaimBatch(t *testing.T, line []string) *claimBatch {
	t.Helper()
	at := 6
	next := func() float64 {
		text := line[at]
		if at++; text == "" {
			return silent
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%s: %v", claimsFile, err)
		}
		return v
	}
	b := &claimBatch{bound: next()}
	if b.bound == silent {
		return nil
	}
	for i := range b.revenue {
		b.revenue[i] = int64(next())
	}
	for i := range b.placed {
		b.placed[i] = next()
	}
	b.leastLoss = next()
	for i := range b.loss {
		b.loss[i] = int64(next())
	}
	b.sharing = next()
	return b
}

// claimTables are the two tables of CLAIMS.md.
func claimTables(batches [][]*claimBatch) (primaries, backups string) {
	var first, second strings.Builder
	cell := func(s *sample) string {
		switch {
		case s.n == 0:
			return "-"
		case s.n < 2:
			return fmt.Sprintf("%.4g", s.mean())
		}
		return fmt.Sprintf("%.4g ± %.2g", s.mean(), s.half())
	}
	share := func(k int, s *sample) string { return fmt.Sprintf("%d of %d", k, int(s.n)) }
	quiet := func(c *claims, i int) string {
		if c.placed[i].n == 0 {
			return fmt.Sprint(c.unanswered[i])
		}
		return fmt.Sprintf("%d (%.3g %%)", c.unanswered[i], 100*c.placed[i].mean())
	}
	row := func(b *strings.Builder, cells ...any) {
		for _, c := range cells {
			fmt.Fprintf(b, "| %v ", c)
		}
		b.WriteString("|\n")
	}
	rule := func(b *strings.Builder, n int) { b.WriteString(strings.Repeat("| --- ", n) + "|\n") }
	row(&first, "law", "jobs, resources", "pf", "batches with an assignment",
		"no answer: lp-round-paper", "unit-big", "lp-round",
		"lp-round-paper: % below the bound", "within 5 %", "lp-round: % below",
		"lp-round-paper: % above unit-big", "at least 20 % above", "lp-round: % above")
	rule(&first, 13)
	row(&second, "law", "jobs, resources", "bf", "batches with primaries", "with a loss",
		"lp-round-paper: loss / least loss", "within 1.05", "lp-round: the same", "unit-big: the same",
		"no loss is possible and found", "lp-round-paper: loss in % of the revenue", "sharing factor")
	rule(&second, 12)
	for i, p := range claimPoints() {
		c := claimsOf(batches[i])
		level := claimLevels[i%len(claimLevels)].name
		size := fmt.Sprintf("%d, %d", p.jobs, p.resources)
		row(&first, p.law, size, fmt.Sprintf("%s %v", level, p.pf), c.possible,
			quiet(c, ofPaper), quiet(c, ofUnitBig), quiet(c, ofOurs),
			cell(&c.gap[ofPaper]), share(c.within, &c.gap[ofPaper]), cell(&c.gap[ofOurs]),
			cell(&c.lead[ofPaper]), share(c.above, &c.lead[ofPaper]), cell(&c.lead[ofOurs]))
		row(&second, p.law, size, fmt.Sprintf("%s %v", level, p.bf), int(c.lossShare.n), int(c.ratio[ofPaper].n),
			cell(&c.ratio[ofPaper]), share(c.near, &c.ratio[ofPaper]), cell(&c.ratio[ofOurs]), cell(&c.ratio[ofUnitBig]),
			fmt.Sprintf("%d of %d", c.freePaper, c.free), cell(&c.lossShare), cell(&c.sharing))
	}
	return first.String(), second.String()
}

// withTables returns the text with what stands between its marks replaced.
func withTables(t *testing.T, text, primaries, backups string) string {
	t.Helper()
	for name, table := range map[string]string{"primaries": primaries, "backups": backups} {
		begin, end := "<!-- "+name+" -->\n\n", "\n<!-- end -->"
		before, rest, ok := strings.Cut(text, begin)
		_, after, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Fatalf("CLAIMS.md has no marks for the table of %s", name)
		}
		text = before + begin + table + end + after
	}
	return text
}

// The tables of CLAIMS.md are those of testdata/claims.csv, and the first two
// batches of every point are in it as the methods make them now.
func TestClaimsTables(t *testing.T) {
	points := claimPoints()
	if *update {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		lines := make([][]string, len(points)*claimSeeds)
		for i := range lines {
			p, seed := points[i/claimSeeds], uint64(i%claimSeeds)
			lines[i] = p.record(seed, p.measure(t, seed))
		}
		if err := w.WriteAll(append([][]string{claimHead}, lines...)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(claimsFile, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(claimsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 1+len(points)*claimSeeds || strings.Join(lines[0], ",") != strings.Join(claimHead, ",") {
		t.Fatalf("%s: %d lines under %v", claimsFile, len(lines)-1, lines[0])
	}
	batches := make([][]*claimBatch, len(points))
	for i, p := range points {
		for seed := range uint64(claimSeeds) {
			line := lines[1+i*claimSeeds+int(seed)]
			b := readClaimBatch(t, line)
			if got := p.record(seed, b); strings.Join(got, ",") != strings.Join(line, ",") {
				t.Fatalf("%s: %v read as %v", claimsFile, line, got)
			}
			if batches[i] = append(batches[i], b); seed < longtest.Of[uint64](1, 2) && !*update {
				if now := p.record(seed, p.measure(t, seed)); strings.Join(now, ",") != strings.Join(line, ",") {
					t.Errorf("the methods make\n%v, listed is\n%v: go generate ./lp/alloc, then read CLAIMS.md", now, line)
				}
			}
		}
	}
	text, err := os.ReadFile("CLAIMS.md")
	if err != nil {
		t.Fatal(err)
	}
	primaries, backups := claimTables(batches)
	want := withTables(t, string(text), primaries, backups)
	if *update {
		if err := os.WriteFile("CLAIMS.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Error("the tables of CLAIMS.md are not those of " + claimsFile + ": go generate ./lp/alloc")
	}
}
