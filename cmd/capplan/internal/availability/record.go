package availability

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/hostload"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// recordCommand samples the machine it runs on until it is stopped. The file grows by whole rows,
// so that a machine that goes down leaves its record up to then.
func recordCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	var every, duration *units.Duration
	cmdline.Value(s, "every", &every, "TIME", "time between samples (default 6s)")
	cmdline.Value(s, "duration", &duration, "TIME", "time after which the recording ends (default: when it is "+
		"stopped)")
	return &cmdline.Command{
		Name: "record", Usage: "samples this machine into a trace", Args: "FILE", MaxArgs: 1, Flags: s,
		Lasting: true,
		NoArgs:  "no file given, want a name such as trace.csv to record to",
		Description: `Writes a host trace, time,cpu,free_mb: unix seconds, the share of all CPUs in use since the
last sample, and the memory in MB that a program could get. Each row is written at once, so
that Ctrl-C, a kill or a crash leaves complete rows. A FILE that record began before is
continued at the same interval; the time between is a gap, in which the machine counts as
gone. Any other existing file is left alone.

  $ capplan availability record trace.csv --every 200ms --duration 2s
  $ capplan availability label trace.csv`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			// 6 s is the period at which iShare sampled.
			r := &hostload.Recording{
				Every: 6 * time.Second,
				Told:  func(text string) { fmt.Fprintf(st.Err, "%s\n", text) },
			}
			if every != nil {
				// The counters of an operating system move in hundredths of a second: below 100 ms
				// they tell no load.
				if !(*every >= 0.1 && *every <= 86400) {
					return nil, &ask.InputError{Field: "every", Reason: "want 100ms to 1d"}
				}
				r.Every = time.Duration(math.Round(float64(*every)*1e3)) * time.Millisecond
			}
			// 1e9 s are some 30 years, and keep the conversion to nanoseconds from wrapping.
			if duration != nil {
				if !(*duration > 0 && *duration <= 1e9) {
					return nil, &ask.InputError{Field: "duration", Reason: "want a time above 0 such as 8h"}
				}
				r.For = time.Duration(float64(*duration) * float64(time.Second))
			}
			if args[0] == "-" {
				return nil, &cmdline.UsageError{Reason: "want the name of a file, not -"}
			}
			a, err := r.Run(ctx, args[0])
			if err != nil {
				return nil, err
			}
			out := cmdline.Answered(a, recordedSection(a), r.Warnings...)
			// Ctrl-C is the usual end of a recording, so that it is neither an error nor an
			// interrupted answer.
			out.Stoppable, out.Ended = true, true
			return out, nil
		},
	}
}

// recordedSection says what was recorded. Loads are shares of all processors; memory is in MB of
// 10^6 bytes. Rows may be more than samples, where the file held some before.
func recordedSection(a *hostload.Recorded) *page.Section {
	s := &page.Section{}
	s.Say("%s written to %s", say.Plural(a.Samples, "sample"), a.File)
	s.Fact("every", units.FormatDuration(a.Every, 5))
	s.Fact("in the file", strconv.Itoa(a.Rows))
	if a.Samples > 0 {
		s.Fact("mean load", units.FormatFraction(*a.MeanLoad, 3))
		s.Fact("least free", units.FormatNumber(*a.LeastFree/1e6, 6)+" MB")
	}
	return s
}
