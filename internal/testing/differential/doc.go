// Package differential holds the proof that the engine behaves as client-go
// does: its test runs client-go's own SharedIndexInformer and the engine
// against the same scripted API server, over random scripts and under each
// setting of client-go's feature gates, and compares all that a user of an
// informer can see. There is nothing here but tests.
//
// More scripts than the default:
//
//	go test ./internal/testing/differential -scripts 2000
package differential
