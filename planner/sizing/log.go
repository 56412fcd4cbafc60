package sizing

import (
	"context"
	"fmt"
	"sync"

	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/loss"
)

// logLoad is the load of a job log whose jobs may need several processors.
type logLoad struct {
	summary *joblog.Summary
	streams []loss.Stream
	widest  float64

	mu     sync.Mutex
	states *loss.MultiRate
}

// newLogLoad makes a stream of each width. Loads of a log count processors, and
// those of a stream jobs.
func newLogLoad(s *joblog.Summary) *logLoad {
	l := &logLoad{summary: s}
	for _, c := range s.Classes {
		l.streams = append(l.streams, loss.Stream{
			Name:    fmt.Sprint(c.Processors),
			Width:   c.Processors,
			JobLoad: c.OfferedLoad / float64(c.Processors),
			Rate:    c.Rate,
		})
		l.widest = max(l.widest, float64(c.Processors))
	}
	return l
}

// least finds the fewest processors for an objective of the loss model.
func (l *logLoad) least(ctx context.Context, o queueing.Objective) (queueing.Requirement, error) {
	r, states, err := loss.LeastMultiRate(ctx, l.streams, o)
	if err != nil {
		return r, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.states == nil || l.states.Capacity() < states.Capacity() {
		l.states = states
	}
	return r, nil
}

// at returns the figures of the loss model, counted in jobs.
func (l *logLoad) at(ctx context.Context, servers float64) (queueing.Figures, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.states == nil || float64(l.states.Capacity()) < servers {
		if servers > 1<<24 {
			return queueing.Figures{}, ask.Inputf("servers", "more than 16777216 processors in the loss model of a log")
		}
		states, err := loss.NewMultiRate(ctx, l.streams, int(servers*1.25)+64)
		if err != nil {
			return queueing.Figures{}, err
		}
		l.states = states
	}
	f, err := l.states.At(servers)
	if err != nil {
		return f, err
	}
	f.Throughput = l.summary.ArrivalRate * (1 - f.Blocking)
	return l.perJob(f), nil
}

// perJob restates figures of slots, or of units of service, in jobs.
func (l *logLoad) perJob(f queueing.Figures) queueing.Figures {
	f.ArrivalRate = l.summary.ArrivalRate
	f.ServiceTime = l.summary.ServiceMean
	f.MeanResponse = f.MeanWait + l.summary.ServiceMean
	f.MeanQueueLength = f.ArrivalRate * f.MeanWait
	return f
}

// slots returns the queue of the log that waits: slots of z processors whose
// service time is that which a processor sees, E[mS]/E[m].
func (l *logLoad) slots() queueing.Model {
	s := l.summary
	service := s.WorkMean / s.ProcessorsMean
	return &slotModel{l, queueing.Wide{
		Peakedness: s.Peakedness,
		Slots: queueing.GGC{
			ArrivalRate: s.OfferedLoad / s.Peakedness / service,
			ServiceTime: service,
			ArrivalSCV:  s.InterarrivalSCV,
			ServiceSCV:  s.ServiceSCV,
		},
	}}
}

// A slotModel is the queue of jobs that take several processors each, with
// figures of jobs.
type slotModel struct {
	log  *logLoad
	wide queueing.Wide
}

// At has the throughput of the log: the queue counts slots.
func (m *slotModel) At(servers float64) (queueing.Figures, error) {
	f, err := m.wide.At(servers)
	if err != nil {
		return f, err
	}
	f.Throughput = m.log.summary.ArrivalRate
	return m.log.perJob(f), nil
}

func (m *slotModel) Floor() float64 { return m.wide.Floor() }

// LogFigures are what a log was found to hold, beside the answer.
type LogFigures struct {
	Jobs int `json:"jobs"`
	// SkippedJobs say nothing of a load, such as those that were cancelled.
	SkippedJobs    int     `json:"skipped_jobs"`
	MalformedLines int     `json:"malformed_lines"`
	ArrivalRate    float64 `json:"arrival_rate_per_s"`
	// InterarrivalSCV and ServiceSCV are squared coefficients of variation:
	// variance over squared mean.
	InterarrivalSCV float64 `json:"interarrival_scv"`
	ServiceTime     float64 `json:"service_time_mean_s"`
	ServiceSCV      float64 `json:"service_scv"`
	// WidthMean and WidthMax are processors of a job.
	WidthMean float64 `json:"processors_mean"`
	WidthMax  int     `json:"processors_max"`
	// Peakedness is E[m²S]/E[mS] of jobs of m processors and S seconds: 1 where
	// each takes one processor.
	Peakedness float64 `json:"peakedness"`

	Classes []ClassFigures `json:"classes"`
}

// ClassFigures are those of the jobs of one width.
type ClassFigures struct {
	Processors  int      `json:"processors"`
	Jobs        int      `json:"jobs"`
	OfferedLoad float64  `json:"offered_load_erl"`
	Blocking    *float64 `json:"blocking_probability"` // loss model only
}

// figures returns the figures of the log; if jobs can be lost, with the blocking by width, which
// depends on the servers.
func (l *logLoad) figures(servers float64, loss bool) *LogFigures {
	s := l.summary
	f := &LogFigures{
		Jobs: s.Jobs, SkippedJobs: s.SkippedJobs, MalformedLines: s.MalformedLines,
		ArrivalRate: s.ArrivalRate, InterarrivalSCV: s.InterarrivalSCV,
		ServiceTime: s.ServiceMean, ServiceSCV: s.ServiceSCV,
		WidthMean: s.ProcessorsMean, WidthMax: int(l.widest), Peakedness: s.Peakedness,
	}
	for k, c := range s.Classes {
		g := ClassFigures{Processors: c.Processors, Jobs: c.Jobs, OfferedLoad: c.OfferedLoad}
		if loss {
			if b, err := l.states.StreamBlocking(k, int(servers)); err == nil {
				g.Blocking = ask.Figure(b)
			}
		}
		f.Classes = append(f.Classes, g)
	}
	return f
}
