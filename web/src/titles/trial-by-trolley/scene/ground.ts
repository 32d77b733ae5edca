/* Where rails lie: on a phone down two columns, on a desk along two rows. */

import { NOTCH } from "../lever";

export interface Frame {
  width: number;
  height: number;
  wide: boolean;
  /** In a column: how far the names reach down. In a row: the height of each track. */
  head: number;
  tracks: readonly [number, number];
}

/** From here on tracks lie across, one over the other, and the lever goes up and down. */
export const WIDE = 900;
/** Where the rails part, on a desk. */
export const JUNCTION = 210;
/** Where cards begin, on a desk. */
export const INSET = 300;

/** The way from the trolley down a track, to the end of the picture. */
export function way({ width, height, wide, head, tracks }: Frame, side: 0 | 1): string {
  if (wide) {
    const middle = (tracks[0] + tracks[1]) / 2;
    const y = tracks[side];
    const bend = INSET + 30;
    return `M-20 ${middle}H${JUNCTION}C${JUNCTION + 90} ${middle} ${bend - 90} ${y} ${bend} ${y}H${width + 20}`;
  }
  const middle = width / 2;
  const x = width * (side ? 0.75 : 0.25);
  const low = Math.max(head, 96);
  return `M${middle} 40C${middle} ${40 + low * 0.7} ${x} ${low * 0.75} ${x} ${low + 40}V${height + 60}`;
}

/** The two beams of the trolley's lamp. */
export function beams({ width, height, wide, tracks }: Frame): [string, string] {
  if (wide) {
    const middle = (tracks[0] + tracks[1]) / 2 - 28;
    return [
      `M232 ${middle}L${width} -60V${middle + 8}z`,
      `M232 ${middle}L${width} ${height + 60}V${middle + 40}z`,
    ];
  }
  const middle = width / 2;
  return [
    `M${middle - 4} 70L-40 ${height}H${middle - 14}z`,
    `M${middle + 4} 70L${width + 40} ${height}H${middle + 14}z`,
  ];
}

/** The half that the lever leans towards, as far as it is pulled; "" while it stands upright. On a desk
    South begins at `split`; -1 is a phone, where the halves lie side by side. */
export function half(width: number, height: number, split: number, pull: number): string {
  const part = Math.min(1, Math.abs(pull) / NOTCH);
  if (part < 0.02) return "";
  const south = pull > 0;
  if (split >= 0) {
    const edge = south ? height : 0;
    const line = edge + part * (split - edge);
    return `M0 ${edge}V${line + 3}L${width} ${line - 3}V${edge}z`;
  }
  const edge = south ? width : 0;
  const top = edge + part * (width * (south ? 0.62 : 0.38) - edge);
  const foot = edge + part * (width * 0.5 - edge);
  return `M${edge} 0H${top}L${foot} ${height}H${edge}z`;
}
