package main

import (
	"os"
	"strings"
	"testing"
)

func TestFormula(t *testing.T) {
	for cell, want := range map[string]bool{
		"": false, "a": false, "-1.5": false, "+3e-7": false, "-": true, "=1+1": true, "@SUM(A1)": true,
		"+1 234": true, "-2+3": true, "a=b": false, "\t=1": true, "-Inf": false,
	} {
		if formula(cell) != want {
			t.Errorf("%q: %v, want %v", cell, !want, want)
		}
	}
}

// A name out of a file is shown as it is, unless asked otherwise.
func TestCSVSafe(t *testing.T) {
	t.Chdir(t.TempDir())
	file := "clusters:\n- {name: '=HYPERLINK(1)', external: {service_time: 1s}}\n- {name: b, external: {service_time: 1s}}\n"
	if err := os.WriteFile("c.yaml", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"": "\n=HYPERLINK(1),", " --csv-safe": "\n'=HYPERLINK(1),"} {
		if stdout, stderr, code := runLine(t, "capplan route c.yaml --rate 0.5/s -o csv"+flag); code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%q: exit code %d, %s%s, want %q", flag, code, stdout, stderr, want)
		}
	}
}
