/* From the sides that a rail joins to its picture. A square is 100 × 100.

          N = 1
     W = 8     E = 2     A rail joins two sides, as a mask of two bits ("NS" is 5, "NE" is 3).
          S = 4          A tile is a list of such masks.

   Opposite sides: a straight line through the middle. Sides that share a corner: a quarter circle of
   radius 50 around it. The two steel rails are the same curve a little to the left and to the right,
   so that those of neighbouring squares always meet. */

export type Point = readonly [number, number];

export const N = 1;
export const E = 2;
export const S = 4;
export const W = 8;
export const SIDES = [N, E, S, W] as const;

const LETTERS: Record<string, number> = { N, E, S, W };
const GAUGE = 23;

/** The middle of each side. */
export const SIDE_AT: Record<number, Point> = {
  [N]: [50, 0],
  [E]: [100, 50],
  [S]: [50, 100],
  [W]: [0, 50],
};
/** The corner around which a curve goes. */
const CORNER: Record<number, Point> = {
  [N | E]: [100, 0],
  [E | S]: [100, 100],
  [S | W]: [0, 100],
  [N | W]: [0, 0],
};
/** Where its quarter circle begins, in degrees. */
const BEGINS: Record<number, number> = { [N | E]: 90, [E | S]: 180, [S | W]: 270, [N | W]: 0 };

/** "NS ES" → [5, 6]. */
export function rails(text: string): number[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((sides) => [...sides].reduce((mask, side) => mask | (LETTERS[side] ?? 0), 0));
}

export function sidesOf(mask: number): number[] {
  return SIDES.filter((side) => mask & side);
}

/** All sides at which there is a rail. */
export function open(masks: readonly number[]): number {
  return masks.reduce((all, mask) => all | mask, 0);
}

export function opposite(side: number): number {
  return side < S ? side << 2 : side >> 2;
}

/** Quarter turns clockwise. */
export function turned(masks: readonly number[], quarters: number): number[] {
  const by = ((quarters % 4) + 4) % 4;
  return masks.map((mask) => ((mask << by) | (mask >> (4 - by))) & 15);
}

export function isCurve(mask: number): boolean {
  return mask in CORNER;
}

/** A rail, or the middle line of one, as a path from its lower side to its higher one. */
export function curve(mask: number, aside = 0): string {
  const [first, second] = sidesOf(mask);
  if (first === undefined) return "";
  if (second === undefined) {
    // A stub, from the side to the middle.
    const [x, y] = SIDE_AT[first]!;
    return first & (N | S) ? `M${50 + aside} ${y}V50` : `M${x} ${50 + aside}H50`;
  }
  if (mask === (N | S)) return `M${50 + aside} 0V100`;
  if (mask === (E | W)) return `M100 ${50 + aside}H0`;
  const [cx, cy] = CORNER[mask]!;
  const radius = 50 + aside;
  const at = (side: number): Point => {
    const [x, y] = SIDE_AT[side]!;
    return [cx + ((x - cx) / 50) * radius, cy + ((y - cy) / 50) * radius];
  };
  const [ax, ay] = at(first);
  const [bx, by] = at(second);
  const sweep = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx) > 0 ? 1 : 0;
  return `M${round(ax)} ${round(ay)}A${radius} ${radius} 0 0 ${sweep} ${round(bx)} ${round(by)}`;
}

export function steel(mask: number): string {
  return curve(mask, -GAUGE / 2) + curve(mask, GAUGE / 2);
}

/** The middle of a rail. */
export function middle(mask: number): Point {
  const corner = CORNER[mask];
  if (!corner) return [50, 50];
  const [cx, cy] = corner;
  const far = 50 * Math.SQRT1_2;
  return [cx + (cx ? -far : far), cy + (cy ? -far : far)];
}

/** Where a tram stands on a square: on its rail. */
export function stand(masks: readonly number[]): Point {
  return masks.length === 1 ? middle(masks[0]!) : [50, 50];
}

export interface Sleeper {
  x: number;
  y: number;
  /** Across the rails, in degrees. */
  angle: number;
}

function sleepersOf(mask: number): Sleeper[] {
  if (isCurve(mask)) {
    const [cx, cy] = CORNER[mask]!;
    return Array.from({ length: 5 }, (_, i) => {
      const angle = BEGINS[mask]! + (i + 0.5) * 18;
      const turn = (angle * Math.PI) / 180;
      return { x: cx + 50 * Math.cos(turn), y: cy + 50 * Math.sin(turn), angle };
    });
  }
  const upright = (mask & (N | S)) !== 0;
  const stub = sidesOf(mask).length === 1;
  const count = stub ? 3 : 6;
  return Array.from({ length: count }, (_, i) => {
    const along = ((i + 0.5) * 50) / 3;
    const at = stub && mask & (E | S) ? 100 - along : along;
    return upright ? { x: 50, y: at, angle: 0 } : { x: at, y: 50, angle: 90 };
  });
}

const near = (a: Sleeper, b: Sleeper, most: number) => Math.hypot(a.x - b.x, a.y - b.y) < most;

/** Which sleepers lie where rails share ground: straight ones keep theirs; a side where only curves meet
    gets two straight ones; of the rest, those that would overlap are left out on both curves, so that a
    fork stays symmetrical. */
export function sleepers(masks: readonly number[]): Sleeper[] {
  const straight = masks.filter((mask) => !isCurve(mask));
  const curves = masks.filter(isCurve);
  const laid: Sleeper[] = [];
  for (const mask of straight)
    laid.push(...sleepersOf(mask).filter((one) => !laid.some((other) => near(one, other, 18))));
  for (const side of SIDES) {
    const shared = curves.filter((mask) => mask & side).length > 1;
    if (shared && !straight.some((mask) => mask & side)) laid.push(...sleepersOf(side).slice(0, 2));
  }
  const rest = curves.flatMap((mask) =>
    sleepersOf(mask)
      .filter((one) => !laid.some((other) => near(one, other, 17)))
      .map((one) => ({ mask, one })),
  );
  const alone = rest.filter(
    ({ mask, one }) => !rest.some((other) => other.mask !== mask && near(one, other.one, 14)),
  );
  return [...laid, ...alone.map(({ one }) => one)];
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
