package kinds

import (
	"hash/fnv"
	"strconv"
)

// Address makes an IPv4 address under the two bytes of prefix from key.
func Address(prefix, key string) string {
	n := hash32(key)
	return prefix + "." + strconv.Itoa(int(n>>8&0xff)) + "." + strconv.Itoa(int(n&0xff)%254+1)
}

func hash32(key string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()
}
