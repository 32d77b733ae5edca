import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

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
  },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.ts"],
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : undefined,
});
