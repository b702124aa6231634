package journal

// OlderRV reports whether resourceVersion a is older than b. Versions of one
// resource are numbers that grow; anything else is not compared.
func OlderRV(a, b string) bool {
	if !number(a) || !number(b) {
		return false
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// number reports whether s is a decimal number as servers write it.
func number(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && (s[0] != '0' || s == "0")
}
