package chart

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile draws c into the file path, in the format of its suffix .svg, .png
// or .pdf. The file appears whole or not at all: it is written beside its
// place and then moved there; an existing file is replaced, and left alone on
// error. A new file has mode 0644 less the umask.
func WriteFile(path string, c Chart) error {
	return writeFile(path, Size{800, 500}, c)
}

// WritePanelsFile is WriteFile for the drawing of [WritePanels].
func WritePanelsFile(path string, top, bottom Chart) error {
	return writeFile(path, Size{800, 700}, top, bottom)
}

func writeFile(path string, size Size, charts ...Chart) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	switch format {
	case "svg", "png", "pdf":
	default:
		return &FormatError{Format: format, Path: path}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("chart: WriteFile: path = %q is a folder, want a file name", path)
	}
	b, err := render(format, Size{}, size, charts...)
	if err != nil {
		return err
	}
	if err := replace(path, b); err != nil {
		return fmt.Errorf("chart: WriteFile: path = %q: %w", path, err)
	}
	return nil
}

// replace writes b to a new file in the folder of path and renames it.
func replace(path string, b []byte) (err error) {
	f, err := create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// create opens a file that is not there yet beside path. Unlike
// os.CreateTemp, whose files are private, it leaves the mode to the umask.
func create(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d", base, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) && i < 1000 {
			continue
		}
		return f, err
	}
}
