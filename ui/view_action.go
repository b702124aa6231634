package ui

// Action is what a key does. One table, the keymap, serves the dispatch, the
// footer, the help screen and the README.
type Action uint8

const (
	actNone Action = iota
	actUp
	actDown
	actLeft
	actRight
	actPageUp
	actPageDown
	actHalfUp
	actHalfDown
	actHome
	actEnd
	actNextPane
	actPrevPane
	actPane1
	actPane2
	actPane3
	actPane4
	actPane5
	actPane6
	actMaximise
	actOpen
	actBack
	actFilter
	actCopy
	actCopyText
	actExport
	actPrevResource
	actNextResource
	actResources
	actPause
	actStep
	actSlower
	actFaster
	actFreeze
	actIndex
	actAll
	actStage
	actOrder
	actCompare
	actStores
	actProblems
	actBreaks
	actAddBreak
	actToggleBreak
	actRemoveBreak
	actRunToBreak
	actLesson
	actLessonUp
	actLessonDown
	actSave
	actRecord
	actCommand
	actFaults
	actClearFaults
	actAddHandler
	actRemoveHandler
	actEventBack
	actEventOn
	actSecondBack
	actSecondOn
	actJump
	actGoThere
	actPrevHit
	actNextHit
	actMark
	actToMark
	actMarks
	actPick
	actNow
	actFollow
	actVersions
	actManaged
	actDiff
	actDiffer
	actNextVersion
	actPrevVersion
	actHelp
	actSuspend
	actQuit
	actInterrupt
)

// Scope says where a key acts: in all views of a kind, or in one.
type Scope uint32

const (
	everywhere  Scope = 1 << iota // each view has it
	running                       // views beside which the engine runs on
	inTime                        // where the view moves in time
	inPanes                       // the six panes
	inViewer                      // an opened object or event
	inListing                     // an opened list of objects
	inCompare                     // lanes side by side
	inStores                      // client-go's storage types side by side
	inResources                   // the list of resources
	inFaults                      // the menu of faults
	inHelp                        // the help screen
	inMarks                       // the list of marks
	inLife                        // the life of a key
	inVersions                    // versions of an object, of which any two are compared
	inWrong                       // what is wrong
	inBreaks                      // the list of breakpoints
	opened      = inViewer | inVersions
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
