/** A control shows what is wanted until that is answered, and then what is so: it may have been refused, or
    its request been lost. */
export function onceAnswered(asked: unknown, show: () => void): void {
  void Promise.resolve(asked).finally(show);
}
