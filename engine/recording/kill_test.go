package recording

const childEnv = "INFORMERSCOPE_RECORDING_CHILD"

func child(path string) {}
