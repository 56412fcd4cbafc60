package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/papers"
)

// Every flag of reproduce that says neither how the answer looks nor where it goes is refused by a name that does
// not read it, and by the list, and is named.
func TestReproduceRefusesFlagsThatItDoesNotRead(t *testing.T) {
	forms := []string{"format", "explain", "all", "csv-safe", "plot", "list", "out", "force", "shard", "help"}
	values := map[string]string{"trace": "../../testdata/hosts-small.csv", "swf": "../../testdata/das2-tiny.swf",
		"scale": "5%", "capacity-law": "relative", "resources": "5", "input": "host", "columns": "time=t",
		"time-format": "ms", "memory-total": "16GB", "gaps": "unknown", "light": "30%", "heavy": "70%",
		"working-set": "1GB", "zone": "Europe/Berlin", "trace-date": "2011-03-03", "holiday": "2024-12-25",
		"prometheus": "http://127.0.0.1:1", "ending": "2026-11-22T15:00:00Z", "percent": "", "strict": "",
		"period": "10min", "grace": "2min", "gap": "1h", "since": "1d", "step": "5min", "prometheus-timeout": "3s"}
	help, _, _ := runLine(t, "capplan reproduce --help")
	_, help, _ = strings.Cut(help, "OPTIONS:")
	flags := 0
	for _, m := range regexp.MustCompile(`(?m)^   --([a-z-]+)`).FindAllStringSubmatch(help, -1) {
		flag := m[1]
		if slices.Contains(forms, flag) {
			continue
		}
		flags++
		value, ok := values[flag]
		if !ok {
			value = "7"
		}
		given := strings.TrimSpace("--" + flag + " " + value)
		for _, name := range []string{"pcu-examples", "pcu-figure-6", "--list"} {
			_, stderr, code := runLine(t, "capplan reproduce "+name+" "+given)
			if code != 2 || !strings.Contains(stderr, "--"+flag) {
				t.Errorf("%s %s: exit code %d, %s", name, given, code, stderr)
			}
		}
	}
	if flags < 30 {
		t.Errorf("%d flags in the help", flags)
	}
}

// A trace stands for the laboratory of iShare, whose draws alone a seed is of in most figures.
func TestReproduceRefusesSeedsOfTraces(t *testing.T) {
	const given = " --trace ../../testdata/hosts-small.csv --format csv --seed "
	for name, refused := range map[string]bool{
		"ishare-table-2": true, "ishare-figure-13": true, "ishare-figure-15": false,
	} {
		if _, stderr, code := runLine(t, "capplan reproduce "+name+given+"7"); (code == 2) != refused ||
			strings.Contains(stderr, "--seed") != refused {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
	}
}

// Each flag of a list is read by some name that there is.
func TestReadFlagsAreRead(t *testing.T) {
	for _, r := range readFlags {
		read, not := 0, 0
		for _, p := range papers.Reproducibles() {
			switch {
			case !p.Computed:
			case r.by(p.Name):
				read++
			default:
				not++
			}
		}
		if read == 0 || not == 0 {
			t.Errorf("%v: read by %d names, not by %d", r.flags, read, not)
		}
	}
}
