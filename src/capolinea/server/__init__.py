"""Tables over the network: rooms, play, clocks, storage.

app.py        the web application: its routes, and what goes around them
protocol.py   every message of the socket and every body of the REST part, typed
rooms.py      a room: who sits where, options, host rights; pure, stored as one document
table.py      a match at a table: act, store, then tell each viewer their part
clock.py      time: turns, reaction windows, people who left
minds.py      bots, outside the event loop (workers.py has their processes)
work.py       work for people that takes long, in other processes: a fair share, nothing twice
players.py    the bots of a table: asked together, released on a public schedule
store.py      what must survive; sqlite.py keeps it in one file
"""
