package queues

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

func TestReadQueueFiles(t *testing.T) {
	ctx := context.Background()
	classes, err := ReadJobClasses(ctx, "c.yaml", strings.NewReader("- {name: a, rate: 2/min, service: 20s, scv: 0.5}\n- {load: 3, servers: 2, reserve: 1}\n"))
	if err != nil || len(classes) != 2 || *classes[0].ServiceTime != 20 || *classes[1].Servers != 2 || classes[1].Rate != nil {
		t.Errorf("classes %+v, %v", classes, err)
	}
	closed, err := ReadClosedNetwork(ctx, "n.json", strings.NewReader(`{"stations": [{"name": "cpu", "servers": 2}, {"name": "lan", "kind": "delay"}], "classes": [{"name": "u", "customers": 3, "think_time": "5s", "demands": ["30ms", "1s"]}]}`))
	if err != nil || *closed.Stations[0].Servers != 2 || closed.Classes[0].Demands[0] != 0.03 {
		t.Errorf("closed network %+v, %v", closed, err)
	}
	open, err := ReadOpenNetwork(ctx, "n.yaml", strings.NewReader("stations:\n  - {name: a, rate: 5/s, service: 1ms, next: [{station: a, share: 40%}]}\n"))
	if err != nil || open.Stations[0].Next[0].Share != 0.4 {
		t.Errorf("open network %+v, %v", open, err)
	}
	links, err := ReadLinkNetwork(ctx, "n.yaml", strings.NewReader("links: [{name: a, servers: 3}]\nroutes: [{name: r, load: 2, links: [a]}]\n"))
	if err != nil || links.Routes[0].Load != 2 {
		t.Errorf("links %+v, %v", links, err)
	}
}

// What is wrong is named with its line and column.
func TestReadQueueFilesBadInput(t *testing.T) {
	ctx := context.Background()
	read := map[string]func(string) error{
		"classes": func(s string) error { _, err := ReadJobClasses(ctx, "f", strings.NewReader(s)); return err },
		"closed":  func(s string) error { _, err := ReadClosedNetwork(ctx, "f", strings.NewReader(s)); return err },
		"open":    func(s string) error { _, err := ReadOpenNetwork(ctx, "f", strings.NewReader(s)); return err },
		"links":   func(s string) error { _, err := ReadLinkNetwork(ctx, "f", strings.NewReader(s)); return err },
	}
	for _, c := range []struct {
		file, text   string
		line, column int
	}{
		{"classes", "[]", 1, 1},
		{"classes", "- {name: a}\n- {rat: 1/s}", 2, 4},
		{"classes", "- {rate: 1}", 1, 10},
		{"closed", "stations: [{name: a}, {name: a}]\nclasses: [{name: x, customers: 1, demands: [1s, 1s]}]", 1, 30},
		{"closed", "stations: [{name: a}]\nclasses: [{name: x, customers: 1, demands: [1s, 1s]}]", 2, 44},
		{"closed", "stations: [{name: a, kind: dely}]\nclasses: [{name: x, customers: 1, demands: [1s]}]", 1, 28},
		{"closed", "stations: [{name: a, servers: 0}]\nclasses: [{name: x, customers: 1, demands: [1s]}]", 1, 31},
		{"open", "stations: [{name: a, service: 0s}]", 1, 31},
		{"open", "stations: [{name: a, service: 1s, next: [{station: a, share: 60%}, {station: a, share: 60%}]}]", 1, 41},
		{"open", "stations: [{name: a, service: 1s, next: [{station: b, share: 60%}]}]", 1, 52},
		{"links", "links: [{name: a, servers: 1}]\nroutes: [{name: r, load: 1, links: [a, a]}]", 2, 40},
		{"links", "links: [{name: a, servers: 1}]\nroutes: [{name: r, load: 1, links: []}]", 2, 36},
		{"links", "links: [{name: a, servers: 1e300}]\nroutes: [{name: r, load: 1, links: [a]}]", 1, 28},
		{"links", "links: [{name: a, servers: 1}]\nroutes: [{name: r, load: 2e12, links: [a]}]", 2, 26},
	} {
		err := read[c.file](c.text)
		var f *source.FileError
		if !errors.As(err, &f) || f.Line != c.line || f.Column != c.column {
			t.Errorf("%s %q: %v, want line %d, column %d", c.file, c.text, err, c.line, c.column)
		}
	}
}

// The traffic equations are solved as a whole: 20,000 stations asked 6 GB, and computed on when asked
// to stop. They are refused in a file, at its place, and in a question.
func TestTooManyStations(t *testing.T) {
	f := &OpenNetworkFile{Stations: []OpenStation{{Name: "a", ServiceTime: 1, Rate: new(units.Rate(0.5))}}}
	text := "stations:\n  - {name: a, service: 1s, rate: 0.5/s}\n"
	for i := range mostOpenStations {
		name := fmt.Sprint("s", i)
		f.Stations = append(f.Stations, OpenStation{Name: name, ServiceTime: 1})
		text += "  - {name: " + name + ", service: 1s}\n"
	}
	var bad *source.FileError
	_, err := ReadOpenNetwork(t.Context(), "n.yaml", strings.NewReader(text))
	if !errors.As(err, &bad) || bad.Line != 2 || !strings.Contains(err.Error(), "5001 stations, want at most 5000") {
		t.Errorf("a file of %d stations: %v", len(f.Stations), err)
	}
	var refused *ask.InputError
	if _, err := OpenNetwork(t.Context(), &OpenQuestion{Network: f}); !errors.As(err, &refused) || refused.Field != "network" {
		t.Errorf("a question of %d stations: %v", len(f.Stations), err)
	}
}

func FuzzReadQueueFiles(f *testing.F) {
	f.Add("- {name: a, rate: 2/min, service: 20s}")
	f.Add("stations: [{name: a, servers: 2, service: 1s, rate: 1/s, next: [{station: a, share: 40%}]}]\nclasses: [{name: x, customers: 1, demands: [1s]}]")
	f.Add("links: [{name: a, servers: 3}]\nroutes: [{name: r, load: 2, links: [a]}]")
	f.Add(`{"links": [], "routes": null}`)
	f.Fuzz(func(t *testing.T, s string) {
		ctx := context.Background()
		_, e1 := ReadJobClasses(ctx, "f", strings.NewReader(s))
		_, e2 := ReadClosedNetwork(ctx, "f", strings.NewReader(s))
		_, e3 := ReadOpenNetwork(ctx, "f", strings.NewReader(s))
		_, e4 := ReadLinkNetwork(ctx, "f", strings.NewReader(s))
		for _, err := range []error{e1, e2, e3, e4} {
			var file *source.FileError
			if err != nil && !errors.As(err, &file) {
				t.Fatalf("%q: %v is no file error", s, err)
			}
		}
	})
}
