package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

func ranged[T units.Quantity](t *testing.T, text string) *units.Range[T] {
	t.Helper()
	r, err := units.ParseRange[T](text)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// scenarios are plans that between them have every section.
func scenarios(t *testing.T) map[string]*planner.PlanQuestion {
	machines := []scenario.MachineType{
		{Name: "rack <1>", Price: ranged[units.Price](t, "0.42/h")},
		{
			Name:         "spot",
			Kind:         scenario.Public,
			Price:        ranged[units.Price](t, "0.05..0.1/h"),
			Availability: ranged[units.Fraction](t, "60..70..80%"),
			Limit:        new(units.Count(100)),
		},
	}
	blocking := &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))}
	certain := scenario.MachineType{
		Name:         "spot",
		Kind:         scenario.Public,
		Price:        ranged[units.Price](t, "0.1/h"),
		Availability: ranged[units.Fraction](t, "70%"),
		Limit:        new(units.Count(100)),
	}
	seed := new(units.Count(1))
	few := new(units.Count(50))
	load := func(text string) *scenario.Load { return &scenario.Load{Erlangs: ranged[units.Erlang](t, text)} }
	service := &scenario.Service{Time: ranged[units.Duration](t, "100s")}
	return map[string]*planner.PlanQuestion{
		"farm": {
			Name:       "A & B",
			Load:       &scenario.Load{Rate: ranged[units.Rate](t, "1..1.5/s")},
			Service:    service,
			Objectives: blocking,
			Machines:   machines,
			Costs:      &scenario.Costs{Shortfall: &units.Money{Price: units.Price(2. / 3600)}},
			Samples:    new(units.Count(200)),
			Seed:       seed,
			Explain:    true,
			Epoch: &scenario.Epoch{Migrations: new(units.Number(1)), MigrationTime: new(units.Duration(100)),
				FailureRate: new(units.Rate(1. / 200))},
			Link: &scenario.Link{Uplink: new(units.Bandwidth(1e10)), Downlink: new(units.Bandwidth(1e10)),
				Footprint: new(units.Size(1e6))},
			Checkpoint: &scenario.Checkpoint{
				MTBF:    new(units.Duration(18000)),
				Cost:    120,
				Restart: new(units.Duration(300)),
				Work:    86400,
			},
			Replicas: &scenario.Replicas{
				MTTF:   new(units.Duration(300)),
				MTTR:   new(units.Duration(120)),
				Target: 0.95,
				Window: new(units.Duration(3600)),
			},
			Routing: &scenario.Routing{Clusters: []routes.Cluster{
				{Name: "a", External: routes.ExternalStream{ServiceTime: 0.5}},
				{Name: "b", External: routes.ExternalStream{ServiceTime: 0.4}},
			}},
		},
		"certain": {Load: load("120"), Objectives: blocking, Machines: []scenario.MachineType{machines[0], certain}},
		"day": {
			Load: &scenario.Load{Curve: &traffic.Curve{Start: []float64{0, 3600, 7200},
				Rate: []float64{1, 2, 1.5}, End: 10800}},
			Service:    service,
			Objectives: &scenario.Objectives{MaxWait: new(units.Duration(20))},
			Machines:   machines[:1],
		},
		"need":     {Load: load("100..130"), Objectives: blocking, Samples: new(units.Count(200))},
		"load":     {Load: &scenario.Load{Rate: ranged[units.Rate](t, "1/s")}},
		"machines": {Machines: machines},
		"poor": {
			Load: load("120"),
			Objectives: &scenario.Objectives{MaxBlocking: blocking.MaxBlocking,
				Budget: &units.Money{Price: units.Price(1. / 3600)}},
			Machines: machines,
			Samples:  few,
		},
		"nobody": {Load: load("0"), Objectives: blocking, Machines: machines, Samples: few},
	}
}

