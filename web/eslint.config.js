import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist", "src/generated"] },
  ...ts.configs.recommended,
  ...svelte.configs["flat/recommended"],
  {
    languageOptions: { globals: globals.browser },
    rules: { "@typescript-eslint/consistent-type-imports": "error", "no-console": "error" },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
    // Pages of ours have plain paths: there is no base to resolve.
    rules: { "svelte/no-navigation-without-resolve": "off" },
  },
);
