/* What part of the map is shown. A desk shows all of it; a phone what matters now. */

import { around, padded, place, type Box, type Layout } from "./geometry";
import { whole } from "./scenery";
import type { Stretch } from "../view";

/** Nearer than this one sees too little around the train. */
const LEAST = 250;

export interface Shot {
  route: string;
  at: number;
  /** Where a preview would have it. */
  to: number;
  /** What lies on the way. */
  ahead: readonly Stretch[];
}

/** A frame around the train, where it would go, and what comes next. */
export function frame(layout: Layout, shot: Shot, aspect: number): Box {
  const { route, at, to } = shot;
  const next = shot.ahead.find((one) => one.last > Math.max(at, to) - 1);
  const end = Math.max(at + 3, to + 1, next ? Math.min(next.last, to + 9) : 0);
  const spots = [];
  for (let i = at - layout.track.train; i <= end; i++) spots.push(place(layout, route, i));
  return fitted(padded(around(spots), 46), aspect);
}

/** All of the map. */
export function overview(layout: Layout): Box {
  return whole(layout);
}

/** A box of at least a certain size and of this shape, with the same middle. */
export function fitted(box: Box, aspect: number): Box {
  let [w, h] = [Math.max(box.w, LEAST), Math.max(box.h, LEAST / aspect)];
  if (w / h < aspect) w = h * aspect;
  else h = w / aspect;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}
