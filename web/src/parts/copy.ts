/* Copying on any page, also one over plain HTTP, where browsers have no clipboard to offer. */

/** Whether it was copied; else `shown`, which has the text, is now selected for doing it by hand. */
export async function copy(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not allowed: then by the old way.
  }
  select(shown);
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}

function select(shown: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(shown);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}
