package availability

import (
	"io"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// writeFleet keeps a fleet in a file. The file is whole or not there; it ends in a line feed.
func writeFleet(path string, f *forecast.Fleet) error {
	out, err := outfile.Create(path)
	if err != nil {
		return cmdline.OutError("out", path, err)
	}
	defer out.Discard()
	written := counter{w: out}
	if err := forecast.WriteFleet(&written, f); err != nil {
		return cmdline.OutError("out", path, err)
	}
	// A fleet that its own reader would refuse for its length is not written.
	if err := forecast.FileFits(written.n); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return cmdline.OutError("out", path, err)
	}
	return nil
}

// A counter counts the bytes that it hands on.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}
