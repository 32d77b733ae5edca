/* What is new in the drawers: as much as has come since each of them was last open. */

export class News {
  /** How much each held when it was last looked into. */
  private readonly looked = $state<Record<string, number>>({});

  /** `holds`: how much there is in each now. */
  constructor(
    private readonly holds: () => Readonly<Record<string, number>>,
    open: () => string,
  ) {
    $effect(() => {
      for (const [id, count] of Object.entries(holds())) {
        // A drawer may also be emptied: then all that comes is new.
        if (id === open() || count < this.before(id)) this.looked[id] = count;
      }
    });
  }

  /** How much it held then. */
  before(id: string): number {
    return this.looked[id] ?? 0;
  }

  of(id: string): number {
    return Math.max(0, (this.holds()[id] ?? 0) - this.before(id));
  }
}
