"""The whole house in one thread: production processes on a clock, a network and a store that are made up.

Nothing of `rooms` or `server` is played by somebody else. What is made up lies below them and above: the event loop,
the bytes between processes, the store (the Python model of the scripts, behind the store's own wire format), and the
players. One number decides everything that happens, so whatever fails can be seen again.
"""
