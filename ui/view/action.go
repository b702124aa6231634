package view

// Action is what a key does. One table, the keymap, serves the dispatch, the
// footer, the help screen and the README.
type Action uint8

const (
	actNone Action = iota
	ActUp
	ActDown
	ActLeft
	ActRight
	ActPageUp
	ActPageDown
	ActHalfUp
	ActHalfDown
	ActHome
	ActEnd
	ActNextPane
	ActPrevPane
	ActPane1
	ActPane2
	ActPane3
	ActPane4
	ActPane5
	ActPane6
	ActMaximise
	ActOpen
	ActBack
	ActFilter
	ActCopy
	ActCopyText
	ActExport
	ActPrevResource
	ActNextResource
	ActResources
	ActPause
	ActStep
	ActSlower
	ActFaster
	ActFreeze
	ActIndex
	ActAll
	ActStage
	ActOrder
	ActCompare
	ActStores
	ActProblems
	ActBreaks
	ActAddBreak
	ActToggleBreak
	ActRemoveBreak
	ActRunToBreak
	ActLesson
	ActLessonUp
	ActLessonDown
	ActSave
	ActRecord
	ActCommand
	ActFaults
	ActClearFaults
	ActAddHandler
	ActRemoveHandler
	ActEventBack
	ActEventOn
	ActSecondBack
	ActSecondOn
	ActJump
	ActGoThere
	ActPrevHit
	ActNextHit
	ActMark
	ActToMark
	ActMarks
	ActPick
	ActNow
	ActFollow
	ActVersions
	ActManaged
	ActDiff
	ActDiffer
	ActNextVersion
	ActPrevVersion
	ActHelp
	ActSuspend
	ActQuit
	ActInterrupt
)

// Scope says where a key acts: in all views of a kind, or in one.
type Scope uint32

const (
	Everywhere  Scope = 1 << iota // each view has it
	Running                       // views beside which the engine runs on
	InTime                        // where the view moves in time
	InPanes                       // the six panes
	InViewer                      // an opened object or event
	InListing                     // an opened list of objects
	InCompare                     // lanes side by side
	InStores                      // client-go's storage types side by side
	InResources                   // the list of resources
	InFaults                      // the menu of faults
	InHelp                        // the help screen
	InMarks                       // the list of marks
	InLife                        // the life of a key
	InVersions                    // versions of an object, of which any two are compared
	InWrong                       // what is wrong
	InBreaks                      // the list of breakpoints
	Opened      = InViewer | InVersions
)

// Binding is one row of the keymap.
type Binding struct {
	Act   Action
	Scope Scope
	Keys  []string // as Bubble Tea names them
	Label string   // as people read them; empty: the row belongs to the one above
	Help  string
	Group string
	Hint  string // for the footer; empty: not shown there
	Pane  int    // hint only when this pane has the focus; 0: any
}

// HintKey is the key as the footer shows it.
func (b *Binding) HintKey() string { return b.Keys[0] }
