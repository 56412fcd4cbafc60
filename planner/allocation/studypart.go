package allocation

import (
	"encoding/json"
	"errors"

	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
)

// A keptPart is a [studyPart] as a shard keeps it.
type keptPart struct {
	Rows    []keptRow                  `json:"rows"`
	Placed  map[string]partials.Number `json:"placed"`
	Filled  map[string]bool            `json:"filled"`
	Missing *string                    `json:"missing"`
}

// A keptRow is a [measured].
type keptRow struct {
	Method     string          `json:"m"`
	Dependency string          `json:"d"`
	Class      string          `json:"c"`
	Job        string          `json:"j"`
	Quantity   string          `json:"q"`
	Level      int             `json:"l"`
	X          int             `json:"x"`
	Value      partials.Number `json:"v"`
}

// studyForm writes parts and reads them back: of what was missing the words, which
// are all that the answer says of it.
var studyForm = pieces.Form[studyPart]{
	Write: func(to []byte, _ int, p studyPart, _ pieces.Words) ([]byte, error) {
		k := keptPart{Filled: p.filled, Placed: map[string]partials.Number{}}
		for _, m := range p.rows {
			key := m.key
			k.Rows = append(k.Rows, keptRow{key.method, key.dependency, key.class, key.job, key.quantity, key.level,
				key.x, partials.Number(m.value)})
		}
		for method, share := range p.placed {
			k.Placed[method] = partials.Number(share)
		}
		if p.missing != nil {
			k.Missing = new(p.missing.Error())
		}
		text, err := json.Marshal(k)
		return append(to, text...), err
	},
	Read: func(_ int, text []byte, _ pieces.Said) (p studyPart, err error) {
		var k keptPart
		if err := json.Unmarshal(text, &k); err != nil {
			return p, err
		}
		p.filled, p.placed = k.Filled, map[string]float64{}
		for _, r := range k.Rows {
			p.rows = append(p.rows,
				measured{studyKey{r.Method, r.Dependency, r.Class, r.Job, r.Quantity, r.Level, r.X}, float64(r.Value)})
		}
		for method, share := range k.Placed {
			p.placed[method] = float64(share)
		}
		if k.Missing != nil {
			p.missing = errors.New(*k.Missing)
		}
		return p, nil
	},
}
