package traffic_test

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/traffic"
)

// What vegeta attack writes is no text: it is refused by name, with what makes text of it.
func TestVegetaBinary(t *testing.T) {
	const head = "\x2b\x7f\x03\x01\x01\x06Result\x01\xff\x80\x00\x01\x0a\x01\x06Attack\x01\x0c\x00\x01\x03Seq\x01\x06\x00"
	_, err := traffic.ReadService(t.Context(), "results.bin", strings.NewReader(head))
	if err == nil || !strings.Contains(err.Error(), "vegeta encode --to csv") {
		t.Errorf("got %v", err)
	}
}
