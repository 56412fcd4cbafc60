package traffic_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
	"github.com/capplan/capplan/traffic"
)

func mustRead(t *testing.T, text string, o traffic.Options) *traffic.Record {
	t.Helper()
	r, err := traffic.Read(context.Background(), "f.csv", strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// One day of three intervals of five minutes with 600, 1200 and 300 requests,
// as people and programs write it.
func TestReadForms(t *testing.T) {
	want := []float64{2, 4, 1}
	for name, text := range map[string]string{
		"RFC 3339":             "time,count\n2026-11-22T10:00:00Z,600\n2026-11-22T10:05:00Z,1200\n2026-11-22T10:10:00Z,300\n",
		"offsets":              "time,count\n2026-11-22T10:00:00+01:00,600\n2026-11-22T11:05:00+02:00,1200\n2026-11-22T10:10:00+0100,300\n",
		"minutes":              "requests,timestamp\n600,2026-11-22 10:00\n1200,2026-11-22 10:05\n300,2026-11-22 10:10\n",
		"slashes":              "timestamp,requests\n2026/11/22 10:00,600\n2026/11/22 10:05,1200\n2026/11/22 10:10,300\n",
		"points":               "Zeit;x;Requests\n22.11.2026 10:00;a;600\n22.11.2026 10:05;b;1200\n22.11.2026 10:10;c;300\n",
		"of day":               "time\tcalls\n10:00\t600\n10:05\t1.2k\n10:10\t300\n",
		"AM, PM":               "interval,calls\n11:55 AM,600\n12:00 PM,1200\n12:05 PM,300\n",
		"Unix s":               "ts,count\n1700000000,600\n1700000300,1200\n1700000600,300\n",
		"Unix ms":              "ts,count\n1700000000000,600\n1700000300000,1200\n1700000600000,300\n",
		"Unix ns":              "ts,count\n1700000000000000000,600\n1700000300000000000,1200\n1700000600000000000,300\n",
		"seconds":              "time_s,count\n0,600\n300,1200\n600,300\n",
		"decimal comma":        "time;rate_per_min\n10:00;120,0\n10:05;240,0\n10:10;60,0\n",
		"thousands":            "time,count\n10:00,600\n10:05,\"1,200\"\n10:10,300\n",
		"thousands, comma":     "time;count\n10:00;600,0\n10:05;1.200,0\n10:10;300,0\n",
		"thousands, told late": "time;count\n10:00;600\n10:05;1.200\n10:10;300,0\n",
		"thousands, point":     "time;count\n10:00;600\n10:05;1,200\n10:10;300.0\n",
		"blanks":               "time;count\n10:00;600\n10:05;1 200\n10:10;300\n",
		"no-break":             "time;count\n10:00;600\n10:05;1\u202f200\n10:10;300\n",
		"rates in cells":       "time,rate\n10:00,2/s\n10:05,240/min\n10:10,0.001k rps\n",
		"rps":                  "time,rps\n10:00,2\n10:05,4 rps\n10:10,1\n",
		"per hour":             "time,calls_per_hour\n10:00,7200\n10:05,14400\n10:10,3.6k\n",
		"per min in brackets":  "time,requests/min\n10:00,120\n10:05,240\n10:10,60\n",
		"date and time":        "Date,Time,Calls Offered\n2026-11-22,10:00,600\n2026-11-22,10:05,1200\n2026-11-22,10:10,300\n",
		"out of order":         "time,count\n2026-11-22 10:10,300\n2026-11-22 10:05,1200\n2026-11-22 10:00,600\n",
		"by endpoint":          "time,path,count\n10:00,/a,500\n10:00,/b,100\n10:05,/a,1200\n10:10,/a,300\n",
		"bars and blanks":      "# exported\n\n time | count \n10:00 | 600\n10:05 | 1200\n10:10 | 300\n",
		"quoted":               "\"time\",\"count\"\n\"10:00\",\"600\"\n\"10:05\",\"1200\"\n\"10:10\",\"300\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			o := traffic.Options{}
			if name == "points" {
				o.Columns = map[traffic.Role]string{traffic.TimeColumn: "Zeit"}
			}
			r := mustRead(t, text, o)
			if len(r.Intervals) != 3 {
				t.Fatalf("intervals %+v", r.Intervals)
			}
			for i, v := range r.Intervals {
				numtest.Close(t, "rate", v.Rate, want[i], 1e-12)
				numtest.Close(t, "width", v.Width, 300, 1e-9)
			}
			if err := r.Curve().Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		say        []string
	}{
		{"two counts", "time,requests,requests_total,Requests\n", []string{`columns "requests" and "Requests" may both be the count`, "count=requests"}},
		{"no unit", "time,rate\n10:00,5\n", []string{"f.csv:2:7", `rate = "5" has no unit of time`, "rate_per_s"}},
		{"month or day", "time,count\n11/22/2026 10:00,5\n", []string{"f.csv:2:1", "is not a time", "2026-11-22"}},
		{"no such day", "time,count\n2026-02-30 10:00,5\n", []string{"is not a time"}},
		{"kinds", "time,count\n10:00,5\n2026-01-01 10:00,5\n", []string{"f.csv:3:1", "is a date with a time, the rows before hold a time of day"}},
		{"days without dates", "time,count\n10:00,5\n23:00,5\n01:00,7\n", []string{"f.csv:4:1", "comes after 23:00", "dates"}},
		{"negative", "time,count\n10:00,5\n10:05,-5\n", []string{"f.csv:3:7", "out of bounds"}},
		{"text", "time,count\n10:00,5\n10:05,many\n", []string{`count = "many" is not a number`}},
		{"suffix", "time,count\n10:00,5 rps\n", []string{"is not a count"}},
		{"one or a thousand", "time;count\n10:00;1.234\n10:05;2.345\n", []string{"f.csv:2", "a thousand times more, or not?"}},
		{"two marks", "time;count\n10:00;1,5\n10:05;2.5\n", []string{"f.csv:3", `decimal mark "."`, `rows before have ","`}},
		{"groups", "time,count\n10:00,\"1,23\"\n", []string{"f.csv:2"}},
		{"latency", "time,latency\n10:00,5\n", []string{"has no unit", "latency_ms"}},
		{"one time", "time,count\n10:00,5\n10:00,6\n", []string{"one time in all rows"}},
		{"one row", "time,count\n10:00,5\n", []string{"1 row,"}},
		{"cells", "time,count\n10:00,5,6\n", []string{"3 cells", "2, as the header has"}},
		{"requests at once", "time\n10:00\n", []string{"no column for a count"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := traffic.Read(context.Background(), "f.csv", strings.NewReader(c.text), traffic.Options{})
			sourcetest.CheckFileError(t, err, "f.csv", source.ErrMalformed, append(c.say, "want")...)
		})
	}
	_, err := traffic.Read(context.Background(), "f.csv", strings.NewReader("a,b\n"), traffic.Options{Columns: map[traffic.Role]string{traffic.TimeColumn: "aa"}})
	sourcetest.CheckFileError(t, err, "f.csv", source.ErrMalformed, `no column "aa" (did you mean a?)`)
	var domain *source.DomainError
	if _, err := traffic.Read(context.Background(), "f", strings.NewReader("x"), traffic.Options{Interval: math.NaN()}); !errors.As(err, &domain) {
		t.Errorf("interval NaN: %v", err)
	}
}

// A missing row never makes the curve smaller; hours without rows on any day are
// hours in which nobody comes.
func TestGaps(t *testing.T) {
	var b strings.Builder
	b.WriteString("time,count\n")
	for d := range 3 {
		for h := 8; h < 18; h++ {
			if d == 1 && h == 12 {
				continue
			}
			fmt.Fprintf(&b, "2026-11-%d %02d:00,%d\n", 23+d, h, 3600*(h-7))
		}
	}
	r := mustRead(t, b.String(), traffic.Options{})
	if len(r.Gaps) != 3 {
		t.Fatalf("gaps %+v", r.Gaps)
	}
	for i, closed := range []bool{true, false, true} {
		if r.Gaps[i].Closed != closed {
			t.Errorf("gap %d: %+v", i, r.Gaps[i])
		}
	}
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"2026-11-24 12:00 to 2026-11-24 13:00", "2026-11-23 18:00 to 2026-11-24 08:00"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	c := r.Curve()
	midnight := float64(time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC).Unix())
	for hour, want := range map[float64]float64{12: 6, 11: 4, 2: 0, 20: 0, 9: 2} {
		if got, err := c.RateAt(midnight + hour*3600); err != nil || got != want {
			t.Errorf("rate at %v h = %v, %v, want %v", hour, got, err, want)
		}
	}
	folded, err := r.Day(traffic.Level{Percentile: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	for hour, want := range map[float64]float64{0: 0, 8: 1, 12: 5, 17: 10, 18: 0} {
		if got, _ := folded.RateAt(hour * 3600); got != want {
			t.Errorf("folded rate at %v h = %v, want %v", hour, got, want)
		}
	}
}

// A percentile is told to be the greatest of its days where it is, and only there: the
// 90th of ten days is the ninth, though 1 - 0.9 is less than a tenth by a rounding.
func TestFoldTellsTheGreatest(t *testing.T) {
	for days := 1; days <= 21; days++ {
		var b strings.Builder
		b.WriteString("time,count\n")
		for hour := range 24 * days {
			at := time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC)
			fmt.Fprintf(&b, "%s,%d\n", at.Format(time.RFC3339), 3600*(1+hour/24))
		}
		for _, p := range []float64{0.5, 0.7, 0.8, 0.9, 0.95} {
			c, err := mustRead(t, b.String(), traffic.Options{}).Day(traffic.Level{Percentile: p})
			if err != nil {
				t.Fatal(err)
			}
			rate, _ := c.RateAt(0)
			notes := strings.Join(c.Notes, "\n")
			if told := strings.Contains(notes, "is the greatest of them"); told != (rate == float64(days)) {
				t.Errorf("%v of %d days is %v: %s", p, days, rate, notes)
			}
			if days == 1 && !strings.Contains(notes, "over 1 day that has rows") {
				t.Error(notes)
			}
			if p == 0.9 && days < 10 && !strings.Contains(notes, "fewer than 10 days") {
				t.Error(notes)
			}
		}
	}
}

// Percentiles over days are order statistics, found by counting.
func TestFoldPercentiles(t *testing.T) {
	var b strings.Builder
	b.WriteString("time,count\n")
	base := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC) // a Monday
	rate := func(d, h int) float64 { return float64((d*37+h*11)%29 + 1) }
	for d := range 28 {
		for h := range 24 {
			fmt.Fprintf(&b, "%s,%v\n", base.Add(time.Duration(24*d+h)*time.Hour).Format(time.RFC3339), 3600*rate(d, h))
		}
	}
	r := mustRead(t, b.String(), traffic.Options{})
	for _, p := range []float64{0.01, 0.5, 0.75, 0.9, 0.95, 1} {
		c, err := r.Day(traffic.Level{Percentile: p})
		if err != nil {
			t.Fatal(err)
		}
		for h := range 24 {
			got := c.Rate[h]
			atMost, below := 0, 0
			for d := range 28 {
				if rate(d, h) <= got+1e-9 {
					atMost++
				}
				if rate(d, h) < got-1e-9 {
					below++
				}
			}
			if float64(atMost) < p*28-1e-9 || float64(below) >= p*28-1e-9 {
				t.Errorf("p = %v, hour %d: %v has %d days at or below, %d below", p, h, got, atMost, below)
			}
		}
	}
	mean, err := r.Day(traffic.Level{})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "mean of means", mean.Mean(), r.Curve().Mean(), 1e-12)
	weekly, err := r.Week(traffic.Level{Percentile: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(weekly.Rate) != 168 || weekly.End != 7*86400 {
		t.Fatalf("%d slots to %v", len(weekly.Rate), weekly.End)
	}
	for d := range 7 {
		for h := range 24 {
			want := 0.0
			for w := range 4 {
				want = max(want, rate(7*w+d, h))
			}
			numtest.Close(t, "greatest of the weeks", weekly.Rate[24*d+h], want, 1e-12)
		}
	}
}

// Slots that do not fit the intervals keep what came in.
func TestFoldKeepsArrivals(t *testing.T) {
	var b strings.Builder
	b.WriteString("ts,count\n")
	for i := range 2 * 86400 / 420 { // steps of 420 s, slots of 432 s
		fmt.Fprintf(&b, "%d,%d\n", 1700006400+420*i, i%50)
	}
	r := mustRead(t, b.String(), traffic.Options{})
	c, err := r.Day(traffic.Level{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Rate) != 200 {
		t.Errorf("%d slots", len(c.Rate))
	}
	numtest.Close(t, "mean", c.Mean(), r.Curve().Mean(), 1e-2)
	if _, err := mustRead(t, "time,count\n10:00,1\n11:00,2\n", traffic.Options{}).Day(traffic.Level{}); !errors.Is(err, traffic.ErrUndated) {
		t.Errorf("without dates: %v", err)
	}
	var domain *source.DomainError
	if _, err := r.Day(traffic.Level{Percentile: 2}); !errors.As(err, &domain) {
		t.Errorf("percentile 2: %v", err)
	}
}

// Days are those of the clock of the place, over the change of the clocks too.
func TestZones(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	var unix, local strings.Builder
	unix.WriteString("ts,count\n")
	local.WriteString("time,count\n")
	at := time.Date(2026, 3, 27, 0, 0, 0, 0, berlin) // clocks go on the 29th
	for range 24 * 5 {
		fmt.Fprintf(&unix, "%d,%d\n", at.Unix(), 3600*(at.Hour()+1))
		fmt.Fprintf(&local, "%s,%d\n", at.Format("2006-01-02T15:04:05-07:00"), 3600*(at.Hour()+1))
		at = at.Add(time.Hour)
	}
	for name, r := range map[string]*traffic.Record{
		"unix":  mustRead(t, unix.String(), traffic.Options{Zone: berlin}),
		"local": mustRead(t, local.String(), traffic.Options{}),
	} {
		c, err := r.Day(traffic.Level{Percentile: 0.5})
		if err != nil {
			t.Fatal(name, err)
		}
		for h := range 24 {
			numtest.Close(t, name, c.Rate[h], float64(h+1), 1e-12)
		}
		// Days in a row keep one offset, and say so.
		want := "the clocks change before 2026-03-29 03:00: times here keep the offset of the first row, " +
			"and are 1h behind the clock until it changes again"
		if notes := r.Curve().Notes; !slices.Contains(notes, want) {
			t.Errorf("%s: notes %q, want %q", name, notes, want)
		}
	}
}

// Requests one by one fold by the clock of the place too: those of nine o'clock stay
// there when the clocks go.
func TestZonesOfRequests(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []time.Time{
		time.Date(2026, 3, 24, 0, 0, 0, 0, berlin),  // forward on the 29th
		time.Date(2026, 10, 20, 0, 0, 0, 0, berlin), // back on the 25th
	} {
		var unix, local strings.Builder
		unix.WriteString("ts,duration_s\n")
		local.WriteString("time,duration_s\n")
		for d := range 10 {
			for minute := range 120 { // of two hours, one request a minute in the first and two in the second
				for range 1 + minute/60 {
					at := time.Date(first.Year(), first.Month(), first.Day()+d, 9, minute, 0, 0, berlin)
					fmt.Fprintf(&unix, "%d,2\n", at.Unix())
					fmt.Fprintf(&local, "%s,2\n", at.Format("2006-01-02T15:04:05-07:00"))
				}
			}
		}
		for name, r := range map[string]*traffic.Record{
			"unix":  mustRead(t, unix.String(), traffic.Options{Zone: berlin}),
			"local": mustRead(t, local.String(), traffic.Options{}),
		} {
			c, err := r.Day(traffic.Level{Percentile: 0.5})
			if err != nil {
				t.Fatal(name, err)
			}
			for i, at := range c.Start {
				want := map[float64]float64{9: 1. / 60, 10: 2. / 60}[math.Floor(at/3600)]
				if math.Abs(c.Rate[i]-want) > 1e-12 {
					t.Errorf("%s from %v: %v/s from %v s of the day, want %v", name, first, c.Rate[i], at, want)
				}
			}
		}
	}
}

func TestReadRequests(t *testing.T) {
	var b strings.Builder
	b.WriteString("timestamp,status,latency_ms\n")
	took := []float64{}
	for i := range 6000 {
		ms := 5 + (i*7919)%100
		took = append(took, float64(ms)/1000)
		fmt.Fprintf(&b, "%s,200,%d\n", time.Unix(1700000000, int64(i)*5e8).UTC().Format(time.RFC3339Nano), ms)
	}
	r := mustRead(t, b.String(), traffic.Options{})
	if r.Width != 60 {
		t.Errorf("width %v", r.Width)
	}
	for _, v := range r.Intervals {
		numtest.Close(t, "rate", v.Rate, 2, 1e-9)
	}
	mean, square := 0.0, 0.0
	for _, v := range took {
		mean += v / float64(len(took))
	}
	for _, v := range took {
		square += (v - mean) * (v - mean) / float64(len(took)-1)
	}
	if r.Service == nil || r.Service.SCV == nil || r.Service.N != len(took) {
		t.Fatalf("service %+v", r.Service)
	}
	numtest.Close(t, "mean", r.Service.Mean, mean, 1e-12)
	numtest.Close(t, "SCV", *r.Service.SCV, square/mean/mean, 1e-12)
	for _, p := range r.Service.Percentiles {
		n := 0
		for _, v := range took {
			if v <= p.Value {
				n++
			}
		}
		if share := float64(n) / float64(len(took)); share < p.Percentile || share > p.Percentile+0.02 {
			t.Errorf("p%v = %v holds %v", p.Percentile, p.Value, share)
		}
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, `not read: "status"`) || !strings.Contains(notes, "one request") {
		t.Errorf("notes %q", notes)
	}
	means := mustRead(t, "time,calls,aht\n09:00,10,0:03:00\n09:30,30,0:01:00\n", traffic.Options{})
	numtest.Close(t, "weighted mean", means.Service.Mean, 90, 1e-12)
}

func BenchmarkReadYear(b *testing.B) {
	var text strings.Builder
	text.WriteString("time,count\n")
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 105_120 {
		fmt.Fprintf(&text, "%s,%d\n", at.Add(time.Duration(i)*5*time.Minute).Format("2006-01-02 15:04"), 1000+i%288)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r, err := traffic.Read(context.Background(), "year.csv", strings.NewReader(text.String()), traffic.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Day(traffic.Level{Percentile: 0.95}); err != nil {
			b.Fatal(err)
		}
	}
}
