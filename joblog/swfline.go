package joblog

import (
	"fmt"

	"github.com/capplan/capplan/internal/source"
)

// splitNumbers splits a line at blanks and reads up to 18 numbers. It returns
// the number of fields and the first of them that is not a number, with its
// byte position, or bad = -1.
func splitNumbers(line []byte, f *[swfFields]float64) (n, bad, at int) {
	bad = -1
	for i := 0; i < len(line); {
		if source.IsBlank(line[i]) {
			i++
			continue
		}
		// Most fields are short whole numbers: read them on the way.
		start, value, c := i, int64(0), line[i]
		if c == '-' {
			i++
		}
		first := i
		for i < len(line) && '0' <= line[i] && line[i] <= '9' && i-first < 15 {
			value = value*10 + int64(line[i]-'0')
			i++
		}
		plain := i > first && (i == len(line) || source.IsBlank(line[i]))
		for i < len(line) && !source.IsBlank(line[i]) {
			i++
		}
		switch {
		case n >= swfFields:
		case plain && c == '-':
			f[n] = float64(-value)
		case plain:
			f[n] = float64(value)
		default:
			v, ok := source.ParseNumber(line[start:i])
			if !ok && bad < 0 {
				bad, at = n, start
			}
			f[n] = v
		}
		n++
	}
	return n, bad, at
}

// whole lists the fields that must be whole numbers, by index.
var whole = [...]int{0, 4, 7, 10, 11, 12, 13, 14, 15, 16}

// fractional names the first field that should be whole and is not.
func fractional(f *[swfFields]float64) string {
	for _, i := range whole {
		if v := f[i]; v != float64(int64(v)) {
			return fmt.Sprintf("%s = %v is not a whole number", fieldNames[i], v)
		}
	}
	return ""
}

// makeJob turns checked numbers into a job.
func makeJob(f *[swfFields]float64, line int) Job {
	j := Job{
		Line: line, Number: int64(f[0]), Submit: f[1], Wait: f[2], Run: f[3],
		Allocated: int(f[4]), CPU: f[5], Memory: f[6], Requested: int(f[7]),
		RequestedTime: f[8], RequestedMemory: f[9], Status: int(f[10]),
		User: int64(f[11]), Group: int64(f[12]), Executable: int64(f[13]),
		Queue: int64(f[14]), Partition: int64(f[15]), Preceding: int64(f[16]),
		ThinkTime: f[17],
	}
	j.Processors = j.Allocated
	if j.Processors <= 0 {
		j.Processors = j.Requested
	}
	return j
}

// limits holds the largest magnitude taken, by field.
var limits = func() (l [swfFields]float64) {
	for i := range l {
		l[i] = source.MaxField
	}
	l[1], l[3] = source.MaxSeconds, source.MaxSeconds
	l[4], l[7], l[10] = maxProcessors, maxProcessors, maxProcessors
	return l
}()

// absurd names the first field beyond what any log holds; empty if none is.
func absurd(f *[swfFields]float64) string {
	for i, v := range f {
		if v > limits[i] || v < -limits[i] {
			return fmt.Sprintf("%s = %v is beyond %g", fieldNames[i], v, limits[i])
		}
	}
	return ""
}
