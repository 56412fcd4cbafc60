package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A FormatError reports a format that is not one of svg, png and pdf.
type FormatError struct {
	Format string // as asked for
	Path   string // the file whose suffix it is, or ""
}

// Error names the three formats.
func (e *FormatError) Error() string { return "chart: " + e.Problem() }

// Problem is the error without the name of the package.
func (e *FormatError) Problem() string {
	if e.Path != "" {
		return fmt.Sprintf("WriteFile: path = %q, want a name that ends in .svg, .png or .pdf", e.Path)
	}
	return fmt.Sprintf("Write: format = %q, want svg, png or pdf", e.Format)
}

// Write draws c and writes it to w in the format svg, png or pdf. Everything is
// checked and drawn before the first byte is written. Errors: *DataError for a
// chart that cannot be drawn, *FormatError, and those of w.
func Write(w io.Writer, c Chart, format string, size Size) error {
	return write(w, format, size, Size{800, 500}, c)
}

// WritePanels draws two charts above each other that share the x axis, such as
// a load and the servers for it, and writes them as Write does. The ends of x,
// XLabel, XLog and XStep are those of bottom, widened to hold the data of top.
// Names and ends of x of top are not used.
// A second y axis is never drawn instead: where two scales cross says nothing.
func WritePanels(w io.Writer, top, bottom Chart, format string, size Size) error {
	return write(w, format, size, Size{800, 700}, top, bottom)
}

// write draws all before it writes anything.
func write(w io.Writer, format string, size, standard Size, charts ...Chart) error {
	b, err := render(format, size, standard, charts...)
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("chart: Write: %w", err)
	}
	return nil
}

// render checks the charts, one or two, and returns the bytes of the drawing.
func render(format string, size, standard Size, charts ...Chart) ([]byte, error) {
	if size == (Size{}) {
		size = standard
	}
	for _, side := range []float64{size.Width, size.Height} {
		if !(side >= 200 && side <= 10000) {
			return nil, &DataError{"size",
				fmt.Sprintf("%v by %v px, want sides from 200 to 10000", size.Width, size.Height)}
		}
	}
	if len(charts) == 2 {
		charts[0].XLog, charts[0].XNames = charts[1].XLog, charts[1].XNames
	}
	for i := range charts {
		if err := charts[i].check(); err != nil {
			return nil, err
		}
		charts[i] = charts[i].cleaned()
	}
	width, height := px(size.Width), px(size.Height)
	var out bytes.Buffer
	var err error
	switch format {
	case "svg":
		c := vgsvg.New(width, height)
		sheet(draw.NewCanvas(c, width, height), charts)
		_, err = c.WriteTo(&out)
		// A viewer without Liberation takes a font of the same widths.
		return bytes.ReplaceAll(out.Bytes(), []byte(`style="font-family:Liberation Sans;`),
			[]byte(`style="font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`)), err
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(2*96))
		sheet(draw.NewCanvas(c, width, height), charts)
		// The least compression takes two thirds of the time, for files 4% larger.
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, c.Image())
		return out.Bytes(), err
	case "pdf":
		c := vgpdf.New(width, height)
		sheet(draw.NewCanvas(outlined{c}, width, height), charts)
		_, err = c.WriteTo(&out)
		// The same chart gives the same bytes on another day; the length stays,
		// so that the offsets in the file stay true.
		return pdfDate.ReplaceAll(out.Bytes(), []byte("${1}20000101000000)")), err
	}
	return nil, &FormatError{Format: format}
}

var pdfDate = regexp.MustCompile(`(/(?:CreationDate|ModDate) \(D:)\d{14}\)`)

// px converts px of 1/96 inch to points.
func px(v float64) vg.Length { return vg.Length(v) * 72 / 96 }

// sheet lays out and draws one chart, or two above each other.
func sheet(c draw.Canvas, charts []Chart) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin-3, margin, -margin)
	if len(charts) == 1 {
		p := newPanel(charts[0], c.Max.X-c.Min.X-60, c.Max.Y-c.Min.Y-70)
		c = p.head(c, titleSize)
		p.frame(c, false).draw()
		return
	}
	panels(c, charts[0], charts[1])
}

// panels draws two charts with a common x axis, the data areas aligned.
func panels(c draw.Canvas, top, bottom Chart) {
	width, half := c.Max.X-c.Min.X, (c.Max.Y-c.Min.Y)/2
	a, b := newPanel(top, width-60, half-60), newPanel(bottom, width-60, half-70)
	x := bottom.xAxis()
	over := top.xAxis()
	x.grow(over.min)
	x.grow(over.max)
	x.whole = x.whole && over.whole
	x.settle(bottom.XMin, bottom.XMax, false)
	b.x = x
	b.markX(width-60, half)
	a.x, a.upright = b.x, b.upright

	axisHeight := vg.Length(34)
	ca := draw.Crop(c, 0, 0, half+axisHeight/2-4, 0)
	cb := draw.Crop(c, 0, 0, 0, -half+axisHeight/2-4-8)
	ca, cb = a.head(ca, titleSize), b.head(cb, labelSize+1)
	fa, fb := a.frame(ca, true), b.frame(cb, false)
	da, db := fa.data(), fb.data()
	left, right := max(da.Min.X, db.Min.X), min(da.Max.X, db.Max.X)
	fa.inner = draw.Crop(fa.inner, left-da.Min.X, right-da.Max.X, 0, 0)
	fb.inner = draw.Crop(fb.inner, left-db.Min.X, right-db.Max.X, 0, 0)
	fa.draw()
	fb.draw()
}
