/* What this server can play. Asked once, when somebody first wants to know. */

import type { TitleView } from "../generated/protocol";
import { api } from "../lib/api";
import { name, voice } from "../lib/words/index.svelte";

class Titles {
  list = $state.raw<TitleView[]>([]);
  private asked: Promise<void> | null = null;

  /** Rejects if the server does not answer; the next call asks again. */
  load(): Promise<void> {
    this.asked ??= api.titles().then(
      (found) => void (this.list = found),
      (error) => {
        this.asked = null;
        throw error;
      },
    );
    return this.asked;
  }

  find(id: string): TitleView | undefined {
    return this.list.find((title) => title.id === id);
  }
}

export const titles = new Titles();

/** What a title is called. Our own are known before the server has said so. */
export function titleName(id: string): string {
  return titles.find(id)?.name[voice.words.lang] ?? name("poster", id);
}

/** The numbers of players that stand on the box, least and most. */
export function official(title: TitleView): [number, number] {
  const seats = title.seats.filter((count) => !title.unofficial.includes(count));
  return [seats[0]!, seats[seats.length - 1]!];
}
