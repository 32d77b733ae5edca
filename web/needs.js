/* Types, words and lessons are made from the Python sources. Without them nothing here can be built. */

import { existsSync } from "node:fs";

if (!existsSync("src/generated/protocol.ts")) {
  process.stderr.write(
    "src/generated is made from the Python sources: run ./test --only web once.\n",
  );
  process.exit(1);
}
