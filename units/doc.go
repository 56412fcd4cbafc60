// Package units answers: which quantity does this text mean, and how is it
// written back? Durations, rates, prices, fractions, excesses, percentiles, loads,
// counts, sizes and bandwidths are parsed and printed here and nowhere else.
//
// Pipeline: text of a flag, a YAML or JSON field -> a named type holding the
// value in its base unit -> a model that knows float64 only -> a Format
// function for people, or String for a text that parses back to the same
// value.
//
//	type        base unit        accepted                         plain number
//	Duration    seconds          90s 1.5h 2d 250ms 1h30m          only 0
//	Rate        per second       5.4/s 120/min 100/30min          no
//	Price       per second       0.42/h $0.10/h €72/month         no
//	Fraction    0..1             1% 0.01                          yes
//	Excess      ≥ 0              10% 0.1 150%                     below 1
//	Percentile  0..1, exclusive  95% 0.95 95 p99                  yes, not 1
//	Erlang      erlangs          120 120erl                       yes
//	Count       1                12 1e6                           yes
//	Number      1                0.25                             yes
//	Size        bytes            1MB 512MiB 8Mbit                 only 0
//	Bandwidth   bits per second  100Mbps 100Mbit/s 12MB/s         only 0
//	Range[T]    as T             80..130 80..100..130 2..4min     as T
//
// Every type is a flag.Value by its pointer, an encoding.TextMarshaler and
// TextUnmarshaler, and reads a JSON string or number by the same rules as a
// flag. It tells a schema builder its form by Want, Pattern and Plain.
//
// Units of time: ns, us (or µs), ms, s (or sec), min (or m), h (or hr), d of
// 24 hours, w of 7 days. Sizes: B and bit with k, M, G, T, P (powers of 1000)
// or, for B, Ki, Mi, Gi, Ti, Pi (powers of 1024). Bandwidths: bps, bit/s and
// B/s with the same prefixes. Units are told apart by case.
//
// Assumptions: quantities are finite and not negative; blanks around a value
// and between number and unit are ignored; the decimal mark is a point.
//
// Left out: negative quantities, months and years (their length varies) but
// below a price, thousands separators, hexadecimal numbers and locales.
package units
