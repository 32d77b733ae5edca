/* What a person at this board can do now, as hand and map show it: squares for a tile, ends of a roll. */

import { same } from "../../lib/same";
import type { Chart } from "./chart";
import type { Picking } from "./picking.svelte";
import { squareOf, stageOf } from "./stage";
import { shapeRails } from "./tiles";
import type { BoardProps } from "./types";
import { seen } from "./view";
import { goals, homeOf, type Goal } from "./ways";

/** Everything in it is read anew from what the part of the board is given. */
export class Offers {
  constructor(
    private readonly given: () => BoardProps & { chart: Chart | null },
    private readonly picking: Picking,
  ) {}

  private readonly sight = $derived.by(() => this.given().sight);
  readonly choices = $derived.by(() =>
    this.given().acting ? (this.sight.scene.question?.choices ?? []) : [],
  );
  readonly stage = $derived(stageOf(this.choices));
  readonly mine = $derived.by(() => {
    const { number } = this.sight;
    return number === null ? undefined : seen(this.sight).trams[number];
  });

  // --- building -----------------------------------------------------------------------------------

  private readonly steps = $derived.by(() => this.picking.steps(this.sight));
  /** The tile that is being laid. */
  readonly laid = $derived.by(() => {
    const first = this.stage === "build" ? this.steps[0]?.do : undefined;
    return first?.do === "lay" ? first.tile : "";
  });
  /** Where it can be laid. */
  readonly squares = $derived.by(() => (this.laid ? this.picking.after(this.sight, 1) : []));
  /** Where it would lie, and how. */
  readonly ghost = $derived.by(() => {
    const [, on, turn] = this.steps;
    if (!this.laid || !on) return null;
    const foreseen = () => this.picking.ahead(this.sight, this.picking.does(this.sight))?.turn;
    const quarters = turn?.do.do === "turn" ? turn.do.quarters : (foreseen() ?? null);
    if (quarters === null) return null;
    return { square: squareOf(on.do), masks: shapeRails(seen(this.sight), this.laid, quarters) };
  });

  // --- moving -------------------------------------------------------------------------------------

  /** Ask where a roll could lead. For an effect. */
  look(): void {
    if (this.moving) this.picking.foresee(this.sight, this.given().acting, []);
  }

  private readonly moving = $derived(this.stage === "move" || this.stage === "go");
  readonly reach = $derived.by(() =>
    this.moving ? (this.picking.ahead(this.sight, [])?.reach ?? []) : [],
  );
  /** The ends of the roll that fell, or of the one that is looked at. */
  readonly goals = $derived.by((): Goal[] => {
    const { chart } = this.given();
    if (!chart) return [];
    const rolled = this.stage === "go" ? this.reach[0] : undefined;
    const roll = rolled ?? this.reach.find((one) => one.roll === this.picking.roll);
    return goals(roll?.ends ?? [], chart, homeOf(chart, this.mine));
  });
  /** The end that is chosen, and by which of the ways there. */
  readonly chosen = $derived.by(() => {
    const does = this.stage === "go" ? this.picking.does(this.sight) : [];
    for (const goal of does.length ? this.goals : [])
      for (const [at, end] of goal.ends.entries())
        if (same(end.steps, does)) return { goal, at, end };
    return null;
  });

  // --- what a hint would do -----------------------------------------------------------------------

  readonly hinted = $derived.by(() => this.picking.advised(this.sight, this.given().hint ?? null));
  /** The square that it would choose; -1 is none. */
  readonly hintedSquare = $derived.by(() => {
    if (this.hinted) return squareOf(this.hinted.do);
    const { hint } = this.given();
    if (this.stage !== "go" || !hint) return -1;
    const goal = this.goals.find(({ ends }) => ends.some((end) => same(end.steps, hint)));
    return goal?.square ?? -1;
  });
}
