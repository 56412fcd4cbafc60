package bags

import "sync"

// alongside does n things that write nothing in common, as many at a time as there are
// processors.
func alongside(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}
