package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/longtest"
)

// warned are calls that warn, at least one of every command that can.
var warned = []string{
	"size --load 120 --service-time 10s --model wait --arrival-scv 2 --service-scv 0.5 --max-wait 1s --percentile 90%",
	"size --rate 1/s --service-time 100s --patience 10s --max-mean-wait 60s",
	"capacity --servers 20 --service-time 10s --arrival-scv 2 --service-scv 0.5 --max-mean-wait 1s",
	"check --servers 20 --load 14 --service-time 10s --arrival-scv 2 --service-scv 0.5 --max-mean-wait 1s",
	"queue ggc --servers 20 --load 14 --service-time 10s --arrival-scv 2 --service-scv 0.5",
	"queue hayward --servers 8 --load 2 --peakedness 2",
	"queue priority --servers 3 --preemptive --class name=a,rate=1/s,service=1s,scv=4 --class name=b,rate=1/s,service=0.5s",
	"queue classes --capacity 8 --class name=a,load=2,reserve=1 --class name=b,load=1,servers=2",
	"queue mva testdata/closed.yaml --method schweitzer",
	"queue links testdata/links.yaml",
	"route two.yaml --rate 1/s --policy bcf",
	"replicas --trace bad.tab --target 99.9%",
	"epoch --migrations 100 --migration-time 100s --failure-rate 1/200s --model parallel",
	"checkpoint --mtbf 1d --cost 5min --work 7d",
	"lifetime testdata/spot.json",
	"fit spoilt.swf",
	"fit testdata/das2-tiny.swf --to 1000d",
	"availability label testdata/spot.json",
	"availability fit testdata/spot.json --day weekday --start 00:00 --window 30min --days 2",
	"availability fit testdata/hosts-small.csv --day weekday --start 09:00 --window 2h --days 20",
	"availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 100",
	"availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 2h --days 100",
	"availability evaluate bad.csv --day weekday --windows 1h --starts 12:00",
	"availability joint testdata/hosts-small.csv --day weekday --start 09:00 --window 2h",
	"availability replay bad.csv --times 3 --lengths 1h",
	"availability solve testdata/kernel.json --window 100s",
	"allocate scarce.json --method unit-big --fallback lp-round",
	"allocate verify testdata/batch.yaml other.json",
	"allocate study --figure 7a --capacity-law literal --over 0.25 --seed 2 --seeds 1",
	"sweep queue ggc --servers 20 --load 14 --service-time 10s --arrival-scv 2 --over service-scv=0.2,0.5,0.8",
	"sweep checkpoint --mtbf 1d --cost 5min --over work=7d,8d",
	"plan peak.yaml",
	"compare peak.json more.json",
	"merge parts",
	"shifts testdata/shifts.yaml --load-curve testdata/requests.csv --service-time 10s --max-wait 20s",
	"availability record r.csv --every 10s --duration 1s",
	"reproduce intergrid-sizes",
	"finish --bag small --hosts g5klyo",
	"simulate bot --bag big --hosts g5klyo --replications 2",
	"simulate hosts --hosts g5klyo --replications 2 --horizon 1d",
	"simulate pool pool.yaml --replications 2 --horizon 2h --seed 3",
	"simulate station --servers 1 --rate 0.5/s --service-time 1s --horizon 100s --warm-up 1s --precision 0.5%",
	"simulate leases testdata/leases.yaml --replications 2 --horizon 6h --policy lrf --local-share 100%",
}

// silent are the commands that have nothing to warn of.
var silent = []string{
	"init", "schema", "completion", "man", "version", "throughput", "lp", "link",
	"queue erlang-b", "queue erlang-c", "queue erlang-a", "queue engset", "queue mmck", "queue finite", "queue pool",
	"queue mg1", "queue gim1", "queue mdc", "queue ps", "queue jackson",
	"allocate generate", "availability generate", "terms", "serve", "cluster slurm", "cluster kubernetes",
}

