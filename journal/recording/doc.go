// Package recording keeps a session in a file: a Recorder writes it while the
// session runs, and a File reads it and is a history.History, so that what
// shows a running session's past also shows a recording.
//
// A file is a stream of frames: events in compressed blocks, the objects that
// they refer to, and at intervals the folded state (keyframes) and its hash
// (checkpoints). docs/recording.md describes every byte. There is no index: the
// headers of the frames are enough to find anything, and so a file whose end is
// missing is as good as one that was closed, up to where it ends.
//
// Objects come back as *Object, which loads what it stands for when somebody
// looks at it: folding events decodes none. Package object shows them.
//
// The package imports the rooms of journal (object, findings, state, document,
// history), and of Kubernetes what decodes an object.
package recording
