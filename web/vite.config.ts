import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const WORDS = /\/(?:capolinea\/words|web\/src\/words|poster)\/(\w\w)\.json$/;

export default defineConfig({
  plugins: [svelte()],
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
        codeSplitting: {
          // What every page says is one file a language: the common words, the pages', the posters'.
          groups: [{ name: (id) => WORDS.exec(id)?.[1]?.replace(/^/, "words-") ?? null }],
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
