package lp

import (
	"strings"
	"testing"
)

// A coefficient that a float64 holds as 0 and is not is refused: without it the model is another.
func TestReadTooSmall(t *testing.T) {
	mps := "NAME x\nROWS\n N o\n L c\nCOLUMNS\n a o 1 c %\nRHS\n R c 1\nENDATA\n"
	for _, number := range []string{"1e-400", "-0.1D-400", "0", "0e-400", "5e-324"} {
		small := strings.Contains(number, "1")
		if _, err := ReadMPS(strings.NewReader(strings.Replace(mps, "%", number, 1)), FreeMPS); (err != nil) != small {
			t.Errorf("MPS: %s: %v", number, err)
		}
		number = strings.ReplaceAll(number, "D", "e")
		text := "min\n obj: x\nst\n c: " + number + " x >= 1\nend\n"
		if _, err := ReadLP(strings.NewReader(text)); (err != nil) != small {
			t.Errorf("LP: %s: %v", number, err)
		}
	}
}
