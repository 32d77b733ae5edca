/* Arrow keys within a group of choices; one of them is the tab stop, as in any radio group. */

export function arrows(node: HTMLElement): { destroy: () => void } {
  const items = () => [...node.querySelectorAll<HTMLElement>('[role="radio"]')];

  /** The picked one, or else the first one that can be picked. */
  const settle = () => {
    const all = items();
    const stop =
      all.find((one) => one === document.activeElement) ??
      all.find((one) => one.ariaChecked === "true") ??
      all.find((one) => one.ariaDisabled !== "true") ??
      all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = items();
    const here = all.findIndex((one) => one === document.activeElement);
    if (!step || here < 0) return;
    event.preventDefault();
    all[(here + step + all.length) % all.length]?.focus();
    settle();
  };
  const watch = new MutationObserver(settle);
  watch.observe(node, { childList: true, subtree: true });
  node.addEventListener("keydown", key);
  node.addEventListener("focusin", settle);
  settle();
  return {
    destroy: () => {
      watch.disconnect();
      node.removeEventListener("keydown", key);
      node.removeEventListener("focusin", settle);
    },
  };
}
