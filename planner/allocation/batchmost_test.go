package allocation

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// resourcesOf writes a batch of so many resources as they come, and a job.
func resourcesOf(n int, head, item, tail string) io.Reader {
	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriter(w)
		b.WriteString(head)
		for i := range n {
			fmt.Fprintf(b, item, i)
		}
		b.WriteString(tail)
		w.CloseWithError(b.Flush())
	}()
	return r
}

// A batch of five million resources in a few packed megabytes took 2 GB.
func TestResourcesAreBounded(t *testing.T) {
	longtest.Skip(t)
	const (
		job  = `{"id": "a", "levels": {"cpu": [{"demand": 1, "revenue": 1}]}}`
		line = `{"resource": {"id": "R%d", "dependency": "cpu", "primary_capacity": 1}}` + "\n"
	)
	for name, c := range map[string]struct{ head, item, tail string }{
		"list":        {`{"dependencies": ["cpu"], "resources": [{"id": "R", "dependency": "cpu", "primary_capacity": 1}`, `, {"id": "R%d", "dependency": "cpu", "primary_capacity": 1}`, `], "jobs": [` + job + `]}`},
		"lines":       {`{"dependencies": ["cpu"]}` + "\n", line, `{"job": ` + job + `}` + "\n"},
		"behind jobs": {`{"dependencies": ["cpu"]}` + "\n" + `{"job": ` + job + `}` + "\n", line, ""},
	} {
		_, err := ReadBatch(context.Background(), "batch.json", resourcesOf(MostResources+10, c.head, c.item, c.tail))
		if err == nil || !strings.Contains(err.Error(), tooManyResources) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
