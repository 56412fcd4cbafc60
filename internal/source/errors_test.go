package source

import (
	"strings"
	"testing"
)

// A name that is longer than a message may be leaves room for what is wanted.
func TestLongNamesLeaveRoom(t *testing.T) {
	name := strings.Repeat("é/", 9000) + "x.csv"
	text := Whole(name, "holds no row", "some", nil).Error()
	const end = "x.csv: holds no row, want some"
	if len(text) > 600 || !strings.HasPrefix(text, "é/é/") || !strings.HasSuffix(text, end) {
		t.Errorf("%d bytes: %q", len(text), text)
	}
}
