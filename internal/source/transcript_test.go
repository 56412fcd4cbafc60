package source

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A counting packer knows how often it unpacks.
type counting struct{ unpacked int }

func (c *counting) Pack(scratch, text []byte) []byte { return append(scratch[:0], text...) }
func (c *counting) Unpack(packed []byte) ([]byte, error) {
	c.unpacked++
	return packed, nil
}

// Lines are those of the text in whatever order they are asked for, and in their own
// order each block is unpacked a few times: a row was looked for in 9,000 lines by
// unpacking a MiB for each.
func TestLinesOfTranscript(t *testing.T) {
	var all strings.Builder
	var want []string
	for i := 0; all.Len() < 3*TranscriptLen+1000; i++ {
		line := fmt.Sprintf("%d %s", i, strings.Repeat("x", i*7919%200))
		if i%1000 == 0 {
			line = ""
		}
		want = append(want, line)
		all.WriteString(line + "\n")
	}
	tr, packer := NewTranscript(t.Context(), strings.NewReader(all.String())), &counting{}
	tr.packer = packer
	if _, err := io.Copy(io.Discard, tr); err != nil {
		t.Fatal(err)
	}
	offset := int64(0)
	for i, line := range want {
		if got := string(tr.Line(int32(i+1), 1000)); got != line {
			t.Fatalf("line %d: %q, want %q", i+1, got, line)
		}
		if at := tr.LineStart(int32(i + 1)); at != offset {
			t.Fatalf("line %d begins at %d, want %d", i+1, at, offset)
		}
		offset += int64(len(line)) + 1
	}
	if most := 100; packer.unpacked > most {
		t.Errorf("unpacked %d times, want %d at most", packer.unpacked, most)
	}
	rng := rand.New(rand.NewPCG(19, 3))
	for range 300 {
		i := rng.IntN(len(want))
		if got := string(tr.Line(int32(i+1), 1000)); got != want[i] {
			t.Fatalf("line %d: %q, want %q", i+1, got, want[i])
		}
	}
	if got := tr.LineStart(int32(len(want) + 50)); got != tr.Size() {
		t.Errorf("behind the end: %d, want %d", got, tr.Size())
	}
}

// What is kept is bounded by its length as it is kept: text that packs well may be long.
func TestTranscriptKeepsSoMuch(t *testing.T) {
	for kept, want := range map[int64]error{maxKept - TranscriptLen: nil, maxKept - TranscriptLen + 1: ErrMemory} {
		tr := NewTranscript(t.Context(), strings.NewReader(strings.Repeat("x\n", TranscriptLen)))
		tr.packer, tr.kept = &counting{}, kept
		tr.Mark = math.MaxInt64 / 2 // no bound on a value
		if n, err := io.Copy(io.Discard, io.LimitReader(tr, TranscriptLen+1)); !errors.Is(err, want) {
			t.Errorf("%d bytes kept: %d read, %v, want %v", kept, n, err, want)
		}
	}
}
