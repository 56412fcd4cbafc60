package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/shards"
)

// BenchmarkMerge merges a thousand shards of a thousand points of sweep queue mg1,
// 40 columns each, to CSV. In a folder that CAPPLAN_MERGE names the shards are made
// if they are not there, and stay.
func BenchmarkMerge(b *testing.B) {
	b.Run("shards=1000/rows=1000", func(b *testing.B) {
		dir := os.Getenv("CAPPLAN_MERGE")
		if dir == "" {
			dir = b.TempDir()
		}
		if err := manyShards(b, dir, 1000, 1000); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if code := run(context.Background(), []string{"capplan", "merge", dir}, strings.NewReader(""), io.Discard, os.Stderr); code != 0 {
				b.Fatalf("exit code %d", code)
			}
		}
	})
}

// manyShards fills a folder with shards of a sweep, whose rows are all like the first
// but for the number of the point.
func manyShards(b *testing.B, dir string, of, rows int) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) == of {
		return nil
	}
	one := b.TempDir()
	line := "capplan sweep queue mg1 --service-time 1ms --csv --over rate=777/s --shard 1/1 --out %s"
	if code := run(context.Background(), strings.Fields(fmt.Sprintf(line, one)), strings.NewReader(""), io.Discard, os.Stderr); code != 0 {
		return fmt.Errorf("exit code %d", code)
	}
	text, err := os.ReadFile(one + "/shard-0001-of-0001.jsonl")
	if err != nil {
		return err
	}
	_, columns, _ := strings.Cut(string(text), `{"word":0,"text":`)
	columns, _, _ = strings.Cut(columns, "}\n")
	_, row, _ := strings.Cut(string(text), `{"piece":0,"value":`)
	row, _, _ = strings.Cut(row, "}\n")
	command := strings.Fields(fmt.Sprintf("sweep queue mg1 --csv --over=rate=1/s:%d/s:1/s --service-time=1ms", of*rows))
	id, err := shards.Identify(context.Background(), cmdline.Version(), command)
	if err != nil {
		return err
	}
	form := pieces.Form[int]{Write: func(to []byte, i int, _ int, words pieces.Words) ([]byte, error) {
		words.Number(strings.ReplaceAll(strings.Trim(columns, `"`), `\"`, `"`))
		return append(to, strings.Replace(row, `"777"`, fmt.Sprintf(`"%d"`, i+1), 1)...), nil
	}}
	for i := 1; i <= of; i++ {
		k, err := shards.NewKeeper(dir, id, shards.Place{Shard: i, Of: of}, true)
		if err != nil {
			return err
		}
		none := func(context.Context, int) (int, error) { return 0, nil }
		w := pieces.Work{Name: "points", Count: of * rows}
		if err := pieces.Fold(pieces.WithKeeper(context.Background(), k), w, form, none, nil); !errors.Is(err, pieces.ErrKept) {
			return err
		}
		if err := k.Finish(); err != nil {
			return err
		}
		k.Close()
	}
	return nil
}
