/* A walk through a match that is over (or one's own side of one that is on): whose eyes, which step, what they
   see there. The address says it too, so that a link leads to the same moment. */

import type { Replay, Scene, Why } from "../../generated/protocol";
import { api, Failed } from "../../lib/api";
import { patched } from "../../lib/delta";
import type { Sight } from "../../lib/sight";
import { board, type Board } from "../../titles";

const OFFLINE: Why = { key: "web.offline" };
/** What goes better in a moment, and how many seconds a moment is if nobody says. */
const AGAIN = [OFFLINE.key, "serve.busy", "table.not-read"];
const MOMENT = 5;
/** How long a step is looked at while it runs: milliseconds. */
const PACE = 1200;

/** A truth has everybody's view besides. */
type Shown = Scene & { views?: unknown[] };

/** Whose eyes the address names. */
function eyes(): string {
  return /as=(\d+|truth)/.exec(location.hash)?.[1] ?? "spectator";
}

/** The step that the address names. */
function moment(): number {
  return Number(/step=(\d+)/.exec(location.hash)?.[1] ?? 0);
}

export class Walk {
  viewer = $state(eyes());
  at = $state(moment());
  running = $state(false);
  replay = $state.raw<Replay | null>(null);
  board = $state.raw<Board | null>(null);
  why = $state.raw<Why | null>(null);
  private tries = $state(0);

  readonly last = $derived((this.replay?.steps.length ?? 1) - 1);
  /** Whose seat it is seen from, if it is one. */
  readonly seat = $derived(/^\d+$/.test(this.viewer) ? Number(this.viewer) : null);
  // Every scene once: going back is as quick as going on.
  private readonly scenes = $derived.by(() => {
    if (!this.replay) return [];
    let scene = this.replay.scene as unknown as Shown;
    return this.replay.steps.map((step) => (scene = patched(scene, step.delta)));
  });
  readonly ended = $derived(this.at === this.last && Boolean(this.scenes[this.at]?.result));
  /** All views, where all is revealed. */
  readonly views = $derived(this.scenes[this.at]?.views ?? null);
  readonly sight = $derived.by<Sight | null>(() => {
    const { replay, match, at } = this;
    const scene = this.scenes[at];
    if (!replay || !scene) return null;
    return {
      title: replay.match.title,
      code: "",
      match,
      names: replay.match.seats,
      number: this.seat,
      scene: { ...scene, question: null, result: scene.result ?? null },
      happened: replay.steps
        .slice(0, at + 1)
        .map((step, number) => ({ n: number + 1, events: step.events })),
      own: null,
      again: () => api.replay(match, "spectator"),
    };
  });

  /** For what shows it: it follows the address while that is shown. */
  constructor(private readonly which: () => string) {
    $effect(() => this.fetch());
    $effect(() => {
      if (!this.running) return;
      const timer = setInterval(() => {
        if (this.at < this.last) this.at += 1;
        else this.running = false;
      }, PACE);
      return () => clearInterval(timer);
    });
    $effect(() => {
      const by = this.viewer === "spectator" ? "" : `&as=${this.viewer}`;
      history.replaceState(null, "", `/replay/${this.match}#step=${this.at}${by}`);
    });
  }

  get match(): string {
    return this.which();
  }

  /** It may go better in a moment. */
  get again(): boolean {
    return this.why !== null && AGAIN.includes(this.why.key);
  }

  retry(): void {
    this.tries += 1;
  }

  /** To the step that this many are away, as far as there are any. */
  go(by: number): void {
    this.to(this.at + by);
  }

  to(step: number): void {
    this.at = Math.max(0, Math.min(this.last, step));
  }

  /** Somebody has changed the address by hand. */
  follow(): void {
    this.at = Math.min(this.last, moment());
    this.viewer = eyes();
  }

  fail(problem: unknown): void {
    this.why = problem instanceof Failed ? problem.why : OFFLINE;
  }

  /** Ask for what these eyes saw; how to give it up. */
  private fetch(): () => void {
    void this.tries;
    let timer = 0;
    /** Something else has been asked for since. */
    let late = false;
    api
      .replay(this.match, this.viewer)
      .then(async (found) => {
        const fitting = await board(found.match.title);
        if (late) return;
        this.why = null;
        this.board = fitting;
        // Others have been told more, or less: their steps are others. The moment stays the same.
        const made = this.replay?.steps[this.at]?.entries;
        if (made !== undefined) {
          this.at = found.steps.findLastIndex(({ entries }) => entries <= made);
        }
        this.replay = found;
        this.to(this.at);
      })
      .catch((problem: unknown) => {
        if (late) return;
        this.fail(problem);
        const seconds = Number(this.why?.args?.["seconds"] ?? MOMENT);
        if (this.again) timer = window.setTimeout(() => this.retry(), 1000 * seconds);
      });
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }
}
