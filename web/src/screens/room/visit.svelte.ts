/* A visit to a room: how one gets in, through which seat one looks, and what one asks for. */

import { untrack } from "svelte";
import type { Command, Configure, RoomSettings, RoomView, Why } from "../../generated/protocol";
import { api, Failed } from "../../lib/api";
import { prefs } from "../../lib/prefs.svelte";
import { router } from "../../lib/router.svelte";
import { Seat } from "../../lib/seat.svelte";
import { overSocket } from "../../lib/socket";

const AGAIN = 3000;
/** Why a seat is not let in any more where something else may be mine: another chair, or a place to watch. */
/** What follows the address of a personal link: the number of its seat, and its key. */
const KEY = /^#seat=(\d+)\.(.+)$/;
/** Who has not said a name is called by a number. */
const NAMELESS = /^№/;

export class Visit {
  /** A connection for each of my seats, so that none of them seems left; without a seat, one to watch. */
  private seats = $state.raw<Seat[]>([]);
  /** Why there is no coming in, or why one had to go. */
  out = $state.raw<Why | null>(null);
  /** The server has not answered yet: it is asked again. */
  unreached = $state.raw<Why | null>(null);
  /** There are more windows than the server has connections for. */
  private crowded = $state.raw<Why | null>(null);
  /** What went wrong, by the place where it was tried. */
  faults = $state<Record<string, Why | null>>({});
  /** The place from which something is being asked for. */
  busy = $state("");

  private before = $state.raw<RoomView | null>(null);
  /** With several people at one screen: who of them looks. */
  private chosen = $state.raw<Seat | null>(null);
  /** Several people look at this screen; or did in this match, and it may be another who still sits there. */
  private shared = $state(false);
  /** Through which eyes somebody said that it is they who look. */
  private lifted = $state("");
  /** Through which eyes the table is looked at after the end, in place of how it ended. */
  private looked = $state("");
  private late = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The change that was asked for last. */
  private changed: Promise<unknown> = Promise.resolve();
  private named = false;
  /** The personal link that is being used. */
  private using = "";
  private closed = false;

  constructor(readonly code: string) {
    void this.enter();
  }

  /** What one looks through. */
  get seat(): Seat | null {
    return this.seats.find((seat) => seat === this.chosen) ?? this.seats[0] ?? null;
  }

  get room(): RoomView | null {
    return this.seat?.room ?? this.before;
  }

  get host(): boolean {
    return this.room !== null && this.room.you === this.room.host;
  }

  /** My own seats, by number. */
  get mine(): number[] {
    return numbers(this.room);
  }

