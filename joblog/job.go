package joblog

import "github.com/capplan/capplan/internal/source"

// A Job is one line of an SWF log. Times are seconds, memory is kilobytes per
// processor; -1 stands for unknown, as in the format.
type Job struct {
	Line            int     // in the file, from 1; 0 for a generated job
	Number          int64   // field 1
	Submit          float64 // 2, from the log's start, >= 0
	Wait            float64 // 3
	Run             float64 // 4, >= 0 in a usable job; 0 is below the clock's tick
	Allocated       int     // 5, processors
	CPU             float64 // 6, mean per processor
	Memory          float64 // 7
	Requested       int     // 8, processors
	RequestedTime   float64 // 9
	RequestedMemory float64 // 10
	Status          int     // 11: 0 failed, 1 completed, 5 cancelled, ...
	User            int64   // 12
	Group           int64   // 13
	Executable      int64   // 14
	Queue           int64   // 15
	Partition       int64   // 16
	Preceding       int64   // 17, job number
	ThinkTime       float64 // 18, from the preceding job's end

	// Processors is Allocated where that is known, else Requested; > 0 in a
	// usable job.
	Processors int
}

const statusCancelled = 5

// maxProcessors is the number of processors beyond which one is taken for damage.
const maxProcessors = 1e9

var fieldNames = [swfFields]string{
	"job number", "submit time", "wait time", "run time",
	"allocated processors", "mean cpu time", "used memory",
	"requested processors", "requested time", "requested memory", "status",
	"user", "group", "executable", "queue", "partition", "preceding job",
	"think time",
}

// Skipped counts well-formed jobs that carry no load, by reason. A job counts
// once, under the first reason that holds.
type Skipped struct {
	Cancelled         int `json:"cancelled"`          // status 5 and run time <= 0 or unknown
	RunTimeUnknown    int `json:"run_time_unknown"`   // run time < 0
	ProcessorsUnknown int `json:"processors_unknown"` // neither allocated nor requested
}

// Total returns the number of jobs skipped.
func (s Skipped) Total() int {
	return s.Cancelled + s.RunTimeUnknown + s.ProcessorsUnknown
}

// skip counts j under its reason and reports whether it is unusable.
func (s *Skipped) skip(j *Job) bool {
	switch {
	case j.Run <= 0 && j.Status == statusCancelled:
		s.Cancelled++
	case j.Run < 0:
		s.RunTimeUnknown++
	case j.Processors <= 0:
		s.ProcessorsUnknown++
	default:
		return false
	}
	return true
}

// Malformed counts lines that are not a job, by reason.
type Malformed struct {
	FieldCount     int `json:"field_count"`     // not 18 fields
	NotNumber      int `json:"not_number"`      // a field is not a number, or not whole where it must be
	NegativeSubmit int `json:"negative_submit"` // submit time < 0
	BackwardSubmit int `json:"backward_submit"` // submit time before that of an earlier job
	OutOfRange     int `json:"out_of_range"`    // absurd size: time > 1e10 s, processors > 1e9, any |field| > 1e15
	TooLong        int `json:"too_long"`        // line above 64 KiB
	// First holds the first five, with line, text and expected form.
	First []*source.FileError `json:"-"`
}

// Total returns the number of malformed lines.
func (m Malformed) Total() int {
	return m.FieldCount + m.NotNumber + m.NegativeSubmit + m.BackwardSubmit + m.OutOfRange + m.TooLong
}
