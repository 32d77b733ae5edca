/* Own secrets are covered until pressed: shown while a finger, the mouse or Space holds them. */

export function held(node: HTMLElement, show: (shown: boolean) => void): { destroy: () => void } {
  const on = () => show(true);
  const off = () => show(false);
  const key = (event: KeyboardEvent) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    show(event.type === "keydown");
  };
  const menu = (event: Event) => event.preventDefault(); // a long press is no wish for a menu
  node.addEventListener("pointerdown", on);
  for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"])
    node.addEventListener(end, off);
  node.addEventListener("keydown", key);
  node.addEventListener("keyup", key);
  node.addEventListener("contextmenu", menu);
  return { destroy: off };
}
