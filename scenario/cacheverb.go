package scenario

import (
	"informerscope/engine"
)

// checkCache compares the cache with the server.
func checkCache(c *call) (string, error) {
	wait := engine.CheckWait
	if text := c.arg(0); text != "" {
		d, err := duration(text)
		if err != nil {
			return "", err
		}
		wait = d
	}
	res, err := c.s.Session.CheckCache(c.ctx, c.resource, wait)
	if err != nil {
		return "", err
	}
	return res.String(), nil
}
