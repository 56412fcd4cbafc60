package trace

import (
	"context"
	"io"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// SpotPriceOptions says how to read spot prices.
type SpotPriceOptions struct {
	// Bid is the most that is paid, in US dollars per hour, >= 0. The machine
	// runs while the price is at most the bid.
	Bid float64
	// Strict makes the first malformed line an error.
	Strict bool
	// Price, where it is not nil, takes each price and from when to when it held.
	Price func(start, end, usdPerHour float64)
}

const spotPriceForm = `a header "time,price_usd_per_hour" and rows such as "2015-03-12 05:59:46+00:00,0.0081"`

// ReadSpotPrices reads the change points of a spot price from CSV with the
// columns time (unix seconds or RFC 3339, with a T or a space; without an
// offset it is UTC) and price_usd_per_hour, and hands the runs of up (price <=
// Bid) and down to each. A price holds until the next row; the last row only
// ends the trace. It has one node, named name.
//
// A row must be later than the one before; others are malformed, and the first
// price at a time counts. A malformed row is left out, so that the price before
// it holds on. A row without a price is Skipped, and the price is
// unknown until the next: a gap in the watch. Errors are those of [ReadFTA], and
// a header other than the above. Time is linear in the bytes, memory constant.
func ReadSpotPrices(ctx context.Context, name string, r io.Reader, o SpotPriceOptions,
	each func(Interval) error) (*TraceLog, error) {
	ctx = given.Context(ctx)
	if !(o.Bid >= 0 && o.Bid <= source.MaxField) {
		return &TraceLog{File: name}, source.Outside("ReadSpotPrices", "Bid", o.Bid,
			"finite US dollars per hour >= 0")
	}
	t, log, err := openTrace(ctx, name, r, spotPriceForm, o.Strict)
	if err != nil {
		return log, err
	}
	intervals := intervalStream{log: log, each: given.Each(each)}
	node := intervals.node(name)
	p := priceReader{traceReader: t, clock: sampleClock{name: name}}
	prices := 0
	err = t.rows(func(line []byte) error {
		now, price, known, ok, err := p.read(line)
		if !ok {
			return err
		}
		if p.known {
			// The row before holds until now.
			if o.Price != nil {
				o.Price(p.since, now, p.price)
			}
			if err := intervals.add(node, p.since, now, p.price <= o.Bid, p.line0); err != nil {
				return err
			}
		}
		p.since, p.price, p.known, p.line0 = now, price, known, t.Line
		if known {
			prices++
		}
		return nil
	})
	// The log counts prices; intervalStream counted what lies between them.
	log.Rows, log.Joined = prices, 0
	if prices > 0 && log.Nodes == 0 {
		log.First, log.Last = p.since, p.since
	}
	if err != nil {
		return log, err
	}
	if err := intervals.flush(); err != nil {
		return log, err
	}
	if prices > 0 && log.Nodes == 0 {
		return log, t.Fail("no time between two prices", ErrNoRows)
	}
	return log, log.end(t.Want)
}

// A priceReader is what ReadSpotPrices keeps between rows.
type priceReader struct {
	*traceReader
	columns []int // of time and price; nil before the header
	width   int
	clock   sampleClock
	since   float64 // time of the row before
	price   float64 // that holds since then
	known   bool
	line0   int
}

// read reads a row; ok is false where it is the header or malformed, known where
// it has a price.
func (p *priceReader) read(line []byte) (now, price float64, known, ok bool, err error) {
	if p.columns == nil {
		p.columns, p.width, err = p.header(line, false, "time", "price_usd_per_hour")
		return 0, 0, false, false, err
	}
	cells, ok, err := p.row(line, p.width)
	if !ok {
		return 0, 0, false, false, err
	}
	if now, ok, err = p.time(line, cells[p.columns[0]], time.UTC); !ok {
		return 0, 0, false, false, err
	}
	cell := cells[p.columns[1]]
	if known = len(cell) > 0; known {
		if price, ok, err = p.number(line, cell, "price_usd_per_hour", 0, source.MaxField); !ok {
			return 0, 0, false, false, err
		}
	}
	if ok, err = p.inOrder(line, &p.clock, now); !ok {
		return 0, 0, false, false, err
	}
	if !known {
		p.log.Skipped++
	}
	return now, price, known, true, nil
}
