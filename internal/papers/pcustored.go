package papers

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// pcufigure4.json holds the rows of PCU figures 4 and 5 from as many runs as tell the
// policies apart, some three minutes of work: capplan reproduce pcu-figure-4 --seeds
// 100 -o json makes them, of which seed, seeds and rows are kept.
//
//go:embed pcufigure4.json
var storedFigure4 []byte

// storedRows are those of a figure that was computed before.
type storedRows struct {
	Seeds int    `json:"seeds"`
	Seed  uint64 `json:"seed"`
	Rows  []Row  `json:"rows"`
}

func storedPCUFigure4() storedRows {
	var s storedRows
	if err := json.Unmarshal(storedFigure4, &s); err != nil {
		panic("papers: pcufigure4.json: " + err.Error()) // part of the program
	}
	return s
}

// defaults says whether a question of a simulated figure of PCU asks for nothing of
// its own.
func (q *Question) defaults() bool { return q.Seeds == 0 && q.Seed <= 1 && q.scale() == 1 }

// take takes rows that were computed before.
func (a *Reproduction) take(s storedRows) {
	a.Seed = &s.Seed
	a.Rows = append(a.Rows, s.Rows...)
	a.Reproduced += fmt.Sprintf("; %d runs behind each point", s.Seeds)
}
