"""The pure core: a table, the one pen that writes on it, and who may see what.

Nothing in here reads a clock, draws from global randomness, waits or talks to anybody. A seed and a list of
moves give the same match on every machine.
"""
