// Bench duel on boardgame.io. PORT; STORE=memory|postgres; PGURL for the latter.
const { Server } = require('boardgame.io/server');

const DECK = 30, HAND = 5;
const allCards = (seat) => Array.from({ length: DECK }, (_, n) => (
  { id: seat * 100 + n, cost: 1 + (n % 9), power: 1 + ((n * 7) % 12) }));
const dealt = (cards) => ({ hand: cards.slice(0, HAND), deck: cards.slice(HAND), board: [] });

const duel = {
  name: 'bench-duel',
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => ({ moveNo: 0, players: [0, 1].map((seat) => dealt(random.Shuffle(allCards(seat)))) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID, random }, place) => {
      const me = G.players[playerID];
      const [card] = me.hand.splice(place, 1);
      me.board.push(card);
      if (me.deck.length) me.hand.push(me.deck.shift());
      if (!me.deck.length && !me.hand.length) G.players[playerID] = dealt(random.Shuffle(allCards(+playerID)));
      G.moveNo += 1;
    },
  },
  // One's own hand is seen; the other hand and both decks are only counted.
  playerView: ({ G, playerID }) => ({
    moveNo: G.moveNo,
    players: G.players.map((p, seat) => ({
      hand: String(seat) === playerID ? p.hand : p.hand.length,
      deck: p.deck.length,
      board: p.board,
    })),
  }),
};

const more = {};
if (process.env.STORE === 'postgres') {
  const { PostgresStore } = require('bgio-postgres');
  more.db = new PostgresStore(process.env.PGURL, { logging: false });
}
Server({ games: [duel], origins: [/localhost/], ...more }).run(+process.env.PORT, () => console.log('ready'));
