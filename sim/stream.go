package sim

import "math/rand/v2"

// Stream returns the random numbers of one entity in one replication: a PCG
// generator keyed by the seed, the number of the replication and the entity,
// which is named by any number of words (a kind and an index, say). Different
// keys give unrelated streams; the same key gives the same stream, whatever else
// is drawn. So two policies that are run with one seed see the same arrivals and
// the same failures (common random numbers), and their difference can be taken
// replication by replication: see [Difference].
//
// The key is mixed by the finalizer of SplitMix64, word by word. Source: Steele,
// Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014;
// O'Neill, PCG, 2014.
func Stream(seed uint64, replication int, entity ...uint64) *rand.Rand {
	return new(stream).begin(seed, replication, entity)
}

// A stream is the random numbers of an entity: by the thousand in a run, and taken from memory at once.
type stream struct {
	rand rand.Rand
	pcg  rand.PCG
}

func (s *stream) begin(seed uint64, replication int, entity []uint64) *rand.Rand {
	hi, lo := mix(seed), mix(seed^golden)
	word := func(w uint64) {
		hi, lo = mix(hi+golden+w), mix(lo^mix(w+golden))
	}
	word(uint64(replication))
	for _, e := range entity {
		word(e)
	}
	word(uint64(len(entity)))
	s.pcg.Seed(hi, lo)
	s.rand = *rand.New(&s.pcg)
	return &s.rand
}

// Streams are the streams of one run after another, which reuse the memory of those before: of
// designs that are judged on a hundred runs new streams were most of what was taken from memory. The
// zero value has none; it is for one goroutine.
type Streams struct {
	blocks [][]stream
	used   int
}

// streamBlock is how many streams are taken from memory at once.
const streamBlock = 128

// Stream is [Stream], until Reset.
func (s *Streams) Stream(seed uint64, replication int, entity ...uint64) *rand.Rand {
	block := s.used / streamBlock
	if block == len(s.blocks) {
		s.blocks = append(s.blocks, make([]stream, streamBlock))
	}
	one := &s.blocks[block][s.used%streamBlock]
	s.used++
	return one.begin(seed, replication, entity)
}

// Reset gives the memory of all streams to those to come: the former are not to be used any more.
func (s *Streams) Reset() { s.used = 0 }

// golden is 2⁶⁴ over the golden ratio, an odd number without pattern.
const golden = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z += golden
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
