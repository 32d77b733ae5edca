/* The lever's geometry: it swings from North (-1) to South (1) around its foot. */

/** How far it swings to either side, in degrees. */
export const SWING = 46;
/** Beyond this it stays where it is put; before, it springs back. */
export const NOTCH = 0.62;

/** How long it swings by itself: milliseconds. */
export const SWINGS = 260;
/** Where a lever stands that was leant by tap or key. */
export const LEANT = 0.84;

/** Like a spring: a little too far, and back. */
export function sprung(part: number): number {
  return 1 - Math.cos(part * Math.PI * 1.5) * (1 - part) ** 2;
}

export interface Point {
  x: number;
  y: number;
}

/** How far a hand at this point has pulled. Upright it swings left and right, lying up and down. */
export function pullAt(hand: Point, foot: Point, upright: boolean): number {
  const along = upright ? hand.x - foot.x : hand.y - foot.y;
  const away = upright ? foot.y - hand.y : hand.x - foot.x;
  const angle = (Math.atan2(along, Math.max(away, 1)) * 180) / Math.PI;
  return Math.max(-1, Math.min(1, angle / SWING));
}

/** Where something at this pull and distance from the foot is. */
export function at(pull: number, far: number, foot: Point, upright: boolean): Point {
  const angle = (pull * SWING * Math.PI) / 180;
  const along = far * Math.sin(angle);
  const away = far * Math.cos(angle);
  return upright
    ? { x: foot.x + along, y: foot.y - away }
    : { x: foot.x + away, y: foot.y + along };
}

/** Which track it has been pulled to, past the notch; "" is neither. */
export function sideAt(pull: number): "north" | "south" | "" {
  if (Math.abs(pull) < NOTCH) return "";
  return pull < 0 ? "north" : "south";
}
