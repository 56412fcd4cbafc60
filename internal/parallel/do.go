package parallel

import "context"

// Do calls f for 0..n−1 on all cores, as [Each] does, for work that has no error and is
// so short that whoever gives up waits for it.
func Do(n int, f func(i int)) {
	_ = Each(context.Background(), 0, n, func(i int) error { // which none returns
		f(i)
		return nil
	})
}
