//go:build highs && cgo

package highs

/*
#cgo pkg-config: highs
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "interfaces/highs_c_api.h"

// A run shares this with HiGHS's callback: whether to stop, and the best vector
// so far, for when it does not stop soon enough.
typedef struct {
	pthread_mutex_t lock;
	int stop;
	int columns;
	const void *highs;
	int has;
	double *best;
	double bound;
} capplan_watch;

static capplan_watch *capplan_watch_new(int columns) {
	capplan_watch *w = calloc(1, sizeof *w);
	if (w == NULL) return NULL;
	w->best = malloc(sizeof(double) * (columns > 0 ? columns : 1));
	if (w->best == NULL) {
		free(w);
		return NULL;
	}
	w->columns = columns;
	w->bound = NAN;
	pthread_mutex_init(&w->lock, NULL);
	return w;
}

static void capplan_watch_free(capplan_watch *w) {
	pthread_mutex_destroy(&w->lock);
	free(w->best);
	free(w);
}

static void capplan_watch_stop(capplan_watch *w) {
	pthread_mutex_lock(&w->lock);
	w->stop = 1;
	pthread_mutex_unlock(&w->lock);
}

static int capplan_watch_read(capplan_watch *w, double *x, double *bound) {
	pthread_mutex_lock(&w->lock);
	int has = w->has;
	if (has) memcpy(x, w->best, sizeof(double) * w->columns);
	*bound = w->bound;
	pthread_mutex_unlock(&w->lock);
	return has;
}

static void capplan_callback(int type, const char *message, const HighsCallbackDataOut *out, HighsCallbackDataIn *in, void *data) {
	capplan_watch *w = data;
	pthread_mutex_lock(&w->lock);
	// The C interface gives no length with the vector: it is that of the model.
	if (type == kHighsCallbackMipImprovingSolution && out->mip_solution != NULL && Highs_getNumCol(w->highs) == w->columns) {
		memcpy(w->best, out->mip_solution, sizeof(double) * w->columns);
		w->has = 1;
	}
	if (type == kHighsCallbackMipInterrupt) w->bound = out->mip_dual_bound;
	if (in != NULL) in->user_interrupt = w->stop;
	pthread_mutex_unlock(&w->lock);
}

static int capplan_watch_start(void *highs, capplan_watch *w) {
	w->highs = highs;
	return Highs_setCallback(highs, capplan_callback, w) == kHighsStatusError ||
		Highs_startCallback(highs, kHighsCallbackSimplexInterrupt) == kHighsStatusError ||
		Highs_startCallback(highs, kHighsCallbackIpmInterrupt) == kHighsStatusError ||
		Highs_startCallback(highs, kHighsCallbackMipInterrupt) == kHighsStatusError ||
		Highs_startCallback(highs, kHighsCallbackMipImprovingSolution) == kHighsStatusError;
}
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"
)

// Linked says whether HiGHS is part of this program.
const Linked = true

// Version returns that of HiGHS, "" without it.
func Version() string {
	return fmt.Sprintf("%d.%d.%d", C.Highs_versionMajor(), C.Highs_versionMinor(), C.Highs_versionPatch())
}

// Constants of highs_c_api.h, where they are C variables.
const (
	statusError      = -1
	matrixRowwise    = 2
	senseMinimize    = 1
	senseMaximize    = -1
	solutionNone     = 0
	solutionFeasible = 2
)

// instance is one run's HiGHS. All but stop and incumbent are called from the
// run's own thread.
type instance struct {
	highs         unsafe.Pointer
	watch         *C.capplan_watch
	columns, rows int
}

func newInstance(columns, rows int) (*instance, error) {
	h := &instance{highs: C.Highs_create(), watch: C.capplan_watch_new(C.int(columns)), columns: columns, rows: rows}
	if h.highs == nil || h.watch == nil {
		h.free()
		return nil, &CallError{"Highs_create"}
	}
	if C.capplan_watch_start(h.highs, h.watch) != 0 {
		h.free()
		return nil, &CallError{"Highs_setCallback"}
	}
	return h, nil
}

// free gives everything back, the scheduler of this thread included.
func (h *instance) free() {
	if h.highs != nil {
		C.Highs_destroy(h.highs)
	}
	C.Highs_resetGlobalScheduler(1)
	if h.watch != nil {
		C.capplan_watch_free(h.watch)
	}
}

func (h *instance) option(name string, value any) error {
	key := C.CString(name)
	defer C.free(unsafe.Pointer(key))
	status := C.HighsInt(statusError)
	switch v := value.(type) {
	case bool:
		on := C.HighsInt(0)
		if v {
			on = 1
		}
		status = C.Highs_setBoolOptionValue(h.highs, key, on)
	case int:
		status = C.Highs_setIntOptionValue(h.highs, key, C.HighsInt(v))
	case float64:
		status = C.Highs_setDoubleOptionValue(h.highs, key, C.double(v))
	}
	if status == statusError {
		return &CallError{fmt.Sprintf("option %s = %v", name, value)}
	}
	return nil
}

// pass hands over a model; nothing of it is kept.
func (h *instance) pass(p *arrays) error {
	sense := C.HighsInt(senseMinimize)
	if p.maximize {
		sense = senseMaximize
	}
	status := C.Highs_passMip(h.highs, C.HighsInt(h.columns), C.HighsInt(h.rows), C.HighsInt(len(p.value)),
		matrixRowwise, sense, C.double(p.offset), doubles(p.cost), doubles(p.columnLower), doubles(p.columnUpper),
		doubles(p.rowLower), doubles(p.rowUpper), ints(p.start), ints(p.index), doubles(p.value), ints(p.integer))
	if status == statusError {
		return &CallError{"Highs_passMip"}
	}
	return nil
}

func (h *instance) setSolution(x []float64) error {
	if C.Highs_setSolution(h.highs, doubles(x), nil, nil, nil) == statusError {
		return &CallError{"Highs_setSolution"}
	}
	return nil
}

// run returns HiGHS's model status.
func (h *instance) run() int {
	C.Highs_run(h.highs)
	return int(C.Highs_getModelStatus(h.highs))
}

// solution returns the vectors, nil for one that is not there, and whether each
// of them is feasible. HiGHS copies as many values as it has, whatever the room:
// it is asked only when its model has the size of ours and it has a vector.
func (h *instance) solution() (x, dual []float64, primalFeasible, dualFeasible bool) {
	if int(C.Highs_getNumCol(h.highs)) != h.columns || int(C.Highs_getNumRow(h.highs)) != h.rows {
		return nil, nil, false, false
	}
	primalStatus, dualStatus := h.integer("primal_solution_status"), h.integer("dual_solution_status")
	other := make([]float64, max(h.columns, h.rows))
	if primalStatus > solutionNone {
		x = make([]float64, h.columns)
		C.Highs_getSolution(h.highs, doubles(x), nil, doubles(other[:h.rows]), nil)
	}
	if dualStatus > solutionNone {
		dual = make([]float64, h.rows)
		C.Highs_getSolution(h.highs, nil, doubles(other[:h.columns]), nil, doubles(dual))
	}
	return x, dual, primalStatus == solutionFeasible, dualStatus == solutionFeasible
}

func (h *instance) integer(name string) int {
	key := C.CString(name)
	defer C.free(unsafe.Pointer(key))
	var v C.HighsInt
	if C.Highs_getIntInfoValue(h.highs, key, &v) == statusError {
		return -1
	}
	return int(v)
}

// bound returns that of branch and bound, NaN when there is none.
func (h *instance) bound() float64 {
	key := C.CString("mip_dual_bound")
	defer C.free(unsafe.Pointer(key))
	var v C.double
	if C.Highs_getDoubleInfoValue(h.highs, key, &v) == statusError || math.IsInf(float64(v), 0) {
		return math.NaN()
	}
	return float64(v)
}

// stop asks the run to end, from any thread.
func (h *instance) stop() { C.capplan_watch_stop(h.watch) }

// incumbent returns the best vector so far of a run that goes on, nil for
// none, and the bound.
func (h *instance) incumbent() (x []float64, bound float64) {
	x = make([]float64, h.columns)
	var b C.double
	if C.capplan_watch_read(h.watch, doubles(x), &b) == 0 {
		x = nil
	}
	if bound = float64(b); math.IsInf(bound, 0) {
		bound = math.NaN()
	}
	return x, bound
}

func doubles(v []float64) *C.double {
	if len(v) == 0 {
		return nil
	}
	return (*C.double)(unsafe.Pointer(&v[0]))
}

func ints(v []int32) *C.HighsInt {
	if len(v) == 0 {
		return nil
	}
	return (*C.HighsInt)(unsafe.Pointer(&v[0]))
}

// HighsInt must have 32 bits; a library built with 64 does not compile here.
var _ = [1]int{}[unsafe.Sizeof(C.HighsInt(0))-4]
