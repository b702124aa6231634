package state

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

// Print renders the document as files and -o have it: indented JSON with a
// newline at its end, or YAML.
func (d Document) Print(asYAML bool) ([]byte, error) {
	var b []byte
	var err error
	if asYAML {
		b, err = yaml.Marshal(d)
	} else {
		b, err = json.MarshalIndent(d, "", "  ")
		b = append(b, '\n')
	}
	if err != nil {
		return nil, fmt.Errorf("print the snapshot: %w", err)
	}
	return b, nil
}
