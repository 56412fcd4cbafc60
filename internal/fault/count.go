package fault

import "strconv"

// Count writes a number of things for a message: 1 row, 2 rows. Several are called by the noun with
// an s unless it says otherwise.
func Count[N ~int | ~int32 | ~int64](n N, noun string, several ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(several) > 0:
		return strconv.FormatInt(int64(n), 10) + " " + several[0]
	}
	return strconv.FormatInt(int64(n), 10) + " " + noun + "s"
}
