package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// shownShards is how many shards a page lists; JSON has all.
const shownShards = 40

// shardStatus answers merge --status. Nothing of the shards' work is read but their ends.
func shardStatus(ctx context.Context, dir string) (*Result, error) {
	status, err := shards.Survey(ctx, dir, time.Now())
	// A folder that is not there is a mistake of the line, not a failure of the disk.
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &UsageError{Reason: spell.Quote(dir) + ": there is no such folder"}
	}
	if err != nil {
		return nil, err
	}
	return Answered(status, statusSection(status)), nil
}

// statusSection shows what is known of the shards, those that want a look first. It leads with how
// many are done.
func statusSection(a *shards.Status) *page.Section {
	s := &page.Section{ID: "merge-status"}
	if a.Done == a.Of && a.Wrong == 0 {
		s.Say("all %d shards are done", a.Of)
	} else {
		s.Say("%d of %d shards done, %d unfinished, %d missing, %d wrong",
			a.Done, a.Of, a.Unfinished, a.Missing, a.Wrong)
	}
	if a.Straggling > 0 {
		s.Say("%s more than twice as long as half of the finished ones", say.Plural(a.Straggling, "shard")+" took")
	}
	s.Fact("work", fmt.Sprintf("%d %s", a.Pieces, a.Work))
	s.Fact("command", a.Command)
	if a.Median != nil {
		s.Fact("median time", units.FormatDuration(*a.Median, 3))
	}
	table := s.Table("shard", "state", "pieces", "time", "last written", "host", "")
	table.Words = 2
	// What wants a look comes first, and then what is done as far as there is room.
	for _, done := range []bool{false, true} {
		for _, x := range a.List {
			if done != (x.State == shards.Done && !x.Straggling) {
				continue
			}
			if len(table.Rows) == shownShards {
				table.More++
				table.MoreIn = "json"
				continue
			}
			table.Line(standingCells(x)...)
		}
	}
	// What is wrong has a sentence of its own, since no column has room for it.
	for _, x := range a.List {
		if x.State == shards.Wrong {
			s.Say("%s %s", x.File, x.Why)
		}
	}
	return s
}

// standingCells is the row of one shard. Times of writing are in UTC, since shards may come from
// anywhere.
func standingCells(x shards.Standing) []string {
	name, took, last, remark := fmt.Sprint(x.Shard), "", "", ""
	// A file that cannot be read does not say which shard it is of.
	if x.Shard == 0 {
		name = "?"
	}
	if x.Seconds != nil {
		took = units.FormatDuration(*x.Seconds, 3)
	}
	if x.Last != nil {
		last = x.Last.UTC().Format("2006-01-02 15:04:05")
	}
	switch {
	case x.State == shards.Wrong:
		remark = x.File // why stands below
	case x.Straggling:
		remark = "straggling"
	}
	return []string{name, x.State, fmt.Sprintf("%d/%d", x.Done, x.Pieces), took, last, x.Host, remark}
}
