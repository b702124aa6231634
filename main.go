// Command informerscope shows what is inside client-go's informers, live.
package main

import (
	"os"

	"informerscope/cli"
)

func main() { os.Exit(cli.Main(os.Args)) }
