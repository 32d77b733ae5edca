/* The trams on the move: along their way, a square in the same time each. */

import { Journey } from "../../journey.svelte";
import type { Point } from "./rails";
import { lengthOf, pointAt } from "./way";

const PER_SQUARE = 110;
const MOST = 1400;

/** The lines along which some trams go together, by their seats. */
type Leg = Readonly<Record<number, readonly Point[]>>;

export class Runs {
  /** Where the trams stand that do not move; and where all will, when all legs lie behind. */
  private stands = $state.raw<readonly Point[]>([]);
  private ends: Point[] = [];
  private readonly journey = new Journey<Leg>(
    lasting,
    (leg) => (this.stands = after(this.stands, leg)),
  );

  get running(): boolean {
    return this.journey.leg !== null;
  }

  /** Where each tram is drawn. */
  get at(): readonly Point[] {
    const { leg, past } = this.journey;
    if (!leg) return this.stands;
    const part = eased(Math.min(1, past / lasting(leg)));
    return this.stands.map((place, seat) => {
      const line = leg[seat];
      return line ? pointAt(line, lengthOf(line) * part) : place;
    });
  }

  /** A tram has gone this way; a single point is gone to straight. */
  go(seat: number, way: readonly Point[]): void {
    const from = this.ends[seat];
    if (from) this.add({ [seat]: way.length > 1 ? way : [from, ...way] });
  }

  /** Here they stand now: those of which nobody told go straight there. */
  rest(goals: readonly Point[]): void {
    if (this.ends.length !== goals.length) {
      this.journey.skip();
      this.ends = [...goals];
      this.stands = goals;
      return;
    }
    const astray = goals.flatMap((goal, seat): [number, Point[]][] =>
      lengthOf([this.ends[seat]!, goal]) < 1 ? [] : [[seat, [this.ends[seat]!, goal]]],
    );
    if (astray.length) this.add(Object.fromEntries(astray));
  }

  /** They are there at once. */
  skip(): void {
    this.journey.skip();
  }

  private add(leg: Leg): void {
    this.ends = after(this.ends, leg);
    this.journey.add([leg]);
  }
}

function lasting(leg: Leg): number {
  const longest = Math.max(...Object.values(leg).map(lengthOf));
  return Math.min(MOST, 160 + (longest / 100) * PER_SQUARE);
}

/** Where everybody stands when this leg lies behind. */
function after(stands: readonly Point[], leg: Leg): Point[] {
  return stands.map((place, seat) => leg[seat]?.at(-1) ?? place);
}

/** Quick to start; it brakes on the last stretch. */
function eased(t: number): number {
  return 1 - (1 - t) ** 1.7;
}

/** Trams on the same square stand beside each other. */
export function spread(at: readonly Point[]): Point[] {
  return at.map(([x, y], seat) => {
    const here = at.flatMap(([ox, oy], other) => (Math.hypot(x - ox, y - oy) < 12 ? [other] : []));
    const place = here.indexOf(seat) - (here.length - 1) / 2;
    return [x + place * 40, y + place * 4];
  });
}
