package joblog

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/source"
)

// A HeaderField is one "; Key: value" comment. Continuation lines, indented
// further, are joined to the value with a newline.
type HeaderField struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Line  int    `json:"line"`
}

// Header holds the header comments of an SWF log: the ones that bear on load,
// and all raw fields in file order. A number is 0 where the header has none or
// an unreadable one; the raw text is then in Fields.
type Header struct {
	Version        string        `json:"version,omitempty"`
	Computer       string        `json:"computer,omitempty"`
	Installation   string        `json:"installation,omitempty"`
	MaxJobs        int64         `json:"max_jobs,omitempty"`
	MaxRecords     int64         `json:"max_records,omitempty"`
	MaxNodes       int64         `json:"max_nodes,omitempty"`
	MaxProcs       int64         `json:"max_procs,omitempty"`
	UnixStartTime  int64         `json:"unix_start_time_s,omitempty"` // of submit time 0
	TimeZone       int64         `json:"time_zone_s,omitempty"`       // seconds east of Greenwich
	TimeZoneString string        `json:"time_zone,omitempty"`         // as in the IANA database
	Fields         []HeaderField `json:"fields,omitempty"`

	hasZone bool
}

// maxHeaderFields and maxHeaderBytes bound the memory a hostile header takes.
const (
	maxHeaderFields = 4096
	maxHeaderBytes  = 1 << 20
)

// Value returns the value of the first field with the key, without regard to
// case, and whether there is one.
func (h *Header) Value(key string) (string, bool) {
	for _, f := range h.Fields {
		if strings.EqualFold(f.Key, key) {
			return f.Value, true
		}
	}
	return "", false
}

// Start returns the moment of submit time 0 in the log's zone, and false where
// the header has no UnixStartTime. The zone is the fixed offset TimeZone, else
// the named TimeZoneString, else UTC; a fixed offset knows no summer time.
func (h *Header) Start() (time.Time, bool) {
	if h.UnixStartTime <= 0 || h.UnixStartTime > source.MaxSeconds {
		return time.Time{}, false
	}
	zone := time.UTC
	switch {
	case h.hasZone && -86400 < h.TimeZone && h.TimeZone < 86400:
		zone = time.FixedZone("", int(h.TimeZone))
	case h.TimeZoneString != "" && h.TimeZoneString != "Local":
		if z, err := time.LoadLocation(h.TimeZoneString); err == nil {
			zone = z
		}
	}
	return time.Unix(h.UnixStartTime, 0).In(zone), true
}

// headerReader collects the comments of a log.
type headerReader struct {
	h     *Header
	bytes int
	open  bool // the last comment was a field, a continuation may follow
}

// add takes one comment line, which starts with ';'.
func (r *headerReader) add(line []byte, number int) {
	body := bytes.TrimLeft(line, ";")
	text := string(bytes.TrimSpace(body))
	indent := len(body) - len(bytes.TrimLeft(body, " \t"))
	if r.bytes += len(text); r.bytes > maxHeaderBytes || text == "" {
		r.open = false
		return
	}
	key, value, ok := splitField(text)
	switch {
	case indent > 2 && r.open:
		last := &r.h.Fields[len(r.h.Fields)-1]
		last.Value += "\n" + text
	case ok && len(r.h.Fields) < maxHeaderFields:
		r.open = true
		r.h.Fields = append(r.h.Fields, HeaderField{key, value, number})
		r.h.set(key, value)
	default:
		r.open = false
	}
}

// splitField splits "Key: value"; a key is one word, and "http://" is none.
func splitField(text string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(text, ":")
	if !ok || key == "" || strings.ContainsAny(key, " \t") || strings.HasPrefix(value, "//") {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}

func (h *Header) set(key, value string) {
	number := func(p *int64) bool {
		word, _, _ := strings.Cut(value, " ")
		v, err := strconv.ParseInt(word, 10, 64)
		if err == nil && *p == 0 {
			*p = v
		}
		return err == nil
	}
	text := func(p *string) {
		*p = cmp.Or(*p, value)
	}
	switch strings.ToLower(key) {
	case "version":
		text(&h.Version)
	case "computer":
		text(&h.Computer)
	case "installation":
		text(&h.Installation)
	case "maxjobs":
		number(&h.MaxJobs)
	case "maxrecords":
		number(&h.MaxRecords)
	case "maxnodes":
		number(&h.MaxNodes)
	case "maxprocs":
		number(&h.MaxProcs)
	case "unixstarttime":
		number(&h.UnixStartTime)
	case "timezone":
		h.hasZone = number(&h.TimeZone) || h.hasZone
	case "timezonestring":
		text(&h.TimeZoneString)
	}
}
