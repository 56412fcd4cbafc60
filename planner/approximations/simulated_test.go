package approximations

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"
)

var simulate = flag.Bool("simulate", false, "run the simulations that are not in references/simulated.csv and write it")

// TestSimulate makes the stored simulations: go test ./planner/approximations -run
// ^TestSimulate$ -simulate -timeout 3h. What is there already is kept: to run
// something anew take all lines of its case out.
func TestSimulate(t *testing.T) {
	if !*simulate {
		return
	}
	all, err := trials()
	if err != nil {
		t.Fatal(err)
	}
	before := map[[3]string][]string{}
	for _, r := range table("simulated.csv.gz") {
		before[[3]string{r["study"], r["case"], r["figure"]}] = []string{r["study"], r["case"], r["figure"], r["mean"], r["half"]}
	}
	lines := [][]string{{"study", "case", "figure", "mean", "half"}}
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	for i := range all {
		x := &all[i]
		missing := false
		for _, s := range x.says {
			_, ok := before[[3]string{x.study, x.name, s.figure}]
			missing = missing || !ok
		}
		var k known
		if missing {
			if k, err = x.run(context.Background(), 0, 1); err != nil {
				t.Fatal(x.name, err)
			}
		}
		for _, s := range x.says {
			key := [3]string{x.study, x.name, s.figure}
			line, ok := before[key]
			if v, found := k[key]; found {
				line, ok = []string{x.study, x.name, s.figure, write(v.mean), write(v.half)}, true
			}
			if ok {
				lines = append(lines, line)
			}
		}
		fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(all), x.name)
		writeSimulated(t, lines)
	}
}

func writeSimulated(t *testing.T, lines [][]string) {
	var b bytes.Buffer
	b.WriteString("# Written by go test ./planner/approximations -run ^TestSimulate$ -simulate: 20 replications of seed 1, 100 of days, 200 of bags, 1000 of random ones, 3 of PCU's pool\n")
	w := csv.NewWriter(&b)
	for i, line := range lines {
		line = slices.Clone(line)
		for c := range 2 { // the words of a case, which has many figures, stand in its first line
			if i > 0 && line[c] == lines[i-1][c] {
				line[c] = ""
			}
		}
		w.Write(line)
	}
	if w.Flush(); w.Error() != nil {
		t.Fatal(w.Error())
	}
	if err := os.WriteFile("references/simulated.csv", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(b.Bytes())
	if err := errors.Join(z.Close(), os.WriteFile("references/simulated.csv.gz", packed.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// The table that is compiled in is the one that people read.
func TestPackedIsTheTable(t *testing.T) {
	want, err := os.ReadFile("references/simulated.csv")
	if err != nil {
		t.Fatal(err)
	}
	file, err := references.Open("references/simulated.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
		t.Errorf("references/simulated.csv.gz holds another table, %v: gzip -9nk simulated.csv", err)
	}
}
