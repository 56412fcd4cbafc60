package allocation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capplan/capplan/internal/source"
)

const batchJobsCSV = `# made by hand
job,class,dependency,level,demand,revenue,eligible
job0,medium,compute,1,396,3079,c0

job0,medium,compute,2,445,5848,
job0, ,"net.work", 1 ,1e0,0,
`

const batchResourcesCSV = `id,dependency,primary_capacity,speed,risk_group,backup_capacity
c0,compute,1457,,rack-1,582
n0,net.work,1e3,1.5,,
`

func readTables(jobs, resources string) (*BatchFile, error) {
	return ReadBatchTables(context.Background(), "jobs", strings.NewReader(jobs), "resources", strings.NewReader(resources))
}

// Two tables say what one YAML says.
func TestReadBatchTables(t *testing.T) {
	want, err := readBatchText(batchYAML)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readTables("\xef\xbb\xbf"+batchJobsCSV, strings.ReplaceAll(batchResourcesCSV, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, sameBatch); d != "" {
		t.Error(d)
	}
	for place, at := range map[string]string{
		"jobs[0].levels.compute[1].demand":     "jobs:5:23",
		"jobs[0].levels.compute[1]":            "jobs:5:0",
		"jobs[0].levels.compute":               "jobs:3:13",
		"jobs[0].levels.net.work[0].revenue":   "jobs:6:27",
		"jobs[0].levels.net.work":              "jobs:6:8",
		"jobs[0].eligible.compute[0]":          "jobs:3:32",
		"jobs[0].id":                           "jobs:3:1",
		"jobs[0].levels":                       "jobs:3:13",
		"resources[1].speed":                   "resources:3:17",
		"resources[1].backup_capacity":         "resources:3:22",
		"dependencies[1]":                      "resources:3:4",
		"jobs[9].id":                           "jobs:0:0",
		"failures[0]":                          "resources:2:0",
		"jobs[0].levels.net.work[99].revenue":  "jobs:6:27",
		"jobs[0].levels.compute[x].demand":     "jobs:3:23",
		"jobs[-1].levels.compute[x].demand":    "jobs:0:0",
		"dependencies[7]":                      "resources:0:0",
		"resources[0].risk_group":              "resources:2:18",
		"jobs[0].class":                        "jobs:3:6",
		"jobs[0].levels.compute[0].no_such[1]": "jobs:3:0",
	} {
		e := got.At(place, "wrong", "right")
		if is := fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column); is != at {
			t.Errorf("%s: %s, want %s", place, is, at)
		}
		if e.Line > 0 && e.Text == "" {
			t.Errorf("%s: no line shown", place)
		}
	}
}

func TestReadBatchTablesRefuses(t *testing.T) {
	for _, c := range []struct {
		from, to     string
		line, column int
		want         string
	}{
		{"level,demand", "level,demnd", 2, 28, `unknown column "demnd" (did you mean demand?)`},
		{"level,demand", "demand,demand", 2, 29, `column "demand" twice`},
		{"job,class,dependency,level,demand", "job,class,level,demand", 2, 0, `no column "dependency"`},
		{"c0\n\n", "c0,4\n\n", 3, 0, "8 cells, want 7"},
		{"compute,2,", "compute,3,", 5, 21, `level = "3", want 2: the levels of a job`},
		{"compute,2,", "compute,,", 5, 21, `level = ""`},
		{"445", "4.5", 5, 23, "not whole"},
		{"job0,medium,compute,1", "job\x010,medium,compute,1", 3, 4, "a control character"},
		{"job0,medium,compute,1", "job0,medi\xffum,compute,1", 3, 10, "not UTF-8"},
		{"445", "-4", 5, 23, "demand = -4: it is negative"},
		{"445", "", 5, 23, "demand is empty"},
		{"445", "nan", 5, 23, "demand = nan"},
		{"5848,\n", "5848,c0\n", 5, 32, "the field on the first row"},
		{"medium,compute,2", "large,compute,2", 5, 6, `class = "large", want the value of the job's first row`},
		{`job0, ,"net.work"`, `,,"net.work"`, 6, 1, "a job without an id"},
		{`"net.work"`, ``, 6, 8, "a dependency without a name"},
		{`"net.work"`, `"net.work`, 6, 0, "want"},
		{`job0, ,"net.work", 1 `, "job0,,net.work,1,1,1,\njob0,,compute,1", 7, 7, `job "job0" has compute again`},
		{"1457", "1457x", 2, 12, "primary_capacity = 1457x"},
		{"c0,compute", ",compute", 2, 1, "id is empty"},
		{"n0,net.work", "n0,", 3, 4, "dependency is empty"},
		{",1.5,", ",0,", 3, 17, "speed = 0"},
		{"risk_group", "riskgroup", 1, 38, "did you mean risk_group?"},
		{"id,dependency,primary_capacity", "id,dependency", 1, 0, `no column "primary_capacity"`},
		{"c0,compute,1457,,rack-1,582\nn0,net.work,1e3,1.5,,\n", "\n", 0, 0, "no resources"},
	} {
		jobs, resources := strings.Replace(batchJobsCSV, c.from, c.to, 1), batchResourcesCSV
		if jobs == batchJobsCSV {
			resources = strings.Replace(batchResourcesCSV, c.from, c.to, 1)
		}
		if jobs == batchJobsCSV && resources == batchResourcesCSV {
			t.Fatalf("%q is in neither file", c.from)
		}
		_, err := readTables(jobs, resources)
		var e *source.FileError
		if !errors.As(err, &e) || e.Line != c.line || c.column != 0 && e.Column != c.column || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %d:%d and %q", c.to, err, c.line, c.column, c.want)
		}
	}
	if _, err := readTables("job,dependency,demand,revenue\n", batchResourcesCSV); err == nil || !strings.Contains(err.Error(), "no jobs") {
		t.Error(err)
	}
}

