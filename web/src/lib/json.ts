/* What was written as JSON by our own server, or kept by this browser: it is what we say it is. */

export function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** What this browser keeps under a name, or what there is if it keeps nothing. */
export function kept<T>(name: string, usual: T): T {
  try {
    const text = localStorage.getItem(name);
    return text === null ? usual : parsed<T>(text);
  } catch {
    return usual; // a browser that keeps nothing
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
