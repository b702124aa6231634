// Command informerscope shows what is inside client-go's informers, live.
package main

func main() {}
