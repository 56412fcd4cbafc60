package serve

import (
	"embed"
	"encoding/json"
	"fmt"
)

// questionSchemas are made from the structs by go generate.
//
//go:generate go test -run ^TestQuestionSchemas$ -update .
//go:embed schema
var questionSchemas embed.FS

// object is one of JSON.
type object = map[string]any

// openAPI describes all questions in OpenAPI 3.1. The schemas of answers are
// those that the command schema prints. version is that of the program. Errors: those of a schema
// that is missing or no JSON, which a test finds.
func openAPI(version string, answerSchema func(name string) ([]byte, error)) ([]byte, error) {
	schemas := object{"problem": problemSchema}
	paths := object{
		"/healthz": object{"get": object{
			"operationId": "healthz", "summary": "whether the server answers", "security": []any{},
			"responses": object{"200": object{"description": "it does"}},
		}},
		"/metrics": object{"get": object{
			"operationId": "metrics", "summary": "the requests of the server, for Prometheus",
			"responses": object{"200": object{"description": "in the text format of Prometheus"}},
		}},
	}
	for _, q := range registry() {
		asked, err := questionSchemas.ReadFile("schema/" + q.name + ".json")
		if err != nil {
			return nil, err
		}
		answered, err := answerSchema(q.answer)
		if err != nil {
			return nil, err
		}
		for name, text := range map[string][]byte{q.name + "-question": asked, q.answer: answered} {
			var s object
			if err := json.Unmarshal(text, &s); err != nil {
				return nil, fmt.Errorf("the schema of %s: %w", name, err)
			}
			// The dialect stands once, in the head of OpenAPI 3.1.
			delete(s, "$schema")
			schemas[name] = s
		}
		paths["/v1/"+q.name] = object{"post": q.operation()}
	}
	return json.Marshal(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "capplan", "version": version,
			"description": "Capacity questions with the mathematics shown. A name with its unit (max_wait_s) takes " +
				"a plain number in that unit; any quantity may also be written with its unit (20s, 5.4/s, 1%, " +
				"80..130).",
		},
		"paths": paths,
		"components": object{
			"schemas": schemas,
			"responses": object{"problem": object{
				"description": "why there is no answer",
				"content":     object{asJSON: object{"schema": object{"$ref": "#/components/schemas/problem"}}},
			}},
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
		},
		// The empty object says that a server may run without a token.
		"security": []any{object{}, object{"token": []any{}}},
	})
}

// operation describes the question. The example is the one that the tests ask.
func (q question) operation() object {
	var example any
	_ = json.Unmarshal([]byte(q.example), &example) // a test holds that it can be read
	asked := object{
		"schema":  object{"$ref": "#/components/schemas/" + q.name + "-question"},
		"example": example,
	}
	content := object{asJSON: asked}
	if q.yaml {
		content["application/yaml"] = asked
	}
	responses := object{"200": object{
		"description": "the answer",
		"content": object{
			asJSON:   object{"schema": object{"$ref": "#/components/schemas/" + q.answer}},
			asHTML:   object{"schema": object{"type": "string"}},
			asEvents: object{"schema": object{"type": "string"}},
		},
	}}
	// All problems have one schema, whatever the status.
	for _, status := range []string{"400", "401", "403", "413", "415", "421", "422", "429", "500", "503"} {
		responses[status] = object{"$ref": "#/components/responses/problem"}
	}
	return object{
		"operationId": q.name,
		"summary":     q.usage,
		"requestBody": object{"required": true, "content": content},
		"responses":   responses,
	}
}

// problemSchema describes the body of an error. It says of the struct problem what clients may rely
// on.
var problemSchema = object{
	"type":     "object",
	"required": []string{"error"},
	"properties": object{"error": object{
		"type":     "object",
		"required": []string{"kind", "reason"},
		"properties": object{
			"kind": object{"type": "string",
				"enum": []string{"input", "infeasible", "busy", "timeout", "refused", "internal"}},
			"field":      object{"type": "string", "description": "field of the question, by its path"},
			"with":       object{"type": "string", "description": "the field that it contradicts"},
			"reason":     object{"type": "string"},
			"want":       object{"type": "string", "description": "the form that is expected"},
			"line":       object{"type": "integer"},
			"column":     object{"type": "integer"},
			"text":       object{"type": "string", "description": "the line"},
			"constraint": object{"type": "string", "description": "what binds"},
			"limit":      object{"type": "number", "description": "the value that was requested"},
			"infimum":    object{"type": "number", "description": "the value that cannot be reached or undercut"},
			"shortfall":  object{"type": "number", "description": "by how much the two differ"},
		},
	}},
}
