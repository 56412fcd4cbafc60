// Package transport sends as much as possible from jobs to the bins that they may use.
//
// Each job k has a demand d(k) that may be split over bins of its list S(k), and each bin j holds
// up to c(j). The most that can be sent is the greatest flow of a network of two sides, found by
// the blocking flows of Dinic: each round sends along all shortest paths, and there are few rounds.
// If some demand is left, the jobs that are reached from it (X) prove it, by Hall's condition:
//
//	Σ d(k) over X  >  Σ c(j) over the bins that X may use
//
// Source: Dinic, Soviet Math. Dokl. 11, 1970; Ahuja, Magnanti, Orlin, Network Flows, 1993, ch. 7.
package transport

import (
	"cmp"
	"context"
	"slices"
)

// A Network is what is to be sent, and where to.
type Network struct {
	Demand []int64   // by job, >= 0
	Bins   [][]int32 // by job, the bins that it may use, each once
	Room   []int64   // by bin, >= 0
	Plain  bool      // begin with each demand in the first of its bins that has room for it: another flow
}

// A Sent is a flow.
type Sent struct {
	Left int64 // demand that is not sent
	Most bool  // no flow sends more
	// If no flow sends all: jobs whose demands exceed the room of all bins that they may use, and these bins. Of several
	// such sets that share no bin it is the one that lacks most.
	Jobs, Bins []int32

	first []int32
	flow  []int64
}

// Amounts returns what is sent from a job to each of its bins.
func (s *Sent) Amounts(k int) []int64 { return s.flow[s.first[k]:s.first[k+1]] }

// Send returns a greatest flow, or what was sent when the work is done: each round looks at each edge between a job and
// a bin about four times. It uses memory in proportion to the edges. The error is that of ctx.
func (n *Network) Send(ctx context.Context, work int) (*Sent, error) {
	f := n.start()
	out := &Sent{first: f.first, flow: f.flow}
	for {
		if out.Most = !f.reach(); out.Most || work <= 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.block()
		work -= 4 * len(f.flow)
	}
	for _, left := range f.left {
		out.Left += left
	}
	if out.Left == 0 || !out.Most {
		return out, nil
	}
	out.Jobs, out.Bins = f.crowd()
	return out, nil
}

// crowd returns the jobs and bins that demand which is left reaches: of those that hang together, the ones that lack
// most.
func (f *flows) crowd() (jobs, bins []int32) {
	most := int64(0)
	for first, round := range f.jobRound {
		if round < 0 {
			continue
		}
		f.jobRound[first] = -1
		of, to, lack := []int32{int32(first)}, []int32(nil), int64(0)
		for i := 0; i < len(of); i++ {
			lack += f.left[of[i]]
			for _, j := range f.bin[f.first[of[i]]:f.first[of[i]+1]] {
				if f.binRound[j] < 0 {
					continue
				}
				f.binRound[j] = -1
				to = append(to, j)
				for _, e := range f.edges[f.into[j]:f.into[j+1]] {
					if k := f.job[e]; f.jobRound[k] >= 0 {
						f.jobRound[k] = -1
						of = append(of, k)
					}
				}
			}
		}
		if lack > most {
			jobs, bins, most = of, to, lack
		}
	}
	slices.Sort(jobs)
	slices.Sort(bins)
	return jobs, bins
}

// flows is a flow under construction. Edges are those of job 0, then those of job 1 and so on.
type flows struct {
	left, room []int64 // by job, demand not sent, and by bin
	first      []int32 // by job, its first edge; one more at the end
	flow       []int64 // by edge
	job, bin   []int32 // by edge

	into      []int32 // by bin, its first place in edges; one more at the end
	edges     []int32
	jobRound  []int32 // steps from a job with demand left; -1: not reached
	binRound  []int32
	nextEdge  []int32 // by job, the edge to try next
	nextPlace []int32 // by bin, the place to try next
	queue     []int32
}

