import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * An esbuild plugin that lets tRPC spread objects natively. `@trpc/server` is published for engines without object
 * spread, and its helper copies each object property by property, which is a large part of a small request's time
 * (docs/decisions/0012).
 *
 * The build fails if tRPC no longer contains the helper. Then this plugin can be removed.
 */
export function nativeObjectSpread(): Plugin {
  return {
    name: "native-object-spread",
    setup(build) {
      let replaced = 0;
      // By function name, because tRPC's file names contain a hash.
      build.onLoad({ filter: /[\\/]@trpc[\\/]server[\\/]dist[\\/].*\.mjs$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const contents = withNativeObjectSpread(source);
        if (contents !== source) replaced += 1;
        return { contents, loader: "js" };
      });
      build.onEnd(() => (replaced > 0 ? {} : { errors: [{ text: missing }] }));
    },
  };
}

const missing =
  "@trpc/server no longer defines the function _objectSpread2. Check how it spreads objects now, " +
  "then change or remove apps/server/native-object-spread.ts.";

/** Returns the module with another body for `_objectSpread2`, or the same text if it does not define it. */
export function withNativeObjectSpread(source: string): string {
  return source.replace(/^function _objectSpread2\(.*?^\}$/ms, () => replacement);
}

/**
 * tRPC's compiler passes a new object as the target, at most two sources, and as the second source only an object
 * literal. So the literal can extend the target, which is faster than a third copy.
 */
const replacement = `function _objectSpread2(target, first, literal) {
	return literal === undefined ? { ...target, ...first } : Object.assign(target, first, literal);
}`;
