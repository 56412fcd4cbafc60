package joblog

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// WriteSWF writes a log in the Standard Workload Format 2.2: header fields as
// "; Key: value" in the given order, "Version: 2.2" first, then the jobs. The
// format has whole seconds: submit times are rounded down, run times to the
// nearest and at least 1 s where they are above 0, other times to the nearest;
// reading the log back gives these. Jobs must be in the order of submit times
// and within the bounds that [ReadSWF] sets, header keys single words (else a
// *DomainError).
func WriteSWF(w io.Writer, header []HeaderField, jobs []Job) error {
	b := bufio.NewWriter(given.Writer(w))
	b.WriteString("; Version: 2.2\n")
	for i, f := range header {
		if _, _, ok := splitField(f.Key + ": x"); !ok || strings.Contains(f.Key, ":") ||
			strings.ContainsAny(f.Key+f.Value, "\n\r") {
			return source.Outside("WriteSWF", fmt.Sprintf("header[%d]", i), f,
				"a key of one word and a value of one line")
		}
		fmt.Fprintf(b, "; %s: %s\n", f.Key, f.Value)
	}
	last := 0.0
	var line []byte
	for i, j := range jobs {
		if !(j.Submit >= last) {
			return source.Outside("WriteSWF", fmt.Sprintf("jobs[%d].Submit", i), j.Submit,
				fmt.Sprintf("at least %v s, of the job before", last))
		}
		last = j.Submit
		run := math.Round(j.Run)
		if j.Run > 0 {
			run = math.Max(1, run)
		}
		f := [swfFields]float64{
			float64(j.Number), math.Floor(j.Submit), math.Round(j.Wait), run,
			float64(j.Allocated), math.Round(j.CPU), math.Round(j.Memory),
			float64(j.Requested), math.Round(j.RequestedTime),
			math.Round(j.RequestedMemory), float64(j.Status),
			float64(j.User), float64(j.Group), float64(j.Executable),
			float64(j.Queue), float64(j.Partition), float64(j.Preceding),
			math.Round(j.ThinkTime),
		}
		if problem := absurd(&f); problem != "" || !finite(f[:]...) {
			return source.Outside("WriteSWF", fmt.Sprintf("jobs[%d]", i), j, "finite fields in the format's range")
		}
		line = line[:0]
		for k, v := range f {
			if k > 0 {
				line = append(line, ' ')
			}
			line = strconv.AppendInt(line, int64(v), 10)
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}
