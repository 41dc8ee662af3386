// The rules for every script of ours. Undefined names are found by the compiler (tsconfig.json).

import { createRequire } from "node:module";

// the tools are where tests install them
const tools = new URL("testing/target/npm/scripts/package.json", import.meta.url);
const js = createRequire(tools)("@eslint/js");

export default [
  { ignores: ["**/target/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "array-callback-return": "error",
      "default-case-last": "error",
      "dot-notation": "error",
      eqeqeq: "error",
      "no-duplicate-imports": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implicit-coercion": "error",
      "no-new-func": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unreachable-loop": "error",
      "no-unused-private-class-members": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      radix: "error",
    },
  },
];
