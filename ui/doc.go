// Package ui is the interactive screen: a program that holds a stack of views, the
// layout around them, the keymap and the footer.
//
// Everything on the screen is a view (package view), in a package of its own below
// this one, and finds what it shows in the context that it is given. A new view is
// a file there, and a line in actions or in the view that opens it. They draw what
// package state holds and what package object prints, and act through a
// source.Source; they import neither client-go nor the engine. A tick pulls a
// snapshot, and a frame is composed only when something that is on the screen
// changed.
package ui
