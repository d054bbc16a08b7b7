import { registerHooks } from "node:module";

/** Lets a program of this repository load the published client from its sources. Its package leads to a build. */
const sources = new URL("../../../../packages/client/src/", import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const [, entry = "index"] = /^@purser\/client(?:\/(auth|tanstack))?$/.exec(specifier) ?? [null];
    return specifier.startsWith("@purser/client")
      ? { url: new URL(`${entry}.ts`, sources).href, shortCircuit: true }
      : next(specifier, context);
  },
});
