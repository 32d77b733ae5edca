/* What things are, for "what is this". */

import { say } from "../../lib/words/index.svelte";
import type { Thing } from "../../parts/about.svelte";

type What = "innocent" | "guilty" | "modifier" | "lever" | "token" | "tom";

export function thing(what: What): Thing {
  switch (what) {
    case "innocent":
      return { title: say("tbt.innocent"), text: say("tbt.innocent.text") };
    case "guilty":
      return { title: say("tbt.guilty"), text: say("tbt.guilty.text") };
    case "modifier":
      return { title: say("tbt.modifier"), text: say("tbt.modifier.text") };
    case "lever":
      return { title: say("tbt.lever"), text: say("tbt.lever.text") };
    case "token":
      return { title: say("tbt.token"), text: say("tbt.token.text") };
    case "tom":
      return { title: say("tbt.tom"), text: say("tbt.tom.text") };
  }
}
