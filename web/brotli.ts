/* What the server hands out compressed, as small as it gets: it has the time here, and Python has only gzip. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "vite";

/** Writes `<file>.br` beside every text of the bundle. */
export function brotli(): Plugin {
  return {
    name: "brotli",
    async writeBundle({ dir }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!/\.(js|css|svg|html)$/.test(name)) continue;
        const packed = brotliCompressSync(file.type === "chunk" ? file.code : file.source);
        await writeFile(join(dir!, `${name}.br`), packed);
      }
    },
  };
}
