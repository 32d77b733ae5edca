"""The rules of Tachite al Tram, one file an idea. Everything in here compiles."""

from capolinea.games.tachite_al_tram.rules.steps import Do as Do