  /** What others call me, unless it is only a number. */
  get name(): string {
    const found = this.room?.people.find((person) => person.number === this.room?.you)?.name ?? "";
    return NAMELESS.test(found) ? "" : found;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const seat of this.seats) seat.close();
  }

  // --- coming in -----------------------------------------------------------------------------

  enter = async (): Promise<void> => {
    clearTimeout(this.timer);
    this.out = null;
    try {
      const brought = await this.useKey();
      this.look(await api.room(this.code));
      if (brought !== null) this.lookAs(brought);
      this.unreached = null;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (!error.passing) return this.goOut(error.why);
      this.unreached = error.why;
      if (!this.closed) this.timer = setTimeout(this.enter, AGAIN);
    }
  };

  /** A personal link that comes to a room which is open here already: only what follows the "#" has changed.
      For an effect. */
  followLink(): void {
    const { hash } = router;
    if (KEY.test(hash) && hash !== this.using) void untrack(this.enter);
    else if (!hash) this.using = "";
  }

  private goOut(why: Why): void {
    this.out = why;
    this.letGo(this.seats);
  }

  private letGo(gone: Seat[]): void {
    for (const seat of gone) seat.close();
    this.seats = this.seats.filter((seat) => !gone.includes(seat));
  }

  /** A seat that was let in before, and is not now: what there is for me instead is asked for, and until
      then nothing of it is shown. For an effect. */
  reenter(): void {
    const lost = this.seats.filter(isElsewhere);
    if (!lost.length) return;
    this.letGo(lost);
    // A chair may have changed hands just as one came for it; but nobody asks for that without end.
    const late = lost.some(({ room }) => room === null);
    if (late && this.late) this.timer = setTimeout(this.enter, AGAIN);
    else void this.enter();
    this.late = late;
  }

  /** No connection was opened: the room may be gone, or too many are open. Who cannot be reached, or is not
      our server, does not know. */
  private knock = async (): Promise<void> => {
    try {
      await api.knock(this.code);
      this.crowded = null;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (error.why.key === "room.unknown") this.goOut(error.why);
      this.crowded = error.why.key === "serve.too-many-sockets" ? error.why : null;
    }
  };

  /** Why what one looks through has no connection, if that is known. It is tried again. */
  get shut(): Why | null {
    return this.seat?.link === "open" ? null : this.crowded;
  }

  /** A personal link brings its key after the "#". It is a secret, so it does not stay there. The seat
      that it is for, if it brought one. */
  private async useKey(): Promise<number | null> {
    this.using = location.hash;
    const found = KEY.exec(this.using);
    if (!found) return null;
    let number: number | null = Number(found[1]);
    try {
      await api.useKey(this.code, number, found[2]!);
    } catch (error) {
      if (!(error instanceof Failed) || error.status !== 409) throw error;
      this.faults.key = error.why;
      number = null;
    }
    router.go(location.pathname, true);
    return number;
  }

  private look(room: RoomView): void {
    if (this.closed) return;
    this.before = room;
    const own = numbers(room);
    this.shared = own.length > 1 || (this.shared && (this.playing || this.atTable));
    const wanted: (number | null)[] = own.length ? own : [null];
    const found = wanted.map(
      (number) =>
        this.seats.find((seat) => seat.seat === number) ??
        new Seat(this.code, number, overSocket(this.code, this.knock)),
    );
    for (const seat of this.seats) if (!found.includes(seat)) seat.close();
    this.seats = found;
  }

  /** Look through the seats that are now mine: after sitting down, moving, standing up. What was mine
      before the connection broke may not be any more. For an effect. */
  follow(): void {
    const { room, seat } = this;
    if (!room || !seat || seat.link !== "open") return;
    // Each is told where its chair stands now on a connection of its own: wait for the last of them.
    if (this.seats.some((one) => one.link === "open" && one.room?.n !== room.n)) return;
    const own = numbers(room);
    const open = this.seats.flatMap((one) => one.seat ?? []);
    if (own.join() !== open.join()) this.look(room);
  }

  /** Whoever is known here by a name brings it along. For an effect. */
  introduce(): void {
    const room = this.room;
    if (this.named || !room || room.you === undefined || room.phase === "playing") return;
    this.named = true;
    if (prefs.name && !this.name) void this.act("name", { do: "rename", name: prefs.name });
  }

  lookAs(number: number): void {
    this.chosen = this.seats.find((seat) => seat.seat === number) ?? null;
  }

  /** Why I, who only watched, see nothing of the match that is on. */
  get unseen(): Why | null {
    const { room } = this;
    const hidden = room?.phase === "playing" && room.settings.watching === false;
    return hidden && !this.mine.length ? { key: "room.no-watching" } : null;
  }

  /** Why the table at which one would be cannot be shown: then one is in the room. */
  get unopened(): Why | null {
    return (this.wanted && this.room?.unopened) || null;
  }

  get atTable(): boolean {
    return this.wanted && !this.unopened;
  }

  /** In a match and at its end one is at the table. But after it one can come back to the room for other
      seats or options: that is "#room". And a match that was broken off has no end to look at. */
  private get wanted(): boolean {
    const { room } = this;
    if (this.unseen) return false;
    if (!room?.match || room.phase === "playing") return room?.phase === "playing";
    const ended = room.past?.find((match) => match.id === room.match)?.ending;
    return Boolean(ended) && router.hash !== "#room";
  }

  /** After the end: whether the table is looked at, with all that is one's own there. */
  get looking(): boolean {
    return this.isNow(this.looked);
  }

  set looking(wanted: boolean) {
    this.looked = wanted ? this.eyes : "";
  }

  /** Several people look at this screen, and nobody has said that it is they who look now. How a match
      ended is for all; the notes and the team's talk are for one, then as before. */
  get covered(): boolean {
    const several = this.shared || this.mine.length > 1;
    const secret = this.playing || (this.atTable && this.looking);
    return several && secret && !this.isNow(this.lifted);
  }

  lift(): void {
    this.chosen = this.seat; // whichever chair is the first from now on
    this.lifted = this.eyes;
  }

  /** Only the seat of who looks keeps what it is told; and whoever looked before is asked again. For an
      effect. */
  cover(): void {
    const { seats, eyes } = this;
    const looking = this.covered ? null : this.seat;
    untrack(() => {
      if (this.lifted !== eyes) this.lifted = "";
      if (this.looked !== eyes) this.looked = "";
      for (const seat of seats)
        if (seat === looking) seat.takeUp();
        else seat.setAside();
    });
  }

  /** Who looks: one seat of one match, under one name. What is dealt anew is for whoever looks then, and
      chairs are moved: their numbers tell nothing. Nobody, as long as we have not been told which it is. */
  private get eyes(): string {
    const { seat, room } = this;
    if (!seat?.match) return "";
    return `${seat.match} ${seat.number} ${room?.seats[seat.seat ?? -1]?.name}`;
  }

  private isNow(eyes: string): boolean {
    return eyes !== "" && eyes === this.eyes;
  }

  /** A match is on. Of a new one the seat or the room may be told first. */
  private get playing(): boolean {
    const heard = this.seat?.match;
    return this.room?.phase === "playing" || (Boolean(heard) && heard !== this.room?.match);
  }

  /** Whether this one of my seats has something to answer. */
  waits(number: number): boolean {
    return this.seats.some((seat) => seat.seat === number && seat.must);
  }

  /** Sit down wherever a chair is free: one that somebody else takes in that moment is none. */
  async sit(place: string, name: string): Promise<boolean> {
    for (;;) {
      const free = this.room?.seats.findIndex((seat) => seat.kind === "empty") ?? -1;
      if (free < 0) return false;
      if (await this.act(place, { do: "sit", seat: free, name })) return true;
      if (this.faults[place]?.key !== "room.taken") return false;
      if (!(await this.reread(place))) return false;
    }
  }

  /** What the room looks like now, for whom the news has not reached yet. */
  private async reread(place: string): Promise<boolean> {
    try {
      this.seat?.showRoom(await api.room(this.code));
      return true;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      this.faults[place] = error.why;
      return false;
    }
  }

  // --- asking --------------------------------------------------------------------------------

  /** Whether it was done; if not, why not is told at the place it was asked from. */
  act(place: string, command: Command): Promise<boolean> {
    return this.ask(place, () => api.command(this.code, command));
  }

  /** A file of one's own in place of what is built in. */
  bring(place: string, kind: string, file: File): Promise<boolean> {
    return this.ask(place, () => api.bring(this.code, kind, file));
  }

  private async ask(place: string, work: () => Promise<RoomView>): Promise<boolean> {
    this.busy = place;
    this.faults[place] = null;
    try {
      this.seat?.showRoom(await work());
      return true;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      // It may have been done: whoever reads that sees how the room is now.
      if (error.unsure && this.seat?.link !== "open") await this.reread(place);
      this.faults[place] = error.why;
      return false;
    } finally {
      this.busy = "";
    }
  }

  /** Some settings in place of those that there are. */
  set(place: string, changes: RoomSettings): Promise<boolean> {
    return this.change(place, () => ({ settings: { ...this.room?.settings, ...changes } }));
  }

  /** Settings and options are sent whole: one after the other, or a change would undo the one before. */
  change(place: string, make: () => Omit<Configure, "do">): Promise<boolean> {
    const done = this.changed.then(() => this.act(place, { do: "configure", ...make() }));
    this.changed = done.catch(() => false);
    return done;
  }

  async leave(): Promise<void> {
    if (await this.act("leave", { do: "leave" })) router.go("/");
  }
}

/** Who was never let in to watch is told so: asking again would go on for ever. */
function isElsewhere({ room, ended }: Seat): boolean {
  return ended?.key === "room.not-yours" || (room !== null && ended?.key === "room.no-watching");
}

function numbers(room: RoomView | null): number[] {
  return room?.yours ?? [];
}
