package joblog

import (
	_ "github.com/capplan/capplan/packed" // the tests read packed files

	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

// Truncation found in mid-log names the line.
func TestTruncatedLogNamesLine(t *testing.T) {
	packed := sourcetest.Gzip(t, sampleLog(3000))
	path := sourcetest.TempFile(t, "cut.swf.gz", packed[:len(packed)/2])
	a, err := AnalyzeSWF(context.Background(), path, source.OpenOptions{}, SWFOptions{})
	var f *source.FileError
	if !errors.As(err, &f) || !errors.Is(err, source.ErrTruncated) || f.Line < 100 || a.Log.Jobs < 100 {
		t.Errorf("%v, want ErrTruncated with a line", err)
	}
}
