package schematest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/invopop/jsonschema"
)

// What a schema says of a field is the comment of the field in Go, so that it
// is written once. Comments are those of all structs of the module, by package,
// type and field. A comment of an exported struct is therefore read by people who know no Go.
type Comments map[string]string

// docLink is a link of a Go comment, whose brackets say nothing to readers of a schema.
var docLink = regexp.MustCompile(`\[([A-Za-z.]+)\]`)

// goName is how the comment of a type begins, which names it as Go does.
var goName = regexp.MustCompile(`^(An? )?[A-Z][A-Za-z]+ (is |are )?`)

// ReadComments reads the comments of the module's packages, of which root is the
// folder.
func ReadComments(root string) (Comments, error) {
	all := Comments{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			// Structs that are read or answered stand outside of cmd.
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "cmd") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		folder, _ := filepath.Rel(root, filepath.Dir(path))
		all.add("github.com/capplan/capplan/"+filepath.ToSlash(folder), file)
		return nil
	})
	return all, err
}

// OfFile is the function [OfFile] with what the comments say of its fields. v is a value of the struct.
func (c Comments) OfFile(v any) *jsonschema.Schema {
	r := &jsonschema.Reflector{DoNotReference: true, Anonymous: true, LookupComment: c.of}
	r.Mapper = func(t reflect.Type) *jsonschema.Schema {
		s := Quantity(t)
		if s != nil {
			s.Description = "" // said with the comment
		}
		return s
	}
	return r.Reflect(v)
}

// add takes the comments of a file's types. pkg is the path of the package.
func (c Comments) add(pkg string, file *ast.File) {
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			// A type that is declared alone has its comment before the word type.
			doc := s.Doc
			if doc == nil {
				doc = g.Doc
			}
			c.put(pkg+"."+s.Name.Name, doc, nil)
			fields, ok := s.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range fields.Fields.List {
				for _, name := range f.Names {
					c.put(pkg+"."+s.Name.Name+"."+name.Name, f.Doc, f.Comment)
				}
			}
		}
	}
}

// put keeps the comments of a field or type under a key. Words about nil and empty values are put
// for readers of a file, where such a field is left out.
func (c Comments) put(key string, doc, line *ast.CommentGroup) {
	var parts []string
	for _, g := range []*ast.CommentGroup{doc, line} {
		if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
			parts = append(parts, text)
		}
	}
	text := docLink.ReplaceAllString(strings.Join(parts, " "), "$1")
	if text = strings.ReplaceAll(text, "nil:", "left out:"); text != "" {
		c[key] = strings.ReplaceAll(text, "empty:", "left out:")
	}
}

// of is the comment of a type, or of a field with the form of its value; a field
// without a comment has that of its type. field is empty for the type itself.
func (c Comments) of(t reflect.Type, field string) string {
	key := t.PkgPath() + "." + t.Name()
	if field == "" {
		return goName.ReplaceAllString(c[key], "")
	}
	f, ok := t.FieldByName(field)
	if !ok {
		return ""
	}
	text := inFile(c[key+"."+field], f)
	inner := f.Type
	// What a list or a pointer is of has the form that is described.
	for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
		inner = inner.Elem()
	}
	if want := quantityWant(inner); want != "" && text != "" {
		return strings.TrimSuffix(text, ".") + "; " + want
	} else if want != "" {
		return ""
	}
	if text == "" {
		text = goName.ReplaceAllString(c[inner.PkgPath()+"."+inner.Name()], "")
	}
	return text
}

// inFile is the comment of a field, which begins with its name in Go, for readers of a file: without
// "Name is", or by the field's name there.
func inFile(text string, f reflect.StructField) string {
	rest, ok := strings.CutPrefix(text, f.Name+" ")
	if !ok || strings.HasPrefix(rest, "of ") { // the SCV of the service times
		return text
	}
	for _, verb := range []string{"is ", "are "} {
		if what, ok := strings.CutPrefix(rest, verb); ok {
			return what
		}
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name + " " + rest
}

// quantityWant is the form of a type of package units, else empty.
func quantityWant(t reflect.Type) string {
	if q, ok := reflect.New(t).Interface().(interface{ Want() string }); ok &&
		strings.HasSuffix(t.PkgPath(), "/units") {
		return q.Want()
	}
	return ""
}
