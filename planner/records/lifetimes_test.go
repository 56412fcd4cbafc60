package records

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/source"
	_ "github.com/capplan/capplan/packed"
	"github.com/capplan/capplan/planner/tally"
)

// A small file that unpacks to more intervals than are kept names itself when it is
// refused.
func TestLifetimesWithoutEnd(t *testing.T) {
	longtest.Skip(t)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(`{"metadata": {"gap_seconds": 600}, "data": [1`))
	for range 2 * source.MaxKept / 1000 {
		z.Write([]byte(strings.Repeat(",0,1", 1000)))
	}
	z.Write([]byte("]}"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.json.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	err := (&Lifetimes{Tally: tally.NewUpDown(true)}).Read(context.Background(), path)
	if !errors.Is(err, source.ErrMemory) || !strings.Contains(err.Error(), "bomb.json.gz: more than 8 million intervals to keep, want") {
		t.Error(err)
	}
}
