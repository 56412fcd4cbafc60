package chart

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/internal/outfile"
)

// WriteFile draws c into the file path, in the format of its suffix .svg, .png
// or .pdf. The file appears whole or not at all: it is written beside its
// place and then moved there; an existing file is replaced, with its mode, and
// left alone on error; a link stays and the file behind it is replaced. What is
// no file, such as a device or a pipe, is refused.
func WriteFile(path string, c Chart) error {
	return writeFile(path, Size{800, 500}, c)
}

// WritePanelsFile is WriteFile for the drawing of [WritePanels].
func WritePanelsFile(path string, top, bottom Chart) error {
	return writeFile(path, Size{800, 700}, top, bottom)
}

// writeFile draws before it writes, so that what cannot be drawn leaves no file
// behind.
func writeFile(path string, size Size, charts ...Chart) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	switch format {
	case "svg", "png", "pdf":
	default:
		return &FormatError{Format: format, Path: path}
	}
	if err := outfile.Check(path); err != nil {
		return fmt.Errorf("chart: WriteFile: %w", err)
	}
	b, err := render(format, Size{}, size, charts...)
	if err != nil {
		return err
	}
	if err := outfile.Write(path, b); err != nil {
		return fmt.Errorf("chart: WriteFile: path = %q: %w", path, err)
	}
	return nil
}