// start lays out a network and sends demands whole, as [beginning] does if not plainly.
func (n *Network) start() *flows {
	f := &flows{left: slices.Clone(n.Demand), room: slices.Clone(n.Room), first: make([]int32, len(n.Demand)+1),
		into: make([]int32, len(n.Room)+1), jobRound: make([]int32, len(n.Demand)), binRound: make([]int32, len(n.Room)),
		nextEdge: make([]int32, len(n.Demand)), nextPlace: make([]int32, len(n.Room))}
	for k, bins := range n.Bins {
		f.first[k+1] = f.first[k] + int32(len(bins))
		for _, j := range bins {
			f.into[j+1]++
		}
	}
	for j := range n.Room {
		f.into[j+1] += f.into[j]
	}
	all := f.first[len(n.Demand)]
	f.flow, f.edges, f.job, f.bin = make([]int64, all), make([]int32, all), make([]int32, all), make([]int32, all)
	at := slices.Clone(f.into)
	for _, k := range n.falling() {
		for i, j := range n.Bins[k] {
			e := f.first[k] + int32(i)
			f.edges[at[j]], f.job[e], f.bin[e] = e, k, j
			at[j]++
		}
	}
	if !n.Plain {
		f.begin()
		return f
	}
	for e, j := range f.bin {
		if k := f.job[e]; f.left[k] > 0 && f.room[j] >= f.left[k] {
			f.flow[e], f.room[j], f.left[k] = f.left[k], f.room[j]-f.left[k], 0
		}
	}
	return f
}

// falling returns the jobs by falling demand.
func (n *Network) falling() []int32 {
	jobs := make([]int32, len(n.Demand))
	for k := range jobs {
		jobs[k] = int32(k)
	}
	slices.SortStableFunc(jobs, func(x, y int32) int { return cmp.Compare(n.Demand[y], n.Demand[x]) })
	return jobs
}

// A beginning sends demands whole to one bin each, those first that have no choice: all jobs that may use a bin which
// has room for them all, and a job that has one bin left. For one demand on one bin each this is the heuristic of Karp
// and Sipser, which leaves few.
type beginning struct {
	*flows
	asked []int64 // by bin, the demand of jobs that may use it and are not sent
	open  []int32 // by job, its bins that have room for it
	full  []int32 // by bin, its place in edges up to which jobs have no room in it
	jobs  []int32 // with one bin left
	bins  []int32 // with room for all that ask
}

// begin sends what can be sent so; jobs with a choice go where the least is asked beyond what there is.
func (f *flows) begin() {
	b := &beginning{flows: f, asked: make([]int64, len(f.room)), open: f.nextEdge, full: f.nextPlace}
	for e, j := range f.bin {
		k := f.job[e]
		b.asked[j] += f.left[k]
		b.open[k]++
	}
	copy(b.full, f.into)
	for j := range f.room {
		b.fill(int32(j))
		if b.asked[j] > 0 && b.asked[j] <= f.room[j] {
			b.bins = append(b.bins, int32(j))
		}
	}
	for k, left := range f.left {
		if left > 0 && b.open[k] == 1 {
			b.jobs = append(b.jobs, int32(k))
		}
	}
	b.settle()
	for k := range f.left {
		b.choose(int32(k))
		b.settle()
	}
}

// settle sends all that has no choice.
func (b *beginning) settle() {
	for len(b.bins) > 0 || len(b.jobs) > 0 {
		if last := len(b.bins) - 1; last >= 0 {
			j := b.bins[last]
			b.bins = b.bins[:last]
			for _, e := range b.edges[b.into[j]:b.into[j+1]] {
				if b.left[b.job[e]] > 0 && b.left[b.job[e]] <= b.room[j] {
					b.send(e)
				}
			}
			continue
		}
		last := len(b.jobs) - 1
		k := b.jobs[last]
		b.jobs = b.jobs[:last]
		b.choose(k)
	}
}

// choose sends a job to the bin of which the least is asked beyond what there is.
func (b *beginning) choose(k int32) {
	best, least := int32(-1), int64(0)
	for e := b.first[k]; e < b.first[k+1] && b.left[k] > 0; e++ {
		j := b.bin[e]
		if over := b.asked[j] - b.room[j]; b.room[j] >= b.left[k] && (best < 0 || over < least) {
			best, least = e, over
		}
	}
	if best >= 0 {
		b.send(best)
	}
}

