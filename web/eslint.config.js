import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

/** A word of a stranger's as the key of a plain object may find what every object has, like "constructor". */
const FILLED =
  "VariableDeclarator[id.typeAnnotation.typeAnnotation.typeName.name='Record']" +
  "[id.typeAnnotation.typeAnnotation.typeArguments.params.0.type='TSStringKeyword']" +
  "[init.type='ObjectExpression'][init.properties.length=0]";
const OR_NEW =
  "AssignmentExpression[operator='??='][left.type='MemberExpression'][left.computed=true]";
const MAP = "What data fill is a Map.";

export default ts.config(
  { ignores: ["dist", "src/generated"] },
  ...ts.configs.recommended,
  ...svelte.configs["flat/recommended"],
  {
    languageOptions: { globals: globals.browser },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "no-console": "error",
    },
  },
  {
    files: ["src/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: FILLED, message: MAP },
        { selector: OR_NEW, message: MAP },
      ],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
    // Pages of ours have plain paths: there is no base to resolve.
    rules: { "svelte/no-navigation-without-resolve": "off" },
  },
);
