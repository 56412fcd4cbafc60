package traffic

import (
	"math"
	"time"

	"github.com/capplan/capplan/internal/source"
)

// clockBack distinguishes the two passes of an hour that a zone lives twice when its clocks are put
// back: 02:45 is followed by 02:00 again. Times without an offset name both, and the order of the
// rows decides: the first pass comes first, and a row whose time would lie before that of the row
// above belongs to the second, as does a row beyond the number that every other time of the file
// has, such as one row, or one for each of ten machines. Rows in no order, and times written with
// an offset, stay as they were read.
func (r *reader) clockBack() {
	c := &r.clock
	if c.kind != clockDated || c.asRead || c.zone == time.UTC || c.offsets {
		return
	}
	back := source.BackHours{Zone: c.zone}
	usual, ordered := rowsPerTime(r.rows, &back)
	if !ordered {
		return
	}
	above, same := moment{unix: math.Inf(-1)}, 0
	for i := range r.rows {
		v := &r.rows[i]
		if v.wall != above.wall {
			same = 0
		}
		if first, second, twice := back.Times(v.unix); twice {
			v.unix = first
			if first < above.unix || same > 0 && same == usual {
				v.unix = second
			}
		}
		above = v.moment
		same++
	}
}

// rowsPerTime returns how many rows each time has that a zone lives once, 0 where their
// numbers differ, and whether those times are in order.
func rowsPerTime(rows []row, back *source.BackHours) (usual int, ordered bool) {
	usual = -1
	for i := 0; i < len(rows); {
		wall, next := rows[i].wall, i+1
		for next < len(rows) && rows[next].wall == wall {
			next++
		}
		if _, _, twice := back.Times(rows[i].unix); !twice {
			if i > 0 && wall < rows[i-1].wall {
				return 0, false
			}
			switch usual {
			case -1:
				usual = next - i
			case next - i:
			default:
				usual = 0
			}
		}
		i = next
	}
	return usual, true
}
