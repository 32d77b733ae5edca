// boardgame.io, in memory: node boardgame-io.cjs PORT PILE
const { Server, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");
const { deal, play, view } = require("./tricks.cjs");

const [port, pile] = process.argv.slice(2).map(Number);

const game = {
  name: "tricks",
  setup: () => deal(pile),
  playerView: ({ G, playerID }) => view(G, Number(playerID)),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      move: ({ G, playerID }, place) => {
        if (!play(G, Number(playerID), place)) return INVALID_MOVE;
      },
      client: false,
      undoable: false,
    },
  },
  disableUndo: true,
};

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(port);
