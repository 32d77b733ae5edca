/* What is asked, told by what may be done. */

import type { Choice } from "../../generated/protocol";
import type { Action } from "../../lib/seat.svelte";
import { squareCalled } from "./squares";

export type Stage =
  "draw" | "build" | "move" | "go" | "workshop" | "board" | "set-down" | "tile" | "idle";

/** By the choices that only one stage has. */
const STAGES: Record<string, Stage> = {
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

export function doing({ do: action }: Choice): string {
  return String(action.do ?? "");
}

export function stageOf(choices: readonly Choice[]): Stage {
  for (const choice of choices) {
    const stage = STAGES[doing(choice)];
    if (stage) return stage;
  }
  return "idle";
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
export function squareOf(action: Action): number {
  const { square } = action;
  if (typeof square === "number") return square;
  return typeof square === "string" ? squareCalled(square) : -1;
}

export function onSquare(choices: readonly Choice[], square: number): Choice | undefined {
  return choices.find((choice) => doing(choice) === "on" && squareOf(choice.do) === square);
}
