"""What a game is: Game, State, actions, events, views, records, randomness. Knows no title."""

from capolinea.engine.actions import Actions, Family
from capolinea.engine.chance import Chance, Deal
from capolinea.engine.events import Event, Told
from capolinea.engine.game import Game
from capolinea.engine.match import Frame, Match, Viewer
from capolinea.engine.options import Beside, Data, Options
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.record import Record, RecordProblem
from capolinea.engine.result import Outcome, Reason, Result
from capolinea.engine.rng import Rng
from capolinea.engine.state import State
from capolinea.engine.views import Line, Preview, Shown, View

__all__ = [
    "Actions",
    "Beside",
    "Chance",
    "Data",
    "Deal",
    "Event",
    "Family",
    "Frame",
    "Game",
    "Line",
    "Match",
    "Options",
    "Outcome",
    "Preview",
    "Problem",
    "Reason",
    "Record",
    "RecordProblem",
    "Refused",
    "Result",
    "Rng",
    "Shown",
    "State",
    "Told",
    "View",
    "Viewer",
]
