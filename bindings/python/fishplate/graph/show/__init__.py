"""Graphs as text and as pictures, and where their time goes."""
