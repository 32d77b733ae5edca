/* Types, words and lessons are made from the Python sources. Without them nothing here can be built. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const FOLDER = join(import.meta.dirname, "src", "generated");

export function generated(folder = FOLDER): Plugin {
  return {
    name: "generated",
    buildStart() {
      if (!existsSync(join(folder, "protocol.ts")))
        this.error("src/generated is made from the Python sources: run ./test --only web once.");
    },
  };
}
