// Bench duel on Colyseus with its ws transport. PORT. Every move is sent at once (broadcastPatch), not every 50 ms.
import { Room, Server } from '@colyseus/core';
import { schema, StateView, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';

const DECK = 30, HAND = 5;
const Card = schema({ id: t.uint16(), cost: t.uint8(), power: t.uint8() }, 'Card');
const Player = schema({
  hand: t.array(Card).view(), // only for the views that this player was added to
  handCount: t.uint8(),
  deckCount: t.uint8(),
  board: t.array(Card),
}, 'Player');
const State = schema({ moveNo: t.uint32(), turn: t.uint8(), players: t.array(Player) }, 'State');

const asCard = ({ id, cost, power }) => Object.assign(new Card(), { id, cost, power });

function shuffled(seat) {
  const cards = Array.from({ length: DECK }, (_, n) => (
    { id: seat * 100 + n, cost: 1 + (n % 9), power: 1 + ((n * 7) % 12) }));
  for (let last = cards.length - 1; last > 0; last--) {
    const pick = (Math.random() * (last + 1)) | 0;
    [cards[last], cards[pick]] = [cards[pick], cards[last]];
  }
  return cards;
}

class Duel extends Room {
  maxClients = 2;
  decks = []; // hidden, so they are no part of the state that is synchronised
  state = new State();
  messages = { play: (client, place) => this.play(client, place) };

  onCreate() {
    this.patchRate = null;
    this.state.moveNo = 0;
    this.state.turn = 0;
  }

  onJoin(client) {
    const seat = this.state.players.length;
    const me = new Player();
    this.state.players.push(me);
    client.userData = seat;
    client.view = new StateView();
    client.view.add(me);
    this.deal(seat, client);
    this.broadcastPatch();
  }

  give(client, me, card) { // a card that joins a view() array later must be added to the view itself
    const shown = asCard(card);
    me.hand.push(shown);
    client.view.add(shown);
  }

  deal(seat, client) {
    const me = this.state.players[seat], deck = shuffled(seat);
    me.hand.clear();
    me.board.clear();
    for (const card of deck.splice(0, HAND)) this.give(client, me, card);
    this.decks[seat] = deck;
    me.handCount = HAND;
    me.deckCount = deck.length;
  }

  play(client, place) {
    const seat = client.userData, state = this.state;
    if (state.turn !== seat) return;
    const me = state.players[seat], deck = this.decks[seat];
    const [card] = me.hand.splice(place, 1);
    me.board.push(asCard(card));
    if (deck.length) this.give(client, me, deck.shift());
    if (!deck.length && !me.hand.length) {
      this.deal(seat, client);
    } else {
      me.handCount = me.hand.length;
      me.deckCount = deck.length;
    }
    state.moveNo += 1;
    state.turn = 1 - seat;
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('duel', Duel);
await server.listen(+process.env.PORT);
console.log('ready');
