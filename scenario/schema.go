package scenario

// The schemas of the fields that are not structs, for docs/scenario.schema.json.
var (
	textSchema     = map[string]any{"type": []string{"string", "number"}}
	boolSchema     = map[string]any{"type": "boolean"}
	wholeSchema    = map[string]any{"type": "integer", "minimum": 0}
	durationSchema = map[string]any{"type": "string", "pattern": `^(0|([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+)$`, "examples": []string{"200ms", "5s"}}
	shareSchema    = map[string]any{"type": []string{"number", "string"}, "minimum": 0, "maximum": 1, "pattern": "^[0-9.]+%?$"}
	rateSchema     = map[string]any{"type": []string{"number", "string"}, "minimum": 0}
	wordsSchema    = listSchema(map[string]any{"type": "string"})
	linesSchema    = listSchema(map[string]any{"$ref": "#/$defs/Line"})
	callsSchema    = map[string]any{"anyOf": []any{
		callListSchema,
		map[string]any{"type": "object", "additionalProperties": callListSchema},
	}}
	callListSchema = map[string]any{"anyOf": []any{
		listSchema(callSchema),
		map[string]any{"type": "object", "additionalProperties": false, "required": []string{opAnyOrder}, "properties": map[string]any{opAnyOrder: listSchema(callSchema)}},
	}}
	callSchema = map[string]any{"$ref": "#/$defs/Call"}
)

func enumSchema(words []string) map[string]any { return map[string]any{"enum": words} }

// listSchema is a list of items, or one without a list.
func listSchema(item map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{item, map[string]any{"type": "array", "items": item}}}
}

func objectSchema(fields []field) map[string]any {
	properties := map[string]any{}
	for _, f := range fields {
		p := map[string]any{"description": f.doc}
		for k, v := range f.schema {
			p[k] = v
		}
		properties[f.name] = p
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}