// What a person is told on stderr a script finds in the field "warnings".
func TestWarningsInJSON(t *testing.T) {
	atRoot(t)
	for name, text := range map[string]string{
		"pool.yaml": "{dedicated: 1, public: {machines: 3}, jobs: {rate: 0.1/s}}",
		"two.yaml": `clusters:
  - {name: a, power: 3, local: {rate: 0.3/s, service_time: 0.8s, scv: 0.01}, external: {service_time: 1s, scv: 0.25}}
  - {name: b, local: {rate: 0.5/s, service_time: 0.9s, scv: 0.01}, external: {service_time: 0.5s, scv: 0.25}}
`,
		"peak.yaml": "load: {rate: 84/min, arrival_scv: 2}\nservice: {time: 10s, scv: 0.5}\nobjectives: {max_mean_wait: 1s}\n",
		"spoilt.swf": "; UnixStartTime: 0\n1 0 0 10 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 5 0 -1 x\n" +
			"3 60 0 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n4 90 0 15 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	samples, err := os.ReadFile("testdata/host-small.csv")
	if err != nil {
		t.Fatal(err)
	}
	events, err := os.ReadFile("testdata/events.tab")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := os.ReadFile("testdata/batch-answer.json")
	if err != nil {
		t.Fatal(err)
	}
	stdout, _, _ := runLine(t, "capplan allocate generate --jobs 100 --resources 10 --primary-factor 0.25 --capacity-law literal --seed 2 -o json")
	planned, _, _ := runLine(t, "capplan plan peak.yaml -o json")
	if _, stderr, code := runLine(t, "capplan sweep checkpoint --mtbf 1d --cost 5min --over work=7d,8d --shard 1/1 --out parts"); code != 0 {
		t.Fatal(stderr)
	}
	for name, text := range map[string]string{
		"peak.json":   planned,
		"more.json":   regexp.MustCompile(`("servers": )[0-9]+`).ReplaceAllString(planned, "${1}99"),
		"bad.csv":     string(samples) + "xx,1,2\n",
		"bad.tab":     string(events) + "x\ty\n",
		"other.json":  regexp.MustCompile(`("revenue": )[0-9]+`).ReplaceAllString(string(answer), "${1}1"),
		"scarce.json": stdout,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, line := range warned {
		stdout, stderr, code := runLine(t, "capplan "+line+" -o json")
		var said []string
		for _, l := range strings.Split(stderr, "\n") {
			if w, ok := strings.CutPrefix(l, "warning: "); ok {
				said = append(said, w)
			}
		}
		if len(said) == 0 || code == 2 {
			t.Errorf("%s: exit code %d, warns of nothing: %s", line, code, stderr)
			continue
		}
		var a struct {
			Warnings []string `json:"warnings"`
		}
		if err := json.Unmarshal([]byte(stdout), &a); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		// An object that says a name twice is read in two ways.
		if !jsontext.Value(stdout).IsValid() {
			t.Errorf("%s: not strict JSON: %s", line, stdout)
		}
		for i, w := range a.Warnings {
			a.Warnings[i] = cmdline.Printable(w)
		}
		if !slices.Equal(a.Warnings, said) {
			t.Errorf("%s:\nstderr %q\nJSON   %q", line, said, a.Warnings)
		}
		if !longtest.Wanted() && i%3 > 0 {
			continue // text has the same warnings wherever they come from
		}
		if _, inText, _ := runLine(t, "capplan "+line); inText != stderr {
			t.Errorf("%s: as text it warns of\n%s\nas JSON of\n%s", line, inText, stderr)
		}
	}
}

// Every command is in one of the two lists above.
func TestWarningsOfEveryCommand(t *testing.T) {
	var walk func(path string, makers []func() *cmdline.Command)
	walk = func(path string, makers []func() *cmdline.Command) {
		for _, m := range makers {
			c := m()
			name := strings.TrimSpace(path + " " + c.Name)
			known := slices.Contains(silent, name) || slices.ContainsFunc(warned, func(line string) bool {
				return strings.HasPrefix(line+" ", name+" ")
			})
			if c.Ask != nil && !known {
				t.Errorf("no call of %s that warns, and it is not said to be silent", name)
			}
			if name != "sweep" { // its children are those of the others
				walk(name, c.Children)
			}
		}
	}
	walk("", capplan().Commands)
}
