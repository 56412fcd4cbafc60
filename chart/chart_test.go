package chart_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/capplan/capplan/chart"
)

func TestWriteRefuses(t *testing.T) {
	xy := func(x, y []float64) []Series { return []Series{{Name: "blocking", X: x, Y: y}} }
	ok := xy([]float64{1, 2}, []float64{1, 2})
	styled := func(style Style, x, y []float64) []Series {
		return []Series{{Name: "blocking", X: x, Y: y, YLow: y, YHigh: y, Style: style}}
	}
	one, two := 1.0, 2.0
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		chart  Chart
		where  string
		reason string
	}{
		"empty":         {Chart{}, "chart", "nothing to draw"},
		"empty series":  {Chart{Series: xy(nil, nil)}, "chart", "nothing to draw"},
		"marks only":    {Chart{Marks: []Mark{{1, 1, ""}}}, "chart", "nothing to draw"},
		"lengths":       {Chart{Series: xy([]float64{1, 2}, []float64{1})}, `series "blocking"`, "1 values of y for 2 of x"},
		"no y":          {Chart{Series: xy([]float64{1, 2}, nil)}, `series "blocking"`, "0 values of y for 2 of x"},
		"NaN":           {Chart{Series: xy([]float64{1, 2}, []float64{1, nan})}, `series "blocking", point 2`, "y = NaN"},
		"Inf":           {Chart{Series: xy([]float64{inf, 2}, []float64{1, 1})}, `series "blocking", point 1`, "x = +Inf"},
		"too large":     {Chart{Series: xy([]float64{1, 2}, []float64{1, 1e301})}, `series "blocking", point 2`, "y = 1e+301"},
		"log zero":      {Chart{YLog: true, Series: xy([]float64{1, 2}, []float64{1, 0})}, `series "blocking", point 2`, "y = 0 on a logarithmic axis"},
		"log x":         {Chart{XLog: true, Series: xy([]float64{-1, 2}, []float64{1, 0})}, `series "blocking", point 1`, "x = -1 on a logarithmic axis"},
		"unnamed":       {Chart{Series: []Series{{X: []float64{nan}, Y: []float64{1}}}}, `series "1", point 1`, "x = NaN"},
		"band order":    {Chart{Series: []Series{{Name: "b", X: []float64{1}, YLow: []float64{2}, YHigh: []float64{1}, Style: Band}}}, `series "b", point 1`, "low = 2 above high = 1"},
		"band lengths":  {Chart{Series: []Series{{Name: "b", X: []float64{1}, Y: []float64{2}, Style: Band}}}, `series "b"`, "0 values of low"},
		"low of a line": {Chart{Series: []Series{{Name: "b", X: []float64{1}, Y: []float64{2}, YLow: []float64{1, 2}}}}, `series "b"`, "2 values of low"},
		"step order":    {Chart{Series: styled(Step, []float64{1, 1}, []float64{1, 2})}, `series "blocking", point 2`, "want increasing x"},
		"bars order":    {Chart{Series: styled(Bars, []float64{2, 1}, []float64{1, 2})}, `series "blocking", point 2`, "want increasing x"},
		"band x order":  {Chart{Series: styled(Band, []float64{2, 1}, []float64{1, 2})}, `series "blocking", point 2`, "want increasing x"},
		"bars log x":    {Chart{XLog: true, Series: styled(Bars, []float64{1, 2}, []float64{1, 2})}, `series "blocking"`, "bars on a logarithmic x axis"},
		"style":         {Chart{Series: styled(9, []float64{1, 2}, []float64{1, 2})}, `series "blocking"`, "style 9"},
		"rule":          {Chart{Series: ok, HLines: []Rule{{nan, "goal"}}}, `horizontal line 1 ("goal")`, "value = NaN"},
		"log rule":      {Chart{Series: ok, XLog: true, VLines: []Rule{{0, "now"}}}, `vertical line 1 ("now")`, "value = 0 on a logarithmic"},
		"mark":          {Chart{Series: ok, Marks: []Mark{{1, inf, "answer"}}}, `mark 1 ("answer")`, "y = +Inf"},
		"limits":        {Chart{Series: ok, YMin: &two, YMax: &one}, "chart", "y from 2 to 1"},
		"equal limits":  {Chart{Series: ok, XMin: &one, XMax: &one}, "chart", "x from 1 to 1"},
		"NaN limit":     {Chart{Series: ok, XMin: &nan}, "chart", "x limit = NaN"},
		"step":          {Chart{Series: ok, XStep: -1}, "chart", "XStep = -1"},
	} {
		var b bytes.Buffer
		err := Write(&b, c.chart, "svg", Size{})
		var de *DataError
		if !errors.As(err, &de) || de.Where != c.where || !strings.Contains(de.Reason, c.reason) || b.Len() > 0 {
			t.Errorf("%s: %v with %d bytes written, want %s: %s", name, err, b.Len(), c.where, c.reason)
		}
	}
	var fe *FormatError
	if err := Write(io.Discard, Chart{Series: ok}, "gif", Size{}); !errors.As(err, &fe) || fe.Format != "gif" {
		t.Errorf("gif: %v, want a *FormatError", err)
	}
	for _, size := range []Size{{100, 500}, {800, 20000}, {nan, 500}, {800, 0}} {
		var de *DataError
		if err := Write(io.Discard, Chart{Series: ok}, "png", size); !errors.As(err, &de) {
			t.Errorf("size %v: %v, want a *DataError", size, err)
		}
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	if err := Write(full{}, objective(), "svg", Size{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want that of the writer", err)
	}
}

// The caller's chart is not changed by cleaning its texts.
func TestWriteLeavesChart(t *testing.T) {
	c := Chart{Series: []Series{{Name: "a\nb", X: []float64{1}, Y: []float64{1}}}, Marks: []Mark{{1, 1, "c\x00"}}}
	if err := Write(io.Discard, c, "svg", Size{}); err != nil {
		t.Fatal(err)
	}
	if c.Series[0].Name != "a\nb" || c.Marks[0].Label != "c\x00" {
		t.Errorf("changed to %q, %q", c.Series[0].Name, c.Marks[0].Label)
	}
}

// Values of any magnitude on any axes are drawn with finite coordinates.
func TestAnyMagnitude(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := func(name string) float64 {
			return math.Pow(10, rapid.Float64Range(-300, 300).Draw(t, name)) * float64(rapid.IntRange(-1, 1).Draw(t, "sign"))
		}
		c := Chart{XLog: rapid.Bool().Draw(t, "x log"), YLog: rapid.Bool().Draw(t, "y log"), XStep: math.Abs(value("step"))}
		positive := func(v float64, log bool) float64 {
			if v = math.Abs(v); !log || v > 0 {
				return v
			}
			return 1
		}
		s := Series{Name: "s", Style: Style(rapid.IntRange(int(Line), int(Points)).Draw(t, "style"))}
		x := value("x")
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			x += math.Max(math.Abs(value("dx")), math.Abs(x)*1e-9)
			if c.XLog {
				x = positive(x, true)
			}
			y := value("y")
			if c.YLog {
				y = positive(y, true)
			}
			s.X, s.Y = append(s.X, x), append(s.Y, y)
		}
		c.Series = []Series{s}
		c.HLines = []Rule{{positive(value("rule"), c.YLog), "rule"}}
		c.Marks = []Mark{{positive(value("mark"), c.XLog), positive(value("mark"), c.YLog), "mark"}}
		var b bytes.Buffer
		var de *DataError
		if err := Write(&b, c, "svg", Size{}); err != nil && !errors.As(err, &de) {
			t.Fatal(err)
		}
		if bytes.Contains(b.Bytes(), []byte("NaN")) || bytes.Contains(b.Bytes(), []byte("Inf")) {
			t.Fatal("a coordinate is not finite")
		}
	})
}

