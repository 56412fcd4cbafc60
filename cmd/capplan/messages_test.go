package main

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/capplan/capplan/internal/cmdline"
)

// Whatever stands in a file or on the command line, a message is one line of
// bounded length that changes nothing on a terminal.
func TestMessagesArePrintable(t *testing.T) {
	t.Chdir(t.TempDir())
	evil := "x\x1b[2J\v\u202e\u009b\r"
	long := strings.Repeat("k", 100_000)
	for name, text := range map[string]string{
		"key.yaml":    "\"" + `x\e[2J\v` + "\": 1\n",
		"long.yaml":   long + ": 1\nb: 2\n",
		"twice.yaml":  long + ": 1\n" + long + ": 1\n",
		"value.yaml":  "clusters: " + long + "\n",
		"evil.csv":    "time,cpu\n1," + evil + "\n",
		"trace.json":  `{"metadata": {"gap_seconds": null}, "data": [1]}`,
		"long.json":   `{"metadata": {"gap_seconds": "` + long[:5000] + `"}, "data": [1]}`,
		"cut.gz":      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03ab",
		"head.gz":     "\x1f\x8b\x07\x00",
		"few.swf":     "1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n",
		evil + ".csv": "a\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range [][]string{
		{"route", "key.yaml"},
		{"route", "long.yaml"},
		{"route", "twice.yaml"},
		{"route", "value.yaml"},
		{"route", evil + ".csv"},
		{"route", evil},
		{"route", "key.yaml", "--" + evil},
		{"size", "--load", evil},
		{"size", "--load", long},
		{evil},
		{"availability", "label", "evil.csv"},
		{"availability", "label", "evil.csv", "--strict"},
		{"lifetime", "trace.json"},
		{"lifetime", "long.json"},
		{"lifetime", "cut.gz"},
		{"lifetime", "head.gz"},
		{"fit", "few.swf"},
		{"sweep", "size", "--over", "load=1," + evil},
		{"cluster", "slurm", "--folder", "x\x1b[2J", "--", "sweep", "size", "--max-blocking", "1%", "--over", "load=1:9:1"},
	} {
		var out, errs strings.Builder
		code := run(t.Context(), append([]string{"capplan"}, line...), nil, &out, &errs)
		text := errs.String()
		if code == 0 || text == "" || len(text) > 3*cmdline.MaxMessage {
			t.Errorf("%.60q: exit code %d, %d bytes on stderr", line, code, len(text))
		}
		for _, r := range text {
			if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%.60q: %.300q", line, text)
				break
			}
		}
		for _, word := range []string{"<nil>", "gzip:", "flate:", "bufio", "archive/tar", "gonum", "Summary:"} {
			if strings.Contains(text, word) {
				t.Errorf("%.60q: %s in %.300q", line, word, text)
			}
		}
	}
}
