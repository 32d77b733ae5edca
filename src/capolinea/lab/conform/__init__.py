"""The conformance kit: what every title must hold, ours or anybody's.

It plays random matches, with sayings, changed votes, undo and moves out of turn, and looks at each as
a record: whether the rules are whole (rules.py), what is written is what is read (forms.py), what is
hidden stays hidden (secrets.py), and bots can play it (run.py). What fails is shrunk to a small record
that anybody can replay.
"""

from capolinea.lab.conform.fault import Fault
from capolinea.lab.conform.run import Report, conform

__all__ = ["Fault", "Report", "conform"]
