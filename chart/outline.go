package chart

import (
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// An outlined canvas draws text as filled shapes. The PDF canvas of gonum/plot
// writes text in the Windows code page 1252, in which an arrow or a Greek
// letter comes out wrong, and passes its fonts through temporary files. It
// sets right the colours too.
type outlined struct {
	vg.Canvas
}

// SetColor hands a colour to the PDF canvas, which writes red, green and blue
// as it gets them beside the opacity: they must not be scaled by it already,
// as color.Color has them, or a pale area turns dark.
func (c outlined) SetColor(clr color.Color) {
	c.Canvas.SetColor(straight(color.NRGBAModel.Convert(clr).(color.NRGBA)))
}

// straight is a colour whose RGBA is not scaled by its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// FillString fills the outlines of the glyphs of s from pt on.
func (c outlined) FillString(face font.Face, pt vg.Point, s string) {
	em := face.Face.UnitsPerEm()
	ppem := fixed.Int26_6(em)
	scale := face.Font.Size / vg.Length(em)
	var (
		buf  sfnt.Buffer
		path vg.Path
		prev sfnt.GlyphIndex
		at   vg.Length
	)
	for i, r := range s {
		g, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if i > 0 {
			if kern, err := face.Face.Kern(&buf, prev, g, ppem, 0); err == nil {
				at += vg.Length(kern) * scale
			}
		}
		to := func(p fixed.Point26_6) vg.Point {
			return vg.Point{X: pt.X + at + vg.Length(p.X)*scale, Y: pt.Y - vg.Length(p.Y)*scale}
		}
		segments, err := face.Face.LoadGlyph(&buf, g, ppem, nil)
		if err != nil {
			continue
		}
		for k, seg := range segments {
			a := seg.Args
			switch seg.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 {
					path.Close()
				}
				path.Move(to(a[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(to(a[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(to(a[0]), to(a[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(to(a[0]), to(a[1]), to(a[2]))
			}
		}
		if len(segments) > 0 {
			path.Close()
		}
		if adv, err := face.Face.GlyphAdvance(&buf, g, ppem, 0); err == nil {
			at += vg.Length(adv) * scale
		}
		prev = g
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}
