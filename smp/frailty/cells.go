package frailty

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
)

// Hours is the number of hour bins: 24 of a weekday, then 24 of a weekend.
const Hours = 48

// Ages is the number of age bins: 0, 1, 2–3, 4–7, … steps, the last from 2³⁰ on;
// then the same of ages that are not known to be that small, since the record
// begins, or was interrupted, in the time without failure.
const Ages = 2 * ageBins

const ageBins = 32

// An Age is how long a machine is known to have been free.
type Age struct {
	Steps int64
	// AtLeast says that it may have been free for longer: its record begins so
	// many steps before.
	AtLeast bool
}

// Bin returns the bin of an age; one below 0 counts as 0.
func (a Age) Bin() int {
	bin := 0
	if a.Steps > 0 {
		bin = min(bits.Len64(uint64(a.Steps)), ageBins-1)
	}
	if a.AtLeast {
		bin += ageBins
	}
	return bin
}

// ageEnd is the first age after a bin.
func ageEnd(bin int) int64 {
	if bin %= ageBins; bin == ageBins-1 {
		return math.MaxInt64
	}
	return 1 << bin
}

// Cells counts by cell of age and hour; cells that hold nothing take no memory.
// Its text is the base64 form of two numbers a cell, unsigned and of variable
// length: what the index advanced by, and the count.
type Cells struct {
	index []uint16 // age bin·Hours + hour, ascending
	count []uint32
}

// Len returns how many cells hold something.
func (c *Cells) Len() int { return len(c.index) }

// Total returns the sum of all cells.
func (c *Cells) Total() int64 {
	var n int64
	for _, v := range c.count {
		n += int64(v)
	}
	return n
}

// Clip gives back the memory that counting left over.
func (c *Cells) Clip() {
	c.index, c.count = slices.Clone(c.index), slices.Clone(c.count)
}

// errFull says that a cell holds more than 2³² counts, which no record does.
var errFull = errors.New("frailty: a cell holds more than 2^32 half steps")

// add puts n more into a cell.
func (c *Cells) add(cell int, n int64) error {
	if n <= 0 {
		return nil
	}
	at, found := len(c.index), false
	if at > 0 && c.index[at-1] >= uint16(cell) { // cells mostly come in order
		at, found = slices.BinarySearch(c.index, uint16(cell))
	}
	switch {
	case at == len(c.index):
		c.index, c.count = append(c.index, uint16(cell)), append(c.count, 0)
	case !found:
		c.index = slices.Insert(c.index, at, uint16(cell))
		c.count = slices.Insert(c.count, at, 0)
	}
	if n > math.MaxUint32-int64(c.count[at]) {
		return errFull
	}
	c.count[at] += uint32(n)
	return nil
}

// A tally counts half steps by cell while there is much to add.
type tally struct {
	n    [Ages * Hours]int64
	ages [Ages]bool // that hold something: most machines see few
}

// add counts whole steps.
func (t *tally) add(cell int, steps int64) { t.half(cell, 2*min(steps, math.MaxUint32)) }

// half counts half steps.
func (t *tally) half(cell int, n int64) {
	t.n[cell] += n
	t.ages[cell/Hours] = true
}

// addAll adds the counts of a tally.
func (c *Cells) addAll(t *tally) error {
	for _, put := range []bool{false, true} {
		some := 0
		for age, held := range t.ages {
			if !held {
				continue
			}
			for hour, n := range t.n[age*Hours : (age+1)*Hours] {
				if n > 0 {
					some++
				}
				if put {
					if err := c.add(age*Hours+hour, n); err != nil {
						return err
					}
				}
			}
		}
		if !put {
			c.index, c.count = slices.Grow(c.index, some), slices.Grow(c.count, some)
		}
	}
	return nil
}

// Merge adds the counts of another.
func (c *Cells) Merge(o *Cells) error {
	if o == nil {
		return nil
	}
	for i, cell := range o.index {
		if err := c.add(int(cell), int64(o.count[i])); err != nil {
			return err
		}
	}
	return nil
}

// MarshalText writes the counts.
func (c Cells) MarshalText() ([]byte, error) {
	var b []byte
	last := 0
	for i, cell := range c.index {
		b = binary.AppendUvarint(b, uint64(int(cell)-last))
		b = binary.AppendUvarint(b, uint64(c.count[i]))
		last = int(cell)
	}
	return base64.StdEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText reads what MarshalText wrote.
func (c *Cells) UnmarshalText(text []byte) error {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return errors.New("frailty: counts are not in base64")
	}
	*c = Cells{}
	cell := uint64(0)
	for first := true; len(b) > 0; first = false {
		step, n := binary.Uvarint(b)
		if n <= 0 || step >= Ages*Hours || !first && step == 0 {
			return errors.New("frailty: counts are cut short or out of order")
		}
		count, m := binary.Uvarint(b[n:])
		if m <= 0 || count == 0 || count > math.MaxUint32 {
			return errors.New("frailty: counts are cut short or out of range")
		}
		if cell += step; cell >= Ages*Hours {
			return errors.New("frailty: counts go beyond the last cell")
		}
		c.index, c.count = append(c.index, uint16(cell)), append(c.count, uint32(count))
		b = b[n+m:]
	}
	return nil
}

// Each hands out the cells that hold something, in order of age bin and hour.
func (c *Cells) Each(f func(age, hour int, count int64)) {
	if f == nil {
		return
	}
	for i, cell := range c.index {
		f(int(cell)/Hours, int(cell)%Hours, int64(c.count[i]))
	}
}

// AgeOf returns an age in the middle of a bin, on a logarithmic scale; of no bin,
// age 0.
func AgeOf(bin int) Age {
	if bin < 0 || bin >= Ages {
		return Age{}
	}
	a := Age{AtLeast: bin >= ageBins}
	if bin %= ageBins; bin > 0 {
		a.Steps = int64(math.Sqrt2 * float64(int64(1)<<(bin-1)))
	}
	return a
}
