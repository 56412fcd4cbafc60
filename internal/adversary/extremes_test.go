package adversary

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"
)

// What a model is meant for, so that a call gets past its door, and what it is
// not meant for.
var (
	plainFloats = []float64{0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1, 1.5, 2, 3, 5, 10, 60, 100, 1000}

	extremeFloats = []float64{
		math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), -1, -0.5,
		5e-324, 2.2250738585072014e-308, 1e-300, 1e-100, 1e-20, 1e-17, 1e-9,
		1 - 0x1p-53, 1 + 0x1p-52, 1 - 1e-9, 1 + 1e-9,
		1e5, 1e6, 1e9, 0x1p31, 0x1p53, 9.3e18, 1e20, 1e100, 1e300, math.MaxFloat64,
		-1e-9, -5e-324, -1e300, -math.MaxFloat64,
	}

	extremeInts = []int64{
		-1, 0, 1, 17, 1000, 100_000, 1_000_000, 10_000_000, math.MaxInt32, 1 << 31, 1 << 40, 1 << 53,
		math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, -1 << 31, -100,
	}

	plainStrings = []string{"", "a", "b", "c", "x", "S1", "compute", "optimal", "r1"}

	extremeStrings = []string{
		"\x00", "a\nb", "\xff\xfe", "1e999", "-1", "NaN", "0/0", "5e-324s", "9999999999999999999999", "1..2", "10/s",
		"uniform:0,1", "triangular:1,2,3", "..", "/", strings.Repeat("9", 400), strings.Repeat("ab ", 30_000),
	}

	// Texts for the readers of models.
	texts = []string{
		"Minimize\n obj: x + 2 y\nSubject To\n c: x + y >= 2\nBounds\n x <= 4\nGeneral\n y\nEnd\n",
		"Maximize\n obj: 1e308 x + 1e308 y\nSubject To\n c: x - y <= 1e-320\n d: x >= -inf\nEnd\n",
		"Minimize\n obj: x\nSubject To\n c: " + strings.Repeat("x + ", 5000) + "x >= 1\nEnd\n",
		"NAME t\nROWS\n N obj\n G c\nCOLUMNS\n x obj 1 c 1\n y obj 2 c 1\nRHS\n RHS c 2\nBOUNDS\n UP BND x 4\nENDATA\n",
		"NAME t\nROWS\n N obj\n E c\nCOLUMNS\n x obj nan c 1e400\nRANGES\n R c -inf\nENDATA\n",
		"", "\x00\x00\x00", "\xff", "{", "Minimize", "NAME\nROWS\nCOLUMNS",
	}

	plainDurations = []time.Duration{0, time.Millisecond, time.Second, time.Minute, time.Hour, 8 * time.Hour}

	plainTimes = []time.Time{
		time.Date(2024, 3, 4, 8, 0, 0, 0, time.UTC),
		time.Date(2024, 3, 10, 2, 30, 0, 0, time.UTC),
	}
	extremeTimes = []time.Time{
		{}, time.Unix(math.MaxInt64, 0), time.Unix(math.MinInt64, 0), time.Unix(1<<40, 999_999_999),
		time.Date(math.MaxInt32, 13, 40, 25, 61, 61, -1, time.UTC),
	}

	errFake = errors.New("an error of the caller")

	failures = []error{nil, errFake, context.Canceled, context.DeadlineExceeded}
)
