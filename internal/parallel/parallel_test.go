package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/capplan/capplan/internal/parallel"
)

func TestEachRunsEveryIndexOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 1000} {
			calls := make([]atomic.Int32, n)
			err := parallel.Each(context.Background(), workers, n, func(i int) error {
				calls[i].Add(1)
				return nil
			})
			if err != nil {
				t.Fatalf("workers %d, n %d: %v", workers, n, err)
			}
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Errorf("workers %d: index %d of %d ran %d times", workers, i, n, got)
				}
			}
		}
	}
}

// Several indices fail; which error is returned must not depend on pace.
func TestEachReturnsTheLeastError(t *testing.T) {
	for range 200 {
		err := parallel.Each(context.Background(), 4, 100, func(i int) error {
			if i >= 17 {
				return fmt.Errorf("index %d", i)
			}
			runtime.Gosched()
			return nil
		})
		if err == nil || err.Error() != "index 17" {
			t.Fatalf("got %v, want index 17", err)
		}
	}
}

func TestEachBeginsNothingAfterAFailure(t *testing.T) {
	var calls atomic.Int32
	err := parallel.Each(context.Background(), 1, 100, func(i int) error {
		calls.Add(1)
		return errors.New("no")
	})
	if err == nil || calls.Load() != 1 {
		t.Errorf("error %v after %d calls, want one call", err, calls.Load())
	}
}

func TestEachWithAContextThatEnds(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	err := parallel.Each(ctx, 2, 1000, func(i int) error {
		if i == 10 {
			stop()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cut short: got %v, want context.Canceled", err)
	}
	if err := parallel.Each(ctx, 2, 0, func(int) error { return nil }); err != nil {
		t.Errorf("nothing was left to do: got %v, want nil", err)
	}
}

func TestEachHandsOnAPanic(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var calls atomic.Int32
		p := parallel.Catch(func() {
			_ = parallel.Each(context.Background(), workers, 1_000_000, func(i int) error {
				calls.Add(1)
				var none []int
				return fmt.Errorf("unreachable: %d", none[i])
			})
		})
		if p == nil {
			t.Fatalf("workers %d: no panic came back", workers)
		}
		var bounds runtime.Error
		if !errors.As(p, &bounds) {
			t.Errorf("workers %d: the value is a %T, want the runtime.Error itself", workers, p.Value)
		}
		if !strings.Contains(string(p.Stack), "TestEachHandsOnAPanic") {
			t.Errorf("workers %d: the stack does not show where the panic began:\n%s", workers, p.Stack)
		}
		if calls.Load() > int32(workers) {
			t.Errorf("workers %d: %d calls after the first panic", workers, calls.Load())
		}
	}
}

func TestTask(t *testing.T) {
	if got := parallel.Start(func() int { return 7 }).Value(); got != 7 {
		t.Errorf("value %d, want 7", got)
	}
	task := parallel.Start(func() int { panic("broken") })
	<-task.Done()
	p := parallel.Catch(func() { task.Value() })
	if p == nil || p.Value != "broken" {
		t.Errorf("got %v, want the panic of the work", p)
	}
	// A panic that is handed on twice stays one panic.
	outer := parallel.Start(func() int { return parallel.Start(func() int { panic("inner") }).Value() })
	if p := parallel.Catch(func() { outer.Value() }); p == nil || p.Value != "inner" {
		t.Errorf("got %v, want the inner panic itself", p)
	}
}

// Every goroutine of the module is started here: one that is started elsewhere
// would end the program with a Go trace where it panics.
func TestNoOtherPackageStartsGoroutines(t *testing.T) {
	root := filepath.Join("..", "..")
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "parallel" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: starts a goroutine, want package parallel", files.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && (x.Name == "sync" && n.Sel.Name == "WaitGroup" || x.Name == "errgroup") {
					t.Errorf("%s: starts goroutines with %s.%s, want package parallel", files.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
