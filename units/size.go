package units

import "strings"

// Size is an amount of data in bytes, finite and ≥ 0. k, M, G, T, P are powers
// of 1000 and Ki, Mi, Gi, Ti, Pi powers of 1024: 1MB, 512MiB; bits are written
// bit: 8Mbit is 1MB. 0 needs no unit.
type Size float64

// Bandwidth is a rate of data in bits per second, finite and ≥ 0: 100Mbps or
// 100Mbit/s, and in bytes 12MB/s. 0 needs no unit.
type Bandwidth float64

// prefixed returns name with each decimal prefix, and with each binary prefix
// where wanted; size is the name's own size in the base unit.
func prefixed(name string, num, den float64, binary bool) []unit {
	us := []unit{{name, num, den}}
	d, b := 1.0, 1.0
	for _, p := range []string{"k", "M", "G", "T", "P"} {
		d *= 1000
		b *= 1024
		us = append(us, unit{p + name, d * num, den})
		if binary {
			us = append(us, unit{strings.ToUpper(p) + "i" + name, b * num, den})
		}
	}
	return us
}

var sizeScale = scale{
	units: append(prefixed("B", 1, 1, true), prefixed("bit", 1, 8, false)...),
	hints: map[string]string{
		"byte": "B", "bytes": "B", "bits": "bit", "k": "kB", "m": "MB", "g": "GB", "t": "TB",
		"kbits": "kbit", "mbits": "Mbit", "gbits": "Gbit",
	},
	print: []string{"B", "kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB", "PB", "PiB"},
	base:  "B",
}

var bandwidthScale = scale{
	units: append(append(prefixed("bps", 1, 1, false), prefixed("bit/s", 1, 1, false)...),
		prefixed("B/s", 8, 1, true)...),
	hints: map[string]string{
		"bps": "bps or B/s", "kbps": "kbps or kB/s", "mbps": "Mbps or MB/s", "gbps": "Gbps or GB/s",
		"b": "bps or B/s", "kb": "kbps or kB/s", "mb": "Mbps or MB/s", "gb": "Gbps or GB/s",
		"b/s": "bit/s or B/s", "kb/s": "kbit/s or kB/s", "mb/s": "Mbit/s or MB/s", "gb/s": "Gbit/s or GB/s",
		"bit": "bit/s", "kbit": "kbit/s", "mbit": "Mbit/s", "gbit": "Gbit/s",
	},
	print: []string{"bps", "kbps", "Mbps", "Gbps", "Tbps", "Pbps"},
	base:  "bps",
}

var sizeKind = kind{
	want:    "a size such as 1MB, 512MiB or 8Mbit",
	example: "1..2MB or 1..1.5..2MB",
	pattern: zeroPattern + decimal + `\s*(([kMGTP]|[KMGTP]i)?B|[kMGTP]?bit)`,
	parse:   sizeScale.parse,
	format:  sizeScale.format,
	check:   notFinite,
	inherit: trailing,
}

var bandwidthKind = kind{
	want:    "a bandwidth such as 100Mbps, 1Gbit/s or 12MB/s",
	example: "80..100Mbps or 80..90..100Mbps",
	pattern: zeroPattern + decimal + `\s*([kMGTP]?(bps|bit/s)|([kMGTP]|[KMGTP]i)?B/s)`,
	parse:   bandwidthScale.parse,
	format:  bandwidthScale.format,
	check:   notFinite,
	inherit: trailing,
}

// trailing returns what follows the number.
func trailing(s string) string {
	_, _, rest, _ := scan(s)
	return rest
}

func (z Size) kind() *kind { return &sizeKind }

// String returns the shortest text that parses back to z, such as 512MiB.
func (z Size) String() string { return sizeKind.format(float64(z)) }

// Set parses s into z; z is unchanged on error.
func (z *Size) Set(s string) error { return set(z, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (z Size) MarshalText() ([]byte, error) { return marshalText(z) }

// UnmarshalText is Set.
func (z *Size) UnmarshalText(b []byte) error { return z.Set(string(b)) }

// UnmarshalJSON reads a JSON string, or the number 0.
func (z *Size) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, z.Want(), z.Set) }

// Want describes the form with examples.
func (Size) Want() string { return sizeKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Size) Pattern() string { return sizeKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Size) Plain() bool { return sizeKind.plain }

func (b Bandwidth) kind() *kind { return &bandwidthKind }

// String returns the shortest text that parses back to b, such as 100Mbps.
func (b Bandwidth) String() string { return bandwidthKind.format(float64(b)) }

// Set parses s into b; b is unchanged on error.
func (b *Bandwidth) Set(s string) error { return set(b, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (b Bandwidth) MarshalText() ([]byte, error) { return marshalText(b) }

// UnmarshalText is Set.
func (b *Bandwidth) UnmarshalText(t []byte) error { return b.Set(string(t)) }

// UnmarshalJSON reads a JSON string, or the number 0.
func (b *Bandwidth) UnmarshalJSON(t []byte) error { return unmarshalJSON(t, b.Want(), b.Set) }

// Want describes the form with examples.
func (Bandwidth) Want() string { return bandwidthKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Bandwidth) Pattern() string { return bandwidthKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Bandwidth) Plain() bool { return bandwidthKind.plain }
