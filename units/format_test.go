package units_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/capplan/capplan/units"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FormatNumber(0, 3), "0"},
		{FormatNumber(3.14159, 3), "3.14"},
		{FormatNumber(2, 4), "2"},
		{FormatNumber(0.5, 4), "0.5"},
		{FormatNumber(9.9996, 4), "10"},
		{FormatNumber(123456.7, 3), "123,457"},
		{FormatNumber(1234567, 4), "1,234,567"},
		{FormatNumber(-1234.5, 5), "-1,234.5"},
		{FormatNumber(999999.9, 3), "1,000,000"},
		{FormatNumber(0.000123456, 3), "0.000123"},
		{FormatNumber(1.25e-9, 3), "1.25e-9"},
		{FormatNumber(999999999999999, 3), "1e15"},
		{FormatNumber(123456789012345, 3), "123,456,789,012,345"},
		{FormatNumber(1.5e21, 3), "1.5e21"},
		{FormatNumber(math.Pi, 0), "3.14"},
		{FormatNumber(math.NaN(), 3), "undefined"},
		{FormatNumber(math.Inf(1), 3), "infinite"},
		{FormatNumber(math.Inf(-1), 3), "-infinite"},
		{FormatDuration(0, 3), "0 s"},
		{FormatDuration(0.25, 3), "250 ms"},
		{FormatDuration(0.99999, 3), "1 s"},
		{FormatDuration(90, 3), "90 s"},
		{FormatDuration(150, 3), "2.5 min"},
		{FormatDuration(5400, 3), "90 min"},
		{FormatDuration(9000, 3), "2.5 h"},
		{FormatDuration(3.2*86400, 3), "3.2 d"},
		{FormatDuration(1e9, 3), "31.7 years"},
		{FormatDuration(100*8760*3600, 5), "100 years"},
		{FormatDuration(2.5e-5, 3), "25 us"},
		{FormatDuration(3e-9, 3), "3 ns"},
		{FormatDuration(-150, 3), "-2.5 min"},
		{FormatDuration(math.Inf(1), 3), "infinite"},
		{FormatRate(5.4, 3), "5.4/s"},
		{FormatRate(0.5, 3), "30/min"},
		{FormatRate(2.0/3600, 3), "2/h"},
		{FormatRate(1.0/86400, 3), "1/d"},
		{FormatRate(0, 3), "0/s"},
		{FormatRate(12345, 3), "12,345/s"},
		{FormatFraction(0.0095, 3), "0.95%"},
		{FormatFraction(0.01, 3), "1%"},
		{FormatFraction(1, 3), "100%"},
		{FormatFraction(0, 3), "0%"},
		{FormatFraction(0.99999, 3), "99.999%"},
		{FormatFraction(1-1e-16, 3), "> 99.99999999%"},
		{FormatFraction(0.00002, 3), "0.002%"},
		{FormatFraction(3.2e-8, 3), "3.2e-8"},
		{FormatFraction(math.NaN(), 3), "undefined"},
		{FormatOrdinal(0.95), "95th"},
		{FormatOrdinal(0.999), "99.9th"},
		{FormatOrdinal(0.999999999), "99.9999999th"},
		{FormatOrdinal(math.Nextafter(1, 0)), "99.99999999999999th"},
		{FormatOrdinal(0.5), "50th"},
		{FormatOrdinal(0.01), "1st"},
		{FormatOrdinal(0.92), "92nd"},
		{FormatOrdinal(0.83), "83rd"},
		{FormatOrdinal(0.11), "11th"},
		{FormatOrdinal(0.12), "12th"},
		{FormatOrdinal(0.13), "13th"},
		{FormatOrdinal(0.991), "99.1th"},
		{FormatSize(1.5e6, 3), "1.5 MB"},
		{FormatSize(0, 3), "0 B"},
		{FormatSize(999.9e3, 3), "1 MB"},
		{FormatBandwidth(1e8, 3), "100 Mbit/s"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// A formatted number read back is within half a unit of its last digit, and
// has no exponent between 1e-6 and 1e15.
func TestFormatNumberAccuracy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e18, 1e18).Draw(t, "x")
		digits := rapid.IntRange(1, 15).Draw(t, "digits")
		s := FormatNumber(x, digits)
		back, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
		if err != nil || math.Abs(back-x) > 0.5000001*math.Pow(10, float64(1-digits))*math.Abs(x)+1e-300 {
			t.Fatalf("FormatNumber(%v, %d) = %q, %v", x, digits, s, err)
		}
		if a := math.Abs(x); a >= 1e-6 && a < 9e14 && strings.Contains(s, "e") {
			t.Fatalf("FormatNumber(%v, %d) = %q", x, digits, s)
		}
	})
}
