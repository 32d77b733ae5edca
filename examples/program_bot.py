"""A bot that is a program of its own: a line of JSON comes in, a line of JSON goes out.

    capolinea serve --bots "dice=python3 examples/program_bot.py"

Then "dice" can be put into any seat of any title. It is started for one seat of one match, and ends
with its input. src/capolinea/bots/program.py says what a question has; nothing here needs Capolinea,
so the same can be written in any language.
"""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    # The same seed for the same moment of the same match: what was chosen can be chosen again.
    chance = random.Random(question["seed"])
    choice = chance.randrange(len(question["legal"]))
    print(json.dumps({"choose": choice}), flush=True)