func document(t *testing.T, q *planner.PlanQuestion) (*page.Document, *planner.PlanAnswer) {
	t.Helper()
	a, err := planner.Plan(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	d := report.New(q, a, "capplan test")
	if err := d.Draw(context.Background()); err != nil {
		t.Fatal(err)
	}
	return d, a
}

// documents are those of all scenarios, made once: no test changes one.
func documents(t *testing.T) map[string]*page.Document {
	t.Helper()
	if len(made) == 0 {
		for name, q := range scenarios(t) {
			made[name], _ = document(t, q)
		}
	}
	return made
}

var made = map[string]*page.Document{}

// Every plan becomes a page that stands by itself: no address, no script, no
// figure that is not one; the same bytes each time.
func TestHTML(t *testing.T) {
	outside := regexp.MustCompile(`(?i)https?:|//[a-z]|<script|<link|<img|@import|url\(|NaN|[^a-z]Inf[^a-z]|%!`)
	for name, d := range documents(t) {
		var first, second bytes.Buffer
		if err := d.WriteHTML(&first); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "farm" || longtest.Wanted() { // the farm has every part
			again, _ := document(t, scenarios(t)[name])
			if err := again.WriteHTML(&second); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s: two pages of one plan", name)
			}
		}
		page := first.String()
		if at := outside.FindStringIndex(page); at != nil {
			t.Errorf("%s: the page holds %q", name, page[max(at[0]-40, 0):min(at[1]+40, len(page))])
		}
		if d.Answer == "" || !strings.Contains(page, `<p class="answer">`) {
			t.Errorf("%s: no answer", name)
		}
		figures := 0
		for _, s := range d.Sections {
			if s.Lead == "" || !strings.Contains(page, `<section id="`+s.ID+`">`) {
				t.Errorf("%s: section %s: lead %q", name, s.ID, s.Lead)
			}
			figures += len(s.Drawn)
			for _, f := range s.Drawn {
				c := f.Chart
				if f.Top == nil && c.Title == "" || c.XLabel == "" || c.YLabel == "" && len(c.YNames) == 0 {
					t.Errorf("%s: drawing %s has title %q and axes %q and %q", name, f.ID, c.Title, c.XLabel, c.YLabel)
				}
			}
		}
		if n := strings.Count(page, "<svg"); n != 2*figures {
			t.Errorf("%s: %d drawings for %d figures, want one wide and one narrow each", name, n, figures)
		}
		for _, tag := range []string{"section", "table", "figure", "svg", "dl", "details", "ul"} {
			if opened, closed := strings.Count(page,
				"<"+tag+">")+strings.Count(page, "<"+tag+" "), strings.Count(page, "</"+tag+">"); opened != closed {
				t.Errorf("%s: %d <%s> and %d </%s>", name, opened, tag, closed, tag)
			}
		}
		if name == "farm" && (strings.Contains(page, "rack <1>") || !strings.Contains(page, "rack &lt;1&gt;")) {
			t.Error("a name goes into the page as it is")
		}
	}
}

// The sections of a whole plan, in the order of the questions.
func TestSections(t *testing.T) {
	want := map[string]string{
		"farm":     "mix frontier uncertainty sensitivity size routing replicas epoch link checkpoint",
		"certain":  "mix frontier sensitivity size",
		"day":      "mix frontier sensitivity size",
		"need":     "uncertainty sensitivity size",
		"load":     "load",
		"machines": "machines",
		"poor":     "mix frontier uncertainty sensitivity size",
		"nobody":   "mix frontier sensitivity size",
	}
	for name, d := range documents(t) {
		var ids []string
		for _, s := range d.Sections {
			ids = append(ids, s.ID)
		}
		got := strings.Join(ids, " ")
		if name == "nobody" {
			got = strings.Replace(got, "uncertainty ", "", 1)
		}
		if got != want[name] {
			t.Errorf("%s: sections %s, want %s", name, got, want[name])
		}
	}
}

// Tables for programs have as many cells as names, and every file is one that
// a later plan takes away.
func TestTables(t *testing.T) {
	known := map[string]bool{}
	for _, name := range report.FileNames() {
		known[name] = true
	}
	for name, d := range documents(t) {
		for _, table := range d.Data() {
			var b bytes.Buffer
			if err := table.Write(&b, false); err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(&b).ReadAll()
			if err != nil || len(rows) < 2 {
				t.Errorf("%s: %s: %d rows, %v", name, table.Name, len(rows), err)
			}
			if !known[table.Name+".csv"] {
				t.Errorf("%s.csv is not among the names of files", table.Name)
			}
		}
		for _, s := range d.Sections {
			for _, f := range s.Drawn {
				if !known["plots/"+f.ID+".svg"] {
					t.Errorf("plots/%s.svg is not among the names of files", f.ID)
				}
			}
			for _, p := range s.Parts {
				if p.Table == nil {
					continue
				}
				for _, row := range p.Table.Rows {
					if len(row) != len(p.Table.Head) {
						t.Errorf("%s: %s: %d cells under %q", name, s.ID, len(row), p.Table.Head)
					}
				}
			}
		}
	}
}

// Whole amounts and those of a thousand or more have no cents, others two, and
// small ones the digits that they need.
func TestMoney(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0/h", 0.9: "0.90/h", 7.2: "7.20/h", 39.255: "39.26/h", 0.378: "0.378/h", 0.0042: "0.0042/h", 69: "69/h",
		1234.5: "1,235/h", 7579687511: "7,579,687,511/h", -0.5: "-0.50/h", 99.999: "100/h", 1234567.8: "1,234,568/h",
	} {
		if got := say.Price(nil, v); got != want {
			t.Errorf("price(%v) = %q, want %q", v, got, want)
		}
	}
}

// Tables in CSV have the numbers of the JSON, to the last digit.
func TestFinishRowsAreWhole(t *testing.T) {
	third := 1000.0 / 3
	for _, a := range []*bags.FinishAnswer{
		{Finish: bags.Percentiles{P50: &third}},
		{Frontier: []bags.FrontierPoint{{By: third, Hours: third, Cost: &third, Start: third, Workers: 3}}},
	} {
		var cells []string
		err := report.Finish(a).Data[0].Each(func(row []string) error {
			cells = append(cells, row...)
			return nil
		})
		if want := strconv.FormatFloat(third, 'g', -1, 64); err != nil || !slices.Contains(cells, want) {
			t.Errorf("%q, %v: want %s", cells, err, want)
		}
	}
}
