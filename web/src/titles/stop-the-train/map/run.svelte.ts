/* The train's run: space by space, each in the same time. */

import { Journey } from "../../journey.svelte";

const PER_SPACE = 260;
/** No train does more in a turn. */
const MOST = 6;

interface Leg {
  from: number;
  to: number;
  /** It goes slower than before: sparks fly. */
  brakes: boolean;
}

export class Run {
  private stands = $state(0);
  /** Where it will be when all legs lie behind. */
  private end: number;
  private readonly journey = new Journey<Leg>(lasting, (leg) => (this.stands = leg.to));

  constructor(
    at: number,
    private speed = 0,
  ) {
    this.stands = this.end = at;
  }

  get running(): boolean {
    return this.journey.leg !== null;
  }

  get brakes(): boolean {
    return this.journey.leg?.brakes ?? false;
  }

  /** How long this leg has lasted, and will have in all: milliseconds. */
  get past(): number {
    return this.journey.past;
  }

  get lasts(): number {
    return this.journey.leg ? lasting(this.journey.leg) : 0;
  }

  /** Where the train is drawn; between spaces while it runs. */
  get at(): number {
    return this.journey.leg ? this.where(this.past) : this.stands;
  }

  /** Where the train is so long after the start of this leg. */
  where(past: number): number {
    const { leg } = this.journey;
    if (!leg) return this.stands;
    return leg.from + (leg.to - leg.from) * eased(Math.min(1, past / lasting(leg)));
  }

  /** Go there, at a speed, after all that is under way. Backwards (an undo) it jumps. */
  to(there: number, speed = this.speed): void {
    if (there === this.end) return;
    const from = Math.max(this.end, there - MOST);
    const leg = { from, to: there, brakes: speed < this.speed };
    this.end = there;
    this.speed = speed;
    if (there > from) return this.journey.add([leg]);
    this.journey.skip();
    this.stands = there;
  }

  /** It is there at once. */
  skip(): void {
    this.journey.skip();
  }
}

function lasting({ from, to }: Leg): number {
  return PER_SPACE * (to - from);
}

/** Steady, but for the start and the halt. */
function eased(t: number): number {
  const edge = 0.15;
  const top = 1 / (1 - edge);
  if (t < edge) return ((t * t) / edge / 2) * top;
  if (t > 1 - edge) return 1 - (((1 - t) * (1 - t)) / edge / 2) * top;
  return (t - edge / 2) * top;
}