// Any chart is drawn or refused, in any size and with any text.
func FuzzWrite(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0, uint8(0), 800.0, 500.0, "title")
	f.Add(1e-300, 1e300, -1e300, 0.0, uint8(5), 200.0, 200.0, "λ\x00\xff")
	f.Add(1.0, 1.0, 1.0+1e-15, 1.0, uint8(0x31), 200.0, 9000.0, strings.Repeat("long ", 100))
	f.Add(5e-324, 0.0, 0.0, 5e-324, uint8(0x12), 300.0, 300.0, "")
	f.Fuzz(func(t *testing.T, a, b, x, y float64, how uint8, width, height float64, text string) {
		if width*height > 1e6 {
			return
		}
		xs, ys := []float64{a, b, x}, []float64{x, y, a}
		low := []float64{math.Min(x, y), math.Min(x, y), math.Min(x, y)}
		high := []float64{math.Max(x, y), math.Max(x, y), math.Max(x, y)}
		c := Chart{Title: text, Subtitle: text, XLabel: text, YLabel: text, XLog: how&16 > 0, YLog: how&32 > 0,
			Series: []Series{{Name: text, X: xs, Y: ys, YLow: low, YHigh: high, Style: Style(how % 8)}, {Name: "b", X: []float64{b}, Y: []float64{y}}},
			HLines: []Rule{{y, text}}, VLines: []Rule{{a, text}}, Marks: []Mark{{b, y, text}}}
		if how&64 > 0 {
			c.YMin, c.XMax, c.XStep = &y, &b, a
		}
		for _, format := range []string{"svg", "pdf"} {
			var out bytes.Buffer
			if err := Write(&out, c, format, Size{width, height}); err == nil && format == "svg" && bytes.Contains(out.Bytes(), []byte("NaN")) && !strings.Contains(text, "NaN") {
				t.Fatalf("NaN in the %s of %+v", format, c)
			}
			if how&128 > 0 {
				_ = WritePanels(io.Discard, c, c, format, Size{width, height})
			}
		}
	})
}
