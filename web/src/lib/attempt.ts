/** What a title adds to the table must not take it along: where it fails, something else stands in. */
export function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    reportError(error);
    return otherwise;
  }
}
