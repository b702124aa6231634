// Package openapi writes the OpenAPI documents of a catalog, with what kubectl takes from them: types, descriptions, and how
// lists merge. The schemas of built-in kinds are made from their Go types by reflection, those of custom kinds from their
// definitions.
//
// It may import the API types, gnostic's models for the document in protobuf, and of the sandbox kinds and tree.
package openapi
