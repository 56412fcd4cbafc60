package shards

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/parallel"
)

// What a shard may be.
const (
	Done       = "done"
	Unfinished = "unfinished"
	Missing    = "missing"
	Wrong      = "wrong" // foreign, cut or doubled
)

// A Standing is how far one shard is. Times are in UTC.
type Standing struct {
	Shard  int    `json:"shard"` // 0 where that is not known
	State  string `json:"state"` // done, unfinished, missing or wrong
	File   string `json:"file"`
	Done   int    `json:"pieces_done"`
	Pieces int    `json:"pieces"`
	// Started is when the first run began, Last when the shard was done or, of one
	// that is unfinished, last written to.
	Started *time.Time `json:"started"`
	Last    *time.Time `json:"last_written"`
	Seconds *float64   `json:"elapsed_s"` // between the two, of an unfinished one up to now
	Host    string     `json:"host,omitempty"`
	// Straggling says that the shard has taken more than twice as long as half of
	// those that are done.
	Straggling bool   `json:"straggling"`
	Why        string `json:"why,omitempty"` // of a wrong one
}

// A Status is how far the shards of a work are. Counts are of shards, but for Pieces.
type Status struct {
	Command    string     `json:"command"`
	Work       string     `json:"work"`
	Pieces     int        `json:"pieces"`
	Of         int        `json:"shards"`
	Done       int        `json:"done"`
	Unfinished int        `json:"unfinished"`
	Missing    int        `json:"missing"`
	Wrong      int        `json:"wrong"`
	Straggling int        `json:"straggling"`
	Median     *float64   `json:"median_s"` // of those that are done; null where none is
	List       []Standing `json:"list"`
}

// Survey finds out how far the shards in a folder are, at a time. Errors: *Error
// for a folder without shards, *fs.PathError.
func Survey(ctx context.Context, dir string, now time.Time) (*Status, error) {
	names, err := shardFiles(dir)
	if err != nil {
		return nil, err
	}
	parts, err := filepath.Glob(filepath.Join(escaped(dir), outfile.Unfinished("*.jsonl")))
	if err != nil {
		return nil, err
	}
	// Files in the making are named otherwise than shards, and are found beside them.
	for _, p := range parts {
		names = append(names, filepath.Base(p))
	}
	all := make([]Standing, len(names))
	headers := make([]*header, len(names))
	err = parallel.All(ctx, len(names), func(i int) error {
		all[i], headers[i] = stand(filepath.Join(dir, names[i]), now)
		all[i].File = names[i]
		return nil
	})
	if err != nil {
		return nil, err
	}
	// The first file that can be read says what the work is; those of another are wrong.
	first := slices.IndexFunc(headers, func(h *header) bool { return h != nil })
	if first < 0 && len(all) > 0 {
		return nil, &Error{Name: dir, Reason: "holds no shard that can be read: " + all[0].File + " " + all[0].Why}
	}
	if first < 0 {
		return nil, &Error{Name: dir, Reason: "holds no shards, want files such as " + Place{1, 4}.File(),
			Lacking: true}
	}
	of := headers[first]
	s := &Status{Command: strings.Join(of.Command, " "), Work: of.Name, Pieces: of.Count, Of: of.Of}
	s.gather(of, all, headers)
	s.judge()
	return s, nil
}

// stand looks at one file. The header is nil where it cannot be read.
func stand(path string, now time.Time) (Standing, *header) {
	if strings.HasSuffix(path, outfile.Unfinished("")) {
		return standUnfinished(path, now)
	}
	w, err := inspect(path)
	if err != nil {
		var bad *Error
		why := err.Error()
		// The name of the file stands in its own field.
		if errors.As(err, &bad) {
			why = bad.Reason
		}
		return Standing{State: Wrong, Why: why}, nil
	}
	return Standing{
		Shard:   w.header.Shard,
		State:   Done,
		Done:    w.end.Pieces,
		Pieces:  w.end.Pieces,
		Started: &w.header.Started,
		Last:    &w.end.Ended,
		Seconds: new(w.end.Ended.Sub(w.header.Started).Seconds()),
		Host:    w.header.Host,
	}, w.header
}

// standUnfinished looks at a file in the making. A file that is being written may end within a
// line. The time of the last writing is that of the file, since no line says it.
func standUnfinished(path string, now time.Time) (Standing, *header) {
	info, err1 := os.Stat(path)
	data, err2 := outfile.ReadHeld(path)
	if err := errors.Join(err1, err2); err != nil {
		return Standing{State: Wrong, Why: strings.TrimPrefix(err.Error(), fmt.Sprintf("%q ", path))}, nil
	}
	u := readHeld(data)
	if u == nil {
		return Standing{State: Wrong, Why: "has no complete first line"}, nil
	}
	written, running := info.ModTime().UTC(), now.Sub(u.header.Started).Seconds()
	s := Standing{
		Shard:   u.header.Shard,
		State:   Unfinished,
		Pieces:  u.header.Place.Pieces(u.header.Count),
		Started: &u.header.Started,
		Last:    &written,
		Seconds: &running,
		Host:    u.header.Host,
	}
	// Only whole lines count, as for who goes on with them.
	for _, n := range u.held.pieces {
		s.Done += n
	}
	return s, u.header
}

// gather puts the shards into their order, with those that are not there. of is the header that
// stands for all.
func (s *Status) gather(of *header, all []Standing, headers []*header) {
	there := map[int]string{}
	for i, h := range headers {
		x := all[i]
		if h != nil {
			if why := foreign(of, h); why != "" {
				x.State, x.Why = Wrong, "is "+why
			} else if x.State == Done && there[h.Shard] != "" {
				x.State, x.Why = Wrong, "is the same shard as "+there[h.Shard]
			} else if x.State == Unfinished && there[h.Shard] != "" {
				// Done by another run: shards stand before files in the making, so that the one
				// that is done is seen first.
				continue
			} else {
				there[h.Shard] = x.File
			}
		}
		s.List = append(s.List, x)
	}
	for i := 1; i <= s.Of; i++ {
		p := Place{i, s.Of}
		if there[i] == "" {
			s.List = append(s.List, Standing{Shard: i, State: Missing, File: p.File(), Pieces: p.Pieces(s.Pieces)})
		}
	}
	sort.SliceStable(s.List, func(i, j int) bool { return s.List[i].Shard < s.List[j].Shard })
}

// judge counts, and finds those that are behind. Times below a second are not compared: what takes
// no time does not lag behind.
func (s *Status) judge() {
	var took []float64
	for _, x := range s.List {
		if x.State == Done {
			took = append(took, *x.Seconds)
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		// Of an even number it lies half way between the two in the middle.
		low, high := took[(len(took)-1)/2], took[len(took)/2]
		s.Median = new(low + (high-low)/2)
	}
	for i := range s.List {
		x := &s.List[i]
		switch x.State {
		case Done:
			s.Done++
		case Unfinished:
			s.Unfinished++
		case Missing:
			s.Missing++
		case Wrong:
			s.Wrong++
		}
		if s.Median != nil && x.Seconds != nil && *x.Seconds > 2*max(*s.Median, 1) {
			x.Straggling = true
			s.Straggling++
		}
	}
}
