/* How one scene became the next: changes of [path, value], or [path] for what is gone.
   The same as capolinea/server/delta.py. Objects on the way are copied, so that what did not change
   is still the same object and what shows it is not drawn again. */

import { isObject } from "./json";

export type Change = readonly unknown[];

export function patched<T>(scene: T, changes: readonly Change[]): T {
  let result: unknown = scene;
  for (const change of changes) {
    const [path] = change;
    if (Array.isArray(path)) result = put(result, path, 0, change);
  }
  return result as T;
}

function put(place: unknown, path: readonly unknown[], depth: number, change: Change): unknown {
  if (depth === path.length) return change[1];
  const step = path[depth];
  const gone = depth === path.length - 1 && change.length === 1;
  if (Array.isArray(place)) {
    const index = Number(step);
    if (gone) return place.slice(0, index);
    const copy = place.slice();
    copy[index] = put(place[index], path, depth + 1, change);
    return copy;
  }
  const copy: Record<string, unknown> = { ...(isObject(place) ? place : {}) };
  const key = String(step);
  if (gone) delete copy[key];
  else copy[key] = put(copy[key], path, depth + 1, change);
  return copy;
}
