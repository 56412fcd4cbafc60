package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/capplan/capplan/internal/document"
)

// maxBody bounds the body of a request.
const maxBody = 1 << 20

// maxValues bounds the values of a body: aliases of YAML make a short text long.
const maxValues = 200_000

// A body is what a question is read from. A scenario is read from the content by its own reader;
// all else from the document.
type body struct {
	content  []byte
	document *document.Document
}

// readBody reads the body of a request of a type that is read. Errors: *problem with status 413,
// 415 or 400.
func readBody(w http.ResponseWriter, r *http.Request, yaml bool) ([]byte, error) {
	if err := checkContentType(r, yaml); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &problem{
			status: http.StatusRequestEntityTooLarge,
			Reason: fmt.Sprintf("the question holds more than %d KiB", maxBody>>10),
		}
	case err != nil:
		return nil, &problem{status: http.StatusBadRequest, Reason: "the question was not received completely"}
	}
	return content, nil
}

// parseBody reads a body as JSON, or where yaml says so as either. Errors: *problem;
// *source.FileError with line and column.
func parseBody(ctx context.Context, content []byte, yaml bool) (*body, error) {
	// YAML would take any text for a string, and tell a client of JSON nothing useful.
	if !yaml && !bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) && len(bytes.TrimSpace(content)) > 0 {
		return nil, &problem{
			status: http.StatusBadRequest,
			Reason: "the question is not a JSON object",
			Want:   `one such as {"load": 120, "max_blocking": "1%"}`,
		}
	}
	d, err := document.Read(ctx, "question",
		`an object such as {"load": 120, "max_blocking": "1%"}`, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if left := maxValues - d.Root.Size(maxValues); left <= 0 {
		return nil, &problem{
			status: http.StatusRequestEntityTooLarge,
			Reason: fmt.Sprintf("the question holds more than %d values", maxValues),
		}
	}
	return &body{content: content, document: d}, nil
}

// checkContentType refuses a body of a type that a page of another site could send
// without being asked whether it may. A form or a plain text may be posted across sites without a
// question to the server; JSON may not.
func checkContentType(r *http.Request, yaml bool) error {
	want := "application/json"
	if yaml {
		want += " or application/yaml"
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && (kind == "application/json" || yaml && kind == "application/yaml") {
		return nil
	}
	return &problem{
		status: http.StatusUnsupportedMediaType,
		Reason: "the type of the body is not supported",
		Want:   "the header Content-Type: " + strings.TrimSpace(want),
	}
}
