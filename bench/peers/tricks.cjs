// A game of tricks for five, with secret hands and a secret deck: what both peers play. The pile of
// cards that lie face up makes a view as large as one likes.
const SEATS = 5;
const HAND = 4;
const CARDS = 60;

function deal(pile) {
  const deck = shuffled();
  return {
    turn: 0,
    hands: Array.from({ length: SEATS }, () => deck.splice(0, HAND)),
    points: Array(SEATS).fill(0),
    trick: [],
    pile: Array.from({ length: pile }, (_, place) => place % CARDS),
    deck,
  };
}

function shuffled() {
  const cards = Array.from({ length: CARDS }, (_, card) => card);
  for (let last = cards.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

// A card from one's hand into the trick, and another one from the deck; whether that is legal.
function play(game, seat, place) {
  const hand = game.hands[seat];
  if (seat !== game.turn % SEATS || hand[place] === undefined) return false;
  const [card] = hand.splice(place, 1);
  game.trick.push({ seat, card });
  if (game.pile.length > 0) {
    game.pile.push(card);
    game.pile.shift();
  }
  if (game.deck.length === 0) game.deck = shuffled();
  hand.push(game.deck.pop());
  game.turn++;
  if (game.trick.length === SEATS) {
    const best = game.trick.reduce((a, b) => (b.card > a.card ? b : a));
    game.points[best.seat]++;
    game.trick = [];
  }
  return true;
}

// What a seat may see: its own hand, and what lies on the table.
function view(game, seat) {
  return {
    turn: game.turn,
    hand: game.hands[seat],
    points: game.points,
    trick: game.trick,
    pile: game.pile,
    deck: game.deck.length,
  };
}

module.exports = { SEATS, deal, play, view };
