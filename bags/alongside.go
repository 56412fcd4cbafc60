package bags

import (
	"context"

	"github.com/capplan/capplan/internal/parallel"
)

// alongside does n things that write nothing in common, as many at a time as there are
// processors. Each is short: whoever gives up waits for them.
func alongside(n int, do func(i int)) {
	_ = parallel.Each(context.Background(), 0, n, func(i int) error { // which none returns
		do(i)
		return nil
	})
}
