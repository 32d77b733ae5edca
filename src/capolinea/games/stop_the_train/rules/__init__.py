"""The rules of Stop the Train!, one file an idea. Everything in here compiles."""

from capolinea.games.stop_the_train.rules.steps import Do as Do
