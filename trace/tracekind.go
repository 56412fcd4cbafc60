package trace

import (
	"bytes"

	"github.com/capplan/capplan/internal/source"
)

// A TraceKind is a form in which a trace of machines, or of their lifetimes,
// comes.
type TraceKind string

const (
	HostKind       TraceKind = "host"       // samples in CSV, see [ReadHostTrace]
	CloudWatchKind TraceKind = "cloudwatch" // [ReadCloudWatch]
	PlanetLabKind  TraceKind = "planetlab"  // a day of a host in percent
	FTAKind        TraceKind = "fta"        // [ReadFTA]
	SpotKind       TraceKind = "spot"       // [ReadSpot]
	LANLKind       TraceKind = "lanl"       // [ReadLANL]
	PriceKind      TraceKind = "price"      // [ReadSpotPrices]
	DurationsKind  TraceKind = "durations"  // [ReadDurations]
	ArchiveKind    TraceKind = "archive"    // a tar archive of any of these
)

// SniffTrace recognizes the kind of a trace by its first bytes, decompressed; some kilobytes are
// enough. It is "" for no known kind. One column of whole numbers 0..100 without a header is
// PlanetLab's if head holds 288 of them, else durations.
func SniffTrace(head []byte) TraceKind {
	if len(head) >= 262 && string(head[257:262]) == "ustar" {
		return ArchiveKind
	}
	head = bytes.TrimPrefix(head, []byte(source.ByteOrderMark))
	for rest := head; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			if names := bytes.Fields(bytes.TrimLeft(line, "# \t")); len(names) > 0 &&
				string(names[0]) == ftaColumns[0] {
				return FTAKind
			}
		// Of JSON only spot traces are read.
		case line[0] == '{':
			return SpotKind
		case bytes.Count(line, []byte{'\t'}) >= 6:
			return FTAKind
		default:
			return sniffLines(line, rest)
		}
	}
	return ""
}

// sniffLines recognizes text by its first line that is not a comment, and the others.
func sniffLines(line, rest []byte) TraceKind {
	columns := map[string]bool{}
	for _, cell := range bytes.Split(bytes.ToLower(line), []byte{','}) {
		columns[string(bytes.Trim(cell, " \t\""))] = true
	}
	switch {
	case columns["prob started"] && columns["prob fixed"]:
		return LANLKind
	case columns["price_usd_per_hour"]:
		return PriceKind
	case columns["timestamp"]:
		return CloudWatchKind
	case columns["time"] || columns["cpu"] || columns["free_mb"]:
		return HostKind
	}
	percent := func(line []byte) bool {
		v, ok := source.Digits(line)
		return ok && len(line) <= 3 && v <= 100
	}
	if percent(line) {
		n := 1
		for len(rest) > 0 {
			line, rest, _ = bytes.Cut(rest, []byte{'\n'})
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if !percent(line) {
				return DurationsKind
			}
			n++
		}
		if n >= planetLabSamples {
			return PlanetLabKind
		}
	}
	for c := range columns {
		if len(c) > 0 && (c[0] >= '0' && c[0] <= '9' || c[0] == '.') || len(c) > 8 && c[:8] == "duration" {
			return DurationsKind
		}
	}
	return ""
}