// What is read from tables can be written as tables and read again; every
// error names file and line; every level has a place.
func FuzzReadBatchTables(f *testing.F) {
	f.Add([]byte(batchJobsCSV), []byte(batchResourcesCSV))
	f.Add([]byte("job,dependency,demand,revenue\na,c,1,2\na,c,2,2\nb,c,0,0\na,c,1,1\n"), []byte("id,dependency,primary_capacity\nr,c,1\n"))
	f.Add([]byte("revenue,demand,dependency,eligible,job\n1,\"2\",\"c\"\"\",\"r s  t\",\"a,b\"\n"), []byte("id,dependency,primary_capacity\nr,\"c\"\"\",9007199254740993\n"))
	f.Add([]byte("job,dependency,demand,revenue\n#a,c,1,2\n a ,\tc,99999999999999999999,2\n"), []byte("id,dependency,primary_capacity\nr,c,nan\n"))
	f.Add([]byte("job,dependency,demand,revenue\n\x01,c,1,2\n"), []byte("id,dependency,primary_capacity\nr,c,1\n"))
	f.Add([]byte("# by hand\njob,dependency,demand,revenue\na,c,1,2\n"), []byte("id,dependency,primary_capacity\nr\xa7\x80,c,1\n"))
	f.Fuzz(func(t *testing.T, jobs, resources []byte) {
		if len(jobs)+len(resources) > 1<<16 {
			return
		}
		file, err := ReadBatchTables(context.Background(), "jobs", bytes.NewReader(jobs), "resources", bytes.NewReader(resources))
		var e *source.FileError
		if err != nil {
			text := map[string][]byte{"jobs": jobs, "resources": resources}
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			if lines := bytes.Count(text[e.File], []byte("\n")) + 1; e.Line > lines || e.Column > len(text[e.File])+1 || e.Problem == "" || e.Want == "" {
				t.Fatalf("%d:%d of %d lines: %v", e.Line, e.Column, lines, e)
			}
			return
		}
		for i := range file.Jobs {
			for _, need := range file.Jobs[i].Levels {
				for n := range need.Value {
					at := file.At(fmt.Sprintf("jobs[%d].levels.%s[%d].demand", i, need.Dependency, n), "", "")
					if at.Line == 0 || at.Column == 0 {
						t.Fatalf("no place: %v", at)
					}
				}
			}
		}
		var a, b bytes.Buffer
		if err := WriteBatchTables(&a, &b, file, file.AllJobs()); err != nil {
			if !errors.As(err, new(*source.DomainError)) {
				t.Fatal(err)
			}
			return // a name that a table cannot hold
		}
		again, err := ReadBatchTables(context.Background(), "again", &a, "resources again", &b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(file, again, sameBatch); d != "" {
			t.Fatal(d)
		}
	})
}
