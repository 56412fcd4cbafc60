package chart_test

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"flag"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	. "github.com/capplan/capplan/chart"
)

var update = flag.Bool("update", false, "write the golden picture")

func draw(t *testing.T, c Chart, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c, format, Size{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for name, c := range map[string]Chart{"objective": objective(), "waiting": waiting(), "tornado": tornado(), "classes": classes()} {
		file := "testdata/" + name + ".svg"
		got := draw(t, c, "svg")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("the picture differs from %s; look at it and run with -update", file)
		}
	}
}

// Each format is byte for byte the same each time, holds no date and is what
// it says.
func TestFormats(t *testing.T) {
	load, servers := day()
	for name, c := range gallery() {
		for format, check := range map[string]func(*testing.T, string, []byte){"svg": checkSVG, "pdf": checkPDF} {
			a := draw(t, c, format)
			if !bytes.Equal(a, draw(t, c, format)) {
				t.Errorf("%s: two runs of %s differ", name, format)
			}
			check(t, name, a)
		}
	}
	var a, b bytes.Buffer
	for _, w := range []io.Writer{&a, &b} {
		if err := WritePanels(w, load, servers, "svg", Size{}); err != nil {
			t.Fatal(err)
		}
	}
	checkSVG(t, "day", a.Bytes())
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two runs of the panels differ")
	}
	p := draw(t, objective(), "png")
	config, err := png.DecodeConfig(bytes.NewReader(p))
	if err != nil || config.Width != 1600 || config.Height != 1000 {
		t.Errorf("png: %+v, %v, want 1600 by 1000", config, err)
	}
	if !bytes.Equal(p, draw(t, objective(), "png")) {
		t.Error("two runs of png differ")
	}
}

func checkSVG(t *testing.T, name string, b []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) {
		t.Errorf("%s: a coordinate is not finite", name)
	}
}

// checkPDF checks the date and that the table of offsets points at objects.
func checkPDF(t *testing.T, name string, b []byte) {
	t.Helper()
	dates := regexp.MustCompile(`Date \(D:(\d+)\)`).FindAllSubmatch(b, -1)
	if len(dates) != 2 {
		t.Fatalf("%s: %d dates, want 2", name, len(dates))
	}
	for _, d := range dates {
		if string(d[1]) != "20000101000000" {
			t.Errorf("%s: date %s", name, d[1])
		}
	}
	xref := bytes.LastIndex(b, []byte("\nxref\n"))
	if xref < 0 {
		t.Fatalf("%s: no xref", name)
	}
	for i, m := range regexp.MustCompile(`(\d{10}) 00000 n`).FindAllSubmatch(b[xref:], -1) {
		at, err := strconv.Atoi(string(m[1]))
		if want := fmt.Sprintf("%d 0 obj", i+1); err != nil || !bytes.HasPrefix(b[at:], []byte(want)) {
			t.Fatalf("%s: object %d is not at %d", name, i+1, at)
		}
	}
}

// A band is filled with its full colour and an opacity, not with a dark one.
func TestPDFColors(t *testing.T) {
	b := draw(t, throughput(), "pdf")
	_, content, ok := bytes.Cut(b, []byte("stream\n"))
	if !ok {
		t.Fatal("no stream")
	}
	z, err := zlib.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	ops, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	// #0072B2 in 0..1, at three decimals.
	if !bytes.Contains(ops, []byte("0.000 0.447 0.698 rg")) {
		t.Error("the band is not filled with blue")
	}
	if !bytes.Contains(b, []byte("/ca 0.2")) {
		t.Error("the band is not transparent")
	}
}

func TestTexts(t *testing.T) {
	c := objective()
	c.Title, c.Series[0].Name = `Blocking <&"' λ`, "Erlang\nB"
	s := string(draw(t, c, "svg"))
	for _, want := range []string{">Blocking &lt;&amp;&#34;&#39; λ<", ">M/G/n/n, offered load 120 erl<", ">servers<",
		">blocking probability<", ">Erlang B<", ">objective 1%<", ">138 servers: 0.95%<", ">0.01<", ">1e-6<", ">140<"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s in the drawing", want)
		}
	}
	if !strings.Contains(s, `font-family:'Liberation Sans',Arial,Helvetica,sans-serif`) {
		t.Error("no fallback for the font")
	}
}

