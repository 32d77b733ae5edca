/* What was sent to a table and not answered yet: the page is not left before that has come through. */

const open = new Set<string>();
let waiting: (() => void)[] = [];

export const unanswered = {
  add: (id: string) => void open.add(id),
  delete(id: string): void {
    open.delete(id);
    if (open.size) return;
    for (const go of waiting) go();
    waiting = [];
  },
};

/** When all is answered; but nobody waits for longer than this. */
export function settled(most: number): Promise<void> {
  return new Promise((done) => {
    if (!open.size) return done();
    waiting.push(done);
    setTimeout(done, most);
  });
}
