package fault

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0, "row"), "0 rows"}, {Count(1, "row"), "1 row"}, {Count(int64(12000), "row"), "12000 rows"},
		{Count(1, "batch", "batches"), "1 batch"}, {Count(2, "row is", "rows are"), "2 rows are"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
