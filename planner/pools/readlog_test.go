package pools

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// Two lines of a log can ask for any number of jobs of one processor: too many are bad
// input, before memory is taken for them.
func TestReadLogBoundsItsJobs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.swf")
	line := "1 0 0 100 9000000 100 -1 9000000 100 -1 1 1 1 1 1 1 -1 -1\n"
	if err := os.WriteFile(path, []byte(line+line), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := ReadLog(t.Context(), path, source.OpenOptions{}, LogOptions{Speed: 1, Factor: 3, Footprint: 1e6})
	var file *FileError
	if !errors.As(err, &file) || !strings.Contains(err.Error(), "more than 8 million jobs of one processor, want a window") {
		t.Errorf("%v", err)
	}
}
