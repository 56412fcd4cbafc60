package attempts

import (
	"testing"
	"unsafe"
)

// All cuts begin at 16 bytes. The hours of help, which are sums of them, were of one of two last digits,
// in 13 and 27 of 40 calls with the same question.
func TestCutsAreAligned(t *testing.T) {
	var r Room
	for range 2 {
		for n := range 400 {
			cut := r.Cut(1 + n)[:1]
			if at := uintptr(unsafe.Pointer(&cut[0])); at%16 != 0 {
				t.Fatalf("a cut of %d begins at %d past 16 bytes", 1+n, at%16)
			}
		}
		r.Clear()
	}
}
