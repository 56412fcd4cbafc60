package trace

// An Interval is a time that a node spent up or down. Intervals of one node are
// handed on in order of time and do not overlap; the order among nodes is free.
type Interval struct {
	Node       int    // number from 0, in order of first appearance in the file
	Name       string // of the node, as in the file
	Line       int    // where it begins; the element, from 1, in a JSON array
	Start, End float64
	Up         bool
	// Cut says that the node was not watched before Start, Censored that it was
	// not watched after End, so that the whole interval may be longer. It holds
	// at both ends of a node's trace and on both sides of a gap in it.
	Cut, Censored bool
}

// intervalStream puts a node's intervals together: one is handed on when the
// next one of the node, or the end, has shown whether it was watched to its end.
type intervalStream struct {
	log   *TraceLog
	each  func(Interval) error
	nodes []*intervalNode
}

// An intervalNode is the last interval of a node, which may yet go on.
type intervalNode struct {
	pending Interval
	started bool
	lastEnd float64 // end of the last row taken, joined ones included
	line    int     // its line
}

// node makes a node, which has a number only when its first interval is in order.
func (s *intervalStream) node(name string) *intervalNode {
	n := &intervalNode{pending: Interval{Name: name}}
	s.nodes = append(s.nodes, n)
	return n
}

// order is the error of an interval that cannot follow, nil if it can.
func (n *intervalNode) order(start, end float64, line int) *OrderError {
	if end < start || n.started && start < n.lastEnd {
		e := &OrderError{Node: n.pending.Name, Line: line, Start: start, End: end}
		if n.started {
			e.Before, e.BeforeLine = n.lastEnd, n.line
		}
		return e
	}
	return nil
}

// add takes an interval that is in order. One that touches an interval of the
// same state is made part of it.
func (s *intervalStream) add(n *intervalNode, start, end float64, up bool, line int) error {
	s.log.span(start, end)
	s.log.Rows++
	p := &n.pending
	gap := n.started && start > n.lastEnd
	joins := n.started && !gap && p.Up == up
	n.lastEnd, n.line = end, line
	if joins {
		s.log.Joined++
		p.End = end
		return nil
	}
	var err error
	first := !n.started
	if first {
		p.Node = s.log.Nodes
		s.log.Nodes++
	} else {
		p.Censored = gap
		err = s.each(*p)
	}
	n.started = true
	p.Start, p.End, p.Up, p.Line = start, end, up, line
	p.Cut, p.Censored = first || gap, false
	return err
}

// finish hands on what is left of a trace that was read to its end, unless an error ended it before.
func (s *intervalStream) finish(err error, want string) (*TraceLog, error) {
	if err == nil {
		err = s.flush()
	}
	if err == nil {
		err = s.log.end(want)
	}
	return s.log, err
}

// flush hands on the last interval of each node.
func (s *intervalStream) flush() error {
	for _, n := range s.nodes {
		if !n.started {
			continue
		}
		n.pending.Censored = true
		n.started = false
		if err := s.each(n.pending); err != nil {
			return err
		}
	}
	return nil
}
