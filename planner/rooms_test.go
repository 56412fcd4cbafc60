package planner

import (
	"os"
	"strings"
	"testing"
)

// Who embeds plans finds each room from the package that stands over them.
func TestDocNamesEachRoom(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		// What is measured of approximations is asked by reproduce alone.
		if !d.IsDir() || d.Name() == "internal" || d.Name() == "testdata" || d.Name() == "approximations" {
			continue
		}
		if !strings.Contains(string(doc), "\tplanner/"+d.Name()+" ") {
			t.Errorf("doc.go does not name planner/%s", d.Name())
		}
	}
}