// send sends a job whole along an edge, and notes which jobs and bins have no choice any more.
func (b *beginning) send(e int32) {
	k, to := b.job[e], b.bin[e]
	d := b.left[k]
	b.flow[e], b.left[k] = d, 0
	b.room[to] -= d
	for _, j := range b.bin[b.first[k]:b.first[k+1]] {
		before := b.asked[j] <= b.room[j] && j != to
		if b.asked[j] -= d; j != to && !before && b.asked[j] > 0 && b.asked[j] <= b.room[j] {
			b.bins = append(b.bins, j)
		}
	}
	b.fill(to)
}

// fill notes which jobs have no room in a bin any more.
func (b *beginning) fill(j int32) {
	for ; b.full[j] < b.into[j+1]; b.full[j]++ {
		k := b.job[b.edges[b.full[j]]]
		if b.left[k] > 0 && b.left[k] <= b.room[j] {
			return
		}
		if b.open[k]--; b.left[k] > 0 && b.open[k] == 1 {
			b.jobs = append(b.jobs, k)
		}
	}
}

// reach numbers jobs and bins by their steps from demand that is left, and reports whether a bin with room is among
// them. It goes no further than the first of these.
func (f *flows) reach() bool {
	for k := range f.jobRound {
		f.jobRound[k] = -1
	}
	for j := range f.binRound {
		f.binRound[j] = -1
	}
	f.queue = f.queue[:0]
	for k, left := range f.left {
		if left > 0 {
			f.jobRound[k] = 0
			f.queue = append(f.queue, int32(k))
		}
	}
	found := false
	for from, round := 0, int32(1); from < len(f.queue) && !found; round += 2 {
		to := len(f.queue)
		for _, k := range f.queue[from:to] {
			for _, j := range f.bin[f.first[k]:f.first[k+1]] {
				if f.binRound[j] >= 0 {
					continue
				}
				f.binRound[j] = round
				if f.room[j] > 0 {
					found = true
					continue
				}
				for _, e := range f.edges[f.into[j]:f.into[j+1]] {
					if m := f.job[e]; f.flow[e] > 0 && f.jobRound[m] < 0 {
						f.jobRound[m] = round + 1
						f.queue = append(f.queue, m)
					}
				}
			}
		}
		from = to
	}
	return found
}

// block sends along shortest paths until each of them is blocked.
func (f *flows) block() {
	copy(f.nextEdge, f.first)
	copy(f.nextPlace, f.into)
	var path []int32
	for k := range f.left {
		for f.left[k] > 0 {
			if path = f.path(int32(k), path[:0]); len(path) == 0 {
				break
			}
			end := f.bin[path[len(path)-1]]
			amount := min(f.left[k], f.room[end])
			for i := 1; i < len(path); i += 2 {
				amount = min(amount, f.flow[path[i]])
			}
			for i, e := range path {
				if i%2 == 0 {
					f.flow[e] += amount
				} else {
					f.flow[e] -= amount
				}
			}
			f.left[k] -= amount
			f.room[end] -= amount
		}
	}
}

// path returns the edges of a shortest path from a job to a bin with room, by turns to a bin and back to a job; none if
// all are blocked.
func (f *flows) path(k int32, path []int32) []int32 {
	for {
		j, e := int32(-1), int32(0)
		for ; f.nextEdge[k] < f.first[k+1]; f.nextEdge[k]++ {
			e = f.nextEdge[k]
			if j = f.bin[e]; f.binRound[j] != f.jobRound[k]+1 {
				j = -1
				continue
			}
			if f.room[j] > 0 {
				return append(path, e)
			}
			if f.goesOn(j) {
				break
			}
			j = -1
		}
		if j >= 0 {
			back := f.edges[f.nextPlace[j]]
			path, k = append(path, e, back), f.job[back]
			continue
		}
		if len(path) == 0 {
			return nil
		}
		e, back := path[len(path)-2], path[len(path)-1]
		path, k = path[:len(path)-2], f.job[e]
		f.nextPlace[f.bin[back]]++
	}
}

// goesOn finds the next job of a bin that may go elsewhere.
func (f *flows) goesOn(j int32) bool {
	for ; f.nextPlace[j] < f.into[j+1]; f.nextPlace[j]++ {
		if e := f.edges[f.nextPlace[j]]; f.flow[e] > 0 && f.jobRound[f.job[e]] == f.binRound[j]+1 {
			return true
		}
	}
	return false
}
