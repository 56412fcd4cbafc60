package allocation

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// A large answer is read as a stream, and comes to what the document does. Both refuse the same.
func TestLargeAnswerIsReadAsAStream(t *testing.T) {
	text, err := os.ReadFile("../../testdata/batch-answer.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func(was int64) { largeAnswer = was }(largeAnswer)
	read := func(text string, large int64) (*BatchAnswer, error) {
		largeAnswer = large
		a, err := ReadBatchAnswer(context.Background(), "a.json", strings.NewReader(text))
		if a != nil {
			a.d = nil
		}
		return a, err
	}
	good := string(text)
	want, err := read(good, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(good, 5); err != nil || !reflect.DeepEqual(got, want) || len(got.Backups) == 0 {
		t.Fatalf("%v, %v, want %v", got, err, want)
	}
	for _, change := range [][2]string{
		{`"assignments"`, `"assigned"`}, {`"level"`, `"levels"`}, {`"job"`, `"Job"`}, {`}`, ``}, {`"resource"`, `"level"`},
		{`"backup": {`, `"backup": {"x": [`}, {`"backup": {`, `"backup": [`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		_, document := read(bad, 1<<20)
		_, stream := read(bad, 5)
		if document == nil || stream == nil || bad == good {
			t.Errorf("%v: the document: %v, the stream: %v, want errors", change, document, stream)
		}
		if at := new(source.FileError); stream != nil && !errors.As(stream, &at) {
			t.Errorf("%v: %v is no error of the file", change, stream)
		}
	}
}
