package allocation

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// WriteBatchYAML writes a batch whose names are plain words, as those of
// [StreamBatch] are, with jobs that come one by one. More than [ReadBatch] reads of YAML is refused before anything is
// written.
func WriteBatchYAML(out io.Writer, f *BatchFile, jobs iter.Seq2[*BatchJob, error]) error {
	if f == nil || jobs == nil {
		return ask.Missing("batch", "jobs and resources")
	}
	w := &bytes.Buffer{}
	fmt.Fprintf(w, "comment: %s\ndependencies: [%s]\n", f.Comment, strings.Join(f.Dependencies, ", "))
	if f.Budget != nil {
		fmt.Fprintf(w, "budget: %s\n", written(f.Budget))
	}
	if f.Currency != "" {
		fmt.Fprintf(w, "currency: %s\n", f.Currency)
	}
	fmt.Fprint(w, "resources:\n")
	for i := range f.Resources {
		r := &f.Resources[i]
		fmt.Fprintf(w, "  - {id: %s, dependency: %s, primary_capacity: %d", r.ID, r.Dependency, r.PrimaryCapacity)
		if r.BackupCapacity != nil {
			fmt.Fprintf(w, ", backup_capacity: %d", *r.BackupCapacity)
		}
		if r.Price != nil {
			fmt.Fprintf(w, ", price: %s", written(r.Price))
		}
		fmt.Fprint(w, "}\n")
	}
	fmt.Fprint(w, "jobs:\n")
	var line []byte
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if j == nil {
			continue
		}
		line = appendYAMLJob(line[:0], j)
		if w.Write(line); w.Len() > mostYAML {
			break
		}
	}
	if w.Len() > mostYAML || document.LargeYAML(w.Bytes()) {
		return ask.Inputf("jobs", "the batch has more than the 32 MiB or 2.5 million values that are read of YAML, "+
			"want another format, such as JSON Lines (-o jsonl)")
	}
	out = given.Writer(out)
	for w.Len() > 0 { // a part at a time, so that who waits for a reader can be stopped
		if _, err := out.Write(w.Next(1 << 16)); err != nil {
			return err
		}
	}
	return nil
}

// mostYAML is how many bytes are made before a batch is known to be too large.
const mostYAML = 40 << 20

// written is an amount in YAML.
func written(m *units.Amount) string {
	return (&units.CostForm{Currency: m.Currency}).Sign(fmt.Sprint(float64(m.Number)))
}

// appendYAMLJob appends a job without package fmt, which takes longer: a batch may have
// millions.
func appendYAMLJob(b []byte, j *BatchJob) []byte {
	b = append(append(append(b, "  - id: "...), j.ID...), "\n    class: "...)
	b = append(append(b, j.Class...), '\n')
	if j.Admission != "" {
		b = append(append(append(b, "    admission: "...), j.Admission...), '\n')
	}
	if j.BaseFee != nil {
		b = append(strconv.AppendInt(append(b, "    base_fee: "...), int64(*j.BaseFee), 10), '\n')
	}
	b = append(b, "    levels:\n"...)
	for _, need := range j.Levels {
		b = append(append(append(b, "      "...), need.Dependency...), ": ["...)
		for n, l := range need.Value {
			if n > 0 {
				b = append(b, ", "...)
			}
			b = strconv.AppendInt(append(b, "{demand: "...), int64(l.Demand), 10)
			b = append(strconv.AppendInt(append(b, ", revenue: "...), int64(l.Revenue), 10), '}')
		}
		b = append(b, "]\n"...)
	}
	return b
}