// paths returns the points of the paths drawn in a colour.
func paths(t *testing.T, svg []byte, color string) [][][2]float64 {
	t.Helper()
	var all [][][2]float64
	for _, m := range regexp.MustCompile(`<path d="([^"]*)"\s*style="fill:none;stroke:`+color).FindAllSubmatch(svg, -1) {
		var path [][2]float64
		for _, p := range regexp.MustCompile(`[ML]([-0-9.e]+),([-0-9.e]+)`).FindAllSubmatch(m[1], -1) {
			x, _ := strconv.ParseFloat(string(p[1]), 64)
			y, _ := strconv.ParseFloat(string(p[2]), 64)
			path = append(path, [2]float64{x, y})
		}
		all = append(all, path)
	}
	return all
}

const blue = "#0072B2"

// A point stands where its value says: the place of the others follows from
// that of two of them.
func TestPlaces(t *testing.T) {
	c := objective()
	var line [][2]float64
	for _, p := range paths(t, draw(t, c, "svg"), blue) {
		if len(p) > len(line) {
			line = p
		}
	}
	s := c.Series[0]
	if len(line) != len(s.X) {
		t.Fatalf("%d points drawn, want %d", len(line), len(s.X))
	}
	n := len(line) - 1
	for i, p := range line {
		fx := (s.X[i] - s.X[0]) / (s.X[n] - s.X[0])
		fy := math.Log(s.Y[i]/s.Y[0]) / math.Log(s.Y[n]/s.Y[0])
		x := line[0][0] + fx*(line[n][0]-line[0][0])
		y := line[0][1] + fy*(line[n][1]-line[0][1])
		if math.Abs(p[0]-x) > 0.02 || math.Abs(p[1]-y) > 0.02 {
			t.Fatalf("point %d at %v, want %v, %v", i, p, x, y)
		}
	}
}

// A step series is drawn as level pieces, one per value, the last as long as
// the one before.
func TestSteps(t *testing.T) {
	c := Chart{Series: []Series{{X: []float64{0, 1, 3}, Y: []float64{2, 5, 4}, Style: Step}}}
	line := paths(t, draw(t, c, "svg"), blue)[0]
	if len(line) != 6 {
		t.Fatalf("%d corners, want 6: %v", len(line), line)
	}
	unit := line[1][0] - line[0][0]
	for i, length := range []float64{1, 2, 2} {
		a, b := line[2*i], line[2*i+1]
		if a[1] != b[1] || math.Abs(b[0]-a[0]-length*unit) > 0.05 {
			t.Errorf("step %d from %v to %v, want %v level", i, a, b, length*unit)
		}
	}
}

// A long line is thinned to what can be seen, with its peak kept.
func TestThin(t *testing.T) {
	const n = 200000
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range xs {
		xs[i], ys[i] = float64(i), math.Sin(float64(i)/9e3)
	}
	ys[n/3] = 50
	b := draw(t, Chart{Series: []Series{{X: xs, Y: ys}}}, "svg")
	var line [][2]float64
	for _, piece := range paths(t, b, blue) {
		line = append(line, piece...)
	}
	if len(line) > 12000 || len(line) < 1000 {
		t.Errorf("%d points drawn", len(line))
	}
	top, second := 0.0, 0.0
	for _, p := range line {
		if p[1] > top {
			top, second = p[1], top
		} else if p[1] > second {
			second = p[1]
		}
	}
	if top < second+100 {
		t.Errorf("the peak at %v is lost (next %v)", top, second)
	}
}

