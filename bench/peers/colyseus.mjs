// Colyseus: node colyseus.mjs PORT PILE
import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import tricks from "./tricks.cjs";

const [port, pile] = process.argv.slice(2).map(Number);

class Table extends Room {
  maxClients = tricks.SEATS;

  onCreate() {
    this.game = tricks.deal(pile);
    this.setPatchRate(null); // views are sent when something has happened, and at no other time
    this.onMessage("play", (client, place) => {
      if (tricks.play(this.game, this.clients.indexOf(client), place)) this.tell();
    });
  }

  // Each their own: a state that all share could have no secrets.
  tell() {
    this.clients.forEach((client, seat) => client.send("view", tricks.view(this.game, seat)));
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define("table", Table);
server.listen(port);
