package serve

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// A pool may name files, and logs and models are files: here their texts stand in
// the question, and no file is reached.

// noFiles is a file system without files. A reader that opens one in spite of the check gets an
// error.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type poolQuestion struct {
	File *pools.File `json:"pool"`
	pools.Question
}

// check refuses a pool that names a file, since no file of the server may be read by a request.
// Errors: *ask.InputError of the field pool.
func (q *poolQuestion) check(*document.Document) error {
	named := q.File.Jobs.SWF
	if p := q.File.Public; p != nil {
		named += p.Speeds + p.Trace
	}
	if named != "" {
		return ask.Inputf("pool",
			"names a file, and a request cannot read files: want laws and rates instead of speeds, trace and swf")
	}
	return nil
}

func simulatePool(ctx context.Context, q *poolQuestion) (*pools.Answer, error) {
	var warnings []string
	var err error
	if q.Pool, warnings, err = q.File.Pool(ctx, ".", source.OpenOptions{Files: noFiles{}}); err != nil {
		return nil, err
	}
	a, err := pools.Ask(ctx, &q.Question)
	if err == nil {
		a.Warnings = append(warnings, a.Warnings...)
	}
	return a, err
}

// fitQuestion is the body of a request to fit laws to a log. From and To are times since the log's
// start; nil is no bound.
type fitQuestion struct {
	SWF     string          `json:"swf"`
	From    *units.Duration `json:"from_s,omitempty"`
	To      *units.Duration `json:"to_s,omitempty"`
	Strict  bool            `json:"strict,omitempty"`
	Explain bool            `json:"explain,omitempty"`
}

// fit fits the laws of a log in the Standard Workload Format. Errors: *ask.InputError for a log
// that is none or has too few jobs.
func fit(ctx context.Context, q *fitQuestion) (*records.LogAnswer, error) {
	o := joblog.SWFOptions{Strict: q.Strict, From: float64(ask.Value(q.From)), To: float64(ask.Value(q.To))}
	if q.To != nil && !(o.To > o.From) {
		return nil, ask.Inputf("to", "the window ends before it begins: want to after from")
	}
	var samples joblog.Samples
	summary, log, err := joblog.Summarize(ctx, "swf", strings.NewReader(q.SWF), o, func(j joblog.Job) error {
		samples.Add(j)
		return nil
	})
	if err == nil {
		var a *records.LogAnswer
		if a, err = records.FitLog(summary, log, &samples, q.Explain); err == nil {
			return a, nil
		}
	}
	var file *source.FileError
	if errors.Is(err, joblog.ErrTooFew) || errors.As(err, &file) {
		return nil, ask.Inputf("swf", "%v", err)
	}
	return nil, err
}

// lpQuestion is the body of a request to solve a linear program. A solver cannot be chosen: an
// executable would be run for whoever asks.
type lpQuestion struct {
	Text string `json:"model"` // in MPS or the LP format
	allocation.ModelQuestion
}

// solve solves the model that the request holds as text. Errors: *ask.InputError for a text that is
// no model.
func solve(ctx context.Context, q *lpQuestion) (_ *allocation.ModelAnswer, err error) {
	if q.Model, err = lp.Parse(ctx, []byte(q.Text)); err != nil {
		var syntax *lp.SyntaxError
		var model *lp.ModelError
		if errors.As(err, &syntax) || errors.As(err, &model) {
			return nil, ask.Inputf("model", "%v", err)
		}
		return nil, err
	}
	if q.Solver, err = allocation.FindSolver(""); err != nil {
		return nil, err
	}
	return allocation.Solve(ctx, &q.ModelQuestion)
}

// textQuestions are those of pools, logs and models.
func textQuestions() []question {
	return []question{
		of("simulate-pool", "dedicated machines beside public ones, with jobs that migrate",
			`{"replications": 2, "horizon": "1h", "pool": {"dedicated": 5, "public": {"machines": 50, "on_off": "1h/10min"},
  "jobs": {"rate": "0.01/s", "work": "500s", "users": 5}}}`,
			poolQuestion{Question: pools.Question{Seed: 1}}, simulatePool, report.Pool,
			func(q *poolQuestion, told func(done, of int)) { q.Progress = told }),
		of("fit", "what load does this job log hold?",
			`{"swf": "; UnixStartTime: 0\n1 0 0 10 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n2 60 0 20 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n3 90 5 15 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"}`,
			fitQuestion{}, fit, report.Log, nil),
		of("lp", "what is the optimum of this model?",
			`{"model": "Maximize\n obj: 3 x + 2 y\nSubject To\n c1: x + y <= 4\n c2: x + 3 y <= 6\nEnd\n"}`,
			lpQuestion{}, solve, report.Model, nil),
	}
}
