/* How one scene became the next: changes of [path, value], or [path] for what is gone.
   The same as capolinea/server/delta.py. Objects on the way are copied, so that what did not change
   is still the same object and what shows it is not drawn again. */

export type Path = (string | number)[];
export type Change = [Path] | [Path, unknown];

export function patched<T>(scene: T, changes: readonly Change[]): T {
  let result: unknown = scene;
  for (const change of changes) result = put(result, change[0], 0, change);
  return result as T;
}

function put(place: unknown, path: Path, depth: number, change: Change): unknown {
  if (depth === path.length) return change[1];
  const step = path[depth]!;
  const last = depth === path.length - 1;
  if (Array.isArray(place)) {
    if (last && change.length === 1) return place.slice(0, step as number);
    const copy = place.slice();
    copy[step as number] = put(place[step as number], path, depth + 1, change);
    return copy;
  }
  const copy = { ...(place as Record<string, unknown>) };
  if (last && change.length === 1) delete copy[step];
  else copy[step] = put(copy[step], path, depth + 1, change);
  return copy;
}
