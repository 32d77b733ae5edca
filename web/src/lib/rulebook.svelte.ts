/* The rules over whatever is shown, opened at a rule: nobody leaves a table to read them. */

class Rulebook {
  /** The title whose rules lie open; "" for none. */
  title = $state("");
  /** Where they are open. */
  at = $state("");

  open(title: string, at = ""): void {
    this.title = title;
    this.at = at;
  }

  close(): void {
    this.title = this.at = "";
  }
}

export const rulebook = new Rulebook();
