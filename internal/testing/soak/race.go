//go:build race

package soak

const race = true
