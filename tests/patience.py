"""How long a test may wait."""

#: Seconds after which something hangs, on however busy a machine.
TIME = 300
