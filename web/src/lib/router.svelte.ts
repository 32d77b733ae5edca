/* Where we are. Pages of ours are few, and have plain paths. */

class Router {
  path = $state(location.pathname);
  hash = $state(location.hash);

  constructor() {
    addEventListener("popstate", () => this.look());
    addEventListener("hashchange", () => this.look());
  }

  private look(): void {
    this.path = location.pathname;
    this.hash = location.hash;
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.look();
    scrollTo(0, 0);
  }

  /** The parts of the path: /room/ABC is ["room", "ABC"]. */
  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(decoded);
  }
}

/** A part of an address as it is meant. Somebody may have typed it: what means nothing stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const router = new Router();

/** For links: go there without a reload, unless a new tab or window is wanted. */
export function link(node: HTMLAnchorElement): { destroy: () => void } {
  const click = (event: MouseEvent) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.go(node.pathname + node.hash);
  };
  node.addEventListener("click", click);
  return { destroy: () => node.removeEventListener("click", click) };
}
