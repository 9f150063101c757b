"""Tests of what remains of matches."""
