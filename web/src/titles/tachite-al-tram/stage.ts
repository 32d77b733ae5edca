/* What is asked, told by what may be done. */

import { squareCalled } from "./squares";
import type { Action, Choice } from "./types";

export type Stage =
  "draw" | "build" | "move" | "go" | "workshop" | "board" | "set-down" | "tile" | "idle";

/** By the choices that only one stage has. */
const STAGES: Partial<Record<Action["do"], Stage>> = {
  draw: "draw",
  "no-draw": "draw",
  lay: "build",
  swap: "build",
  "no-build": "build",
  roll: "move",
  stay: "move",
  go: "go",
  stop: "go",
  "run-off": "go",
  repair: "workshop",
  futiz: "workshop",
  "no-service": "workshop",
  board: "board",
  leave: "board",
  "set-down": "set-down",
  keep: "set-down",
  on: "tile",
};

export function stageOf(choices: readonly Choice[]): Stage {
  for (const choice of choices) {
    const stage = STAGES[choice.do.do];
    if (stage) return stage;
  }
  return "idle";
}

/** The choice to do this, if there is one. */
export function doing(choices: readonly Choice[], what: Action["do"]): Choice | undefined {
  return choices.find((choice) => choice.do.do === what);
}

/** A turn has four steps for people; what else is asked belongs to one of them. */
export const STEPS = ["build", "move", "board", "set-down"] as const;
const STEP: Record<Stage, number> = {
  draw: 0,
  build: 0,
  move: 1,
  go: 1,
  workshop: 2,
  board: 2,
  tile: 2,
  "set-down": 3,
  idle: -1,
};

export function stepOf(stage: Stage): number {
  return STEP[stage];
}

/** The square of a step; -1 if it names none. */
export function squareOf(action: Action | undefined): number {
  return action && "square" in action ? squareCalled(action.square) : -1;
}

export function onSquare(choices: readonly Choice[], square: number): Choice | undefined {
  return choices.find((choice) => squareOf(choice.do) === square);
}