// Both panels have the same x axis, in the same place.
func TestPanels(t *testing.T) {
	load, servers := day()
	var b bytes.Buffer
	if err := WritePanels(&b, load, servers, "svg", Size{}); err != nil {
		t.Fatal(err)
	}
	var long [][][2]float64
	for _, p := range paths(t, b.Bytes(), blue) {
		if len(p) == 48 {
			long = append(long, p)
		}
	}
	if len(long) != 2 {
		t.Fatalf("%d lines of 24 steps, want 2", len(long))
	}
	for i := range long[0] {
		if math.Abs(long[0][i][0]-long[1][i][0]) > 0.02 {
			t.Fatalf("corner %d at x = %v above and %v below", i, long[0][i][0], long[1][i][0])
		}
	}
	for _, text := range []string{">calls per hour<", ">servers<", ">time of day (h)<", ">square root<", ">21<"} {
		if n := strings.Count(b.String(), text); n != 1 {
			t.Errorf("%s is drawn %d times, want once", text, n)
		}
	}
}

// No two texts on a line of the drawing overlap, by the width of the font's
// widest digit and letters.
func TestTicksApart(t *testing.T) {
	for name, c := range gallery() {
		type text struct {
			x    float64
			s    string
			size float64
		}
		rows := map[string][]text{}
		re := regexp.MustCompile(`<text x="([-0-9.e]+)" y="([-0-9.e]+)" transform="scale\(1, -1\)"\s*style="[^"]*font-size:([0-9.]+)px[^"]*">([-0-9.,eMGT]+)</text>`)
		for _, m := range re.FindAllStringSubmatch(string(draw(t, c, "svg")), -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			size, _ := strconv.ParseFloat(m[3], 64)
			rows[m[2]] = append(rows[m[2]], text{x, m[4], size})
		}
		for y, row := range rows {
			for i := 1; i < len(row); i++ {
				end := row[i-1].x + 0.5*row[i-1].size*float64(len(row[i-1].s))
				if row[i].x > row[i-1].x && row[i].x < end {
					t.Errorf("%s: %q and %q overlap at y = %s", name, row[i-1].s, row[i].s, y)
				}
			}
		}
	}
}

// A label says the value that it stands at: quarters of an hour have two decimals.
func TestTicksSayTheirValue(t *testing.T) {
	c := Chart{
		XSteps: []float64{0.25},
		Series: []Series{{Name: "done", X: []float64{0, 2.4}, Y: []float64{0, 1}}},
	}
	svg := string(draw(t, c, "svg"))
	for _, want := range []string{"0.25", "0.75", "1.00", "2.25"} {
		if !strings.Contains(svg, ">"+want+"<") {
			t.Errorf("no label %s", want)
		}
	}
}

func ExampleWrite() {
	c := Chart{
		Title:  "Blocking against servers",
		XLabel: "servers",
		YLabel: "blocking probability",
		YLog:   true,
		Series: []Series{{Name: "8 erl", X: []float64{10, 12, 14, 16}, Y: []float64{0.1217, 0.0514, 0.0172, 0.0045}}},
		HLines: []Rule{{Value: 0.01, Label: "objective 1%"}},
	}
	var b bytes.Buffer
	if err := Write(&b, c, "svg", Size{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(b.String(), "objective 1%"))
	c.Series[0].Y[3] = 0
	fmt.Println(Write(&b, c, "svg", Size{}))
	// Output:
	// true
	// chart: Write: series "8 erl", point 4: y = 0 on a logarithmic axis, want more than 0
}

// A long line is drawn in pieces that join: the time of a picture of points grows as the square of the points
// of a stroke, and one line of 10,000 that goes up and down took 12 s.
func TestLongLine(t *testing.T) {
	x, y := make([]float64, 30_000), make([]float64, 30_000)
	for i := range x {
		x[i], y[i] = float64(i), float64(i%2)
	}
	most, last := 0, ""
	for _, path := range regexp.MustCompile(`<path d="(M[^"]*)"`).FindAllStringSubmatch(
		string(draw(t, Chart{Series: []Series{{X: x, Y: y}}}, "svg")), -1) {
		points := regexp.MustCompile("[ML]").Split(path[1], -1)[1:]
		if len(points) < 500 {
			continue
		}
		if most = max(most, len(points)); last != "" && points[0] != last {
			t.Errorf("a piece begins at %s, and the one before it ends at %s", points[0], last)
		}
		last = points[len(points)-1]
	}
	if last == "" || most > 1001 {
		t.Errorf("a stroke of %d points, want at most 1001", most)
	}
}
