package units_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"testing"

	"go.yaml.in/yaml/v4"

	. "github.com/capplan/capplan/units"
)

// Each type is a flag by its pointer and a text by its value.
var (
	_ = []flag.Value{new(Duration), new(Rate), new(Price), new(Fraction), new(Excess), new(Percentile), new(Erlang), new(Count),
		new(Number), new(Size), new(Bandwidth), new(Range[Erlang])}
	_ = []encoding.TextUnmarshaler{new(Duration), new(Rate), new(Fraction), new(Percentile), new(Erlang),
		new(Count), new(Number), new(Size), new(Bandwidth), new(Range[Erlang])}
	_ = []encoding.TextMarshaler{Duration(0), Rate(0), Fraction(0), Percentile(0), Erlang(0), Count(0),
		Number(0), Size(0), Bandwidth(0), Range[Erlang]{}}
)

func TestFlag(t *testing.T) {
	fs := flag.NewFlagSet("size", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	var (
		service = Duration(60)
		load    Range[Erlang]
	)
	fs.Var(&service, "service-time", "")
	fs.Var(&load, "load", "")
	if err := fs.Parse([]string{"--load", "80..130", "--service-time=90s"}); err != nil {
		t.Fatal(err)
	}
	if service != 90 || load != Uniform[Erlang](80, 130) {
		t.Errorf("service-time %v, load %v", service, load)
	}
	if err := fs.Parse([]string{"--service-time", "7"}); err == nil || service != 90 {
		t.Errorf("error %v, service-time %v, want an error and 90s kept", err, service)
	}
}

// fields holds one field of each kind as a file has them.
type fields struct {
	Window     Duration        `json:"window" yaml:"window"`
	Rate       Rate            `json:"rate" yaml:"rate"`
	Blocking   Fraction        `json:"blocking" yaml:"blocking"`
	Percentile Percentile      `json:"percentile" yaml:"percentile"`
	Load       Range[Erlang]   `json:"load" yaml:"load"`
	Service    Range[Duration] `json:"service" yaml:"service"`
	Servers    Count           `json:"servers" yaml:"servers"`
	SCV        Number          `json:"scv" yaml:"scv"`
	Image      Size            `json:"image" yaml:"image"`
	Uplink     Bandwidth       `json:"uplink" yaml:"uplink"`
}

var wantFields = fields{90, 5.4, 0.01, 0.95, Uniform[Erlang](80, 130), Point[Duration](60), 12, 0.25, 1e6, 1e8}

func TestYAML(t *testing.T) {
	const text = `
window: 90s
rate: 5.4/s
blocking: 1%
percentile: 95
load: 80..130
service: 1min
servers: 12
scv: 0.25
image: 1MB
uplink: 100Mbps
`
	var got fields
	if err := yaml.Unmarshal([]byte(text), &got); err != nil || got != wantFields {
		t.Errorf("got %+v, %v", got, err)
	}
	out, err := yaml.Marshal(wantFields)
	if err != nil {
		t.Fatal(err)
	}
	var back fields
	if err := yaml.Unmarshal(out, &back); err != nil || back != wantFields {
		t.Errorf("written as\n%s\nread as %+v, %v", out, back, err)
	}
	if err := yaml.Unmarshal([]byte("window: 90\n"), &got); err == nil {
		t.Error("window: 90 is accepted without a unit")
	}
}

func TestJSON(t *testing.T) {
	const text = `{"window":"90s","rate":"5.4/s","blocking":0.01,"percentile":95,"load":"80..130",
		"service":"60s","servers":12,"scv":0.25,"image":"1MB","uplink":"100Mbps"}`
	var got fields
	if err := json.Unmarshal([]byte(text), &got); err != nil || got != wantFields {
		t.Errorf("got %+v, %v", got, err)
	}
	const written = `{"window":"90s","rate":"5.4/s","blocking":0.01,"percentile":0.95,"load":"80..130",` +
		`"service":"60s","servers":12,"scv":0.25,"image":"1MB","uplink":"100Mbps"}`
	if out, err := json.Marshal(wantFields); err != nil || string(out) != written {
		t.Errorf("written as %s, %v", out, err)
	}
	for _, bad := range []string{`{"window":90}`, `{"rate":5}`, `{"image":5}`, `{"uplink":5}`, `{"service":5}`,
		`{"blocking":1.5}`, `{"servers":-1}`, `{"servers":1.5}`, `{"scv":true}`, `{"scv":[1]}`, `{"scv":{}}`,
		`{"load":"80..130s"}`, `{"scv":"\u00b2"}`} {
		var f fields
		var pe *ParseError
		if err := json.Unmarshal([]byte(bad), &f); !errors.As(err, &pe) {
			t.Errorf("%s: %v, want a *ParseError", bad, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"window":null,"load":null,"servers":0}`), &got); err != nil || got.Window != 90 {
		t.Errorf("null: %v, %v", got.Window, err)
	}
}

func TestMarshalRefuses(t *testing.T) {
	for _, v := range []any{Duration(math.NaN()), Rate(math.Inf(1)), Price(math.Inf(1)), Fraction(1.5), Excess(-1), Percentile(1), Percentile(0),
		Erlang(-1), Count(-1), Number(math.NaN()), Size(-1), Bandwidth(math.Inf(-1)), Uniform[Rate](2, 1)} {
		if b, err := json.Marshal(v); err == nil {
			t.Errorf("%T %v is written as %s, want an error", v, v, b)
		}
	}
}

func TestPlainAgrees(t *testing.T) {
	for _, c := range []struct {
		v interface {
			flag.Value
			Plain() bool
		}
		plain bool
	}{
		{new(Duration), false}, {new(Rate), false}, {new(Price), false}, {new(Fraction), true}, {new(Excess), true}, {new(Percentile), true},
		{new(Erlang), true}, {new(Count), true}, {new(Number), true}, {new(Size), false},
		{new(Bandwidth), false}, {new(Range[Erlang]), true}, {new(Range[Rate]), false},
	} {
		in := "12"
		switch c.v.(type) {
		case *Fraction, *Excess:
			in = "0.12"
		}
		if err := c.v.Set(in); c.v.Plain() != c.plain || (err == nil) != c.plain {
			t.Errorf("%T: Plain %v, Set(%q) %v", c.v, c.v.Plain(), in, err)
		}
	}
}
