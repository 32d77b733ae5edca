import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { brotli } from "./brotli.ts";
import { fonts } from "./fonts.ts";
import { words } from "./words.ts";

const WORDS = /\/(?:capolinea\/words|web\/src\/words|poster)\/(\w\w)\.json$/;

export default defineConfig({
  plugins: [svelte(), fonts(), words(), brotli()],
  // The catalogues and drawings that both sides use lie beside this folder.
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: process.env.CAPOLINEA_URL ?? "http://localhost:1905", ws: true } },
  },
  build: {
    target: "es2022",
    // The content security policy knows no inline data but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What is shared would be called by the names of all who share it.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
        assetFileNames: ({ names: [name] }) => `assets/${name!.split(/[~.]/)[0]}-[hash][extname]`,
        codeSplitting: {
          groups: [
            // What every page says is one file a language: the common words, the pages', the posters'.
            { name: (id) => WORDS.exec(id)?.[1]?.replace(/^/, "words-") ?? null, priority: 2 },
            // What the home page needs is needed everywhere: one file. Of what else several screens share,
            // small pieces go together, since each file costs a request.
            { name: "page", tags: ["$initial"], priority: 1 },
            {
              name: "shared",
              test: /\/web\/src\/(lib|parts|screens)\//,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 30_000,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.ts"],
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : undefined,
});
