package tree

// Nested is how many objects and lists JSON has.
func Nested(data []byte) (n int) {
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			n++
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		}
	}
	return n
}
