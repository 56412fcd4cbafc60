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

// Two million jobs in 13 packed megabytes took 1.3 GB.
func TestJobsAreBounded(t *testing.T) {
	const line = `{"job": {"id": "j%d", "levels": {"cpu": [{"demand": 1, "revenue": 1}]}}}` + "\n"
	head := `{"dependencies": ["cpu"]}` + "\n" +
		`{"resource": {"id": "R", "dependency": "cpu", "primary_capacity": 1}}` + "\n"
	_, err := ReadBatch(context.Background(), "batch.json", resourcesOf(MostJobs+10, head, line, ""))
	if err == nil || !strings.Contains(err.Error(), tooManyJobs) {
		t.Errorf("%.200v", err)
	}
}

// The bounds themselves are within.
func TestOverfull(t *testing.T) {
	for list, most := range map[string]int{"jobs": MostJobs, "resources": MostResources, "dependencies": 1 << 40} {
		if full, _ := overfull(list, most); full != "" {
			t.Errorf("%d %s: %s", most, list, full)
		}
		if full, want := overfull(list, most+1); (full == "" || want == "") != (list == "dependencies") {
			t.Errorf("%d %s: %q, %q", most+1, list, full, want)
		}
	}
}
