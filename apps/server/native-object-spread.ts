import { readFile } from "node:fs/promises";
import { type AnyNode, type CallExpression, parse } from "acorn";
import type { Plugin } from "esbuild";

/**
 * An esbuild plugin that lets tRPC spread objects natively. `@trpc/server` is published for engines without object
 * spread, and its helper copies each object property by property, which is a large part of a small request's time
 * (docs/decisions/0012).
 *
 * The build fails if tRPC no longer calls the helper. Then this plugin can be removed.
 */
export function nativeObjectSpread(): Plugin {
  return {
    name: "native-object-spread",
    setup(build) {
      let replaced = 0;
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

const helper = "_objectSpread2";

const missing =
  `@trpc/server no longer calls the function ${helper}. Check how it spreads objects now, ` +
  "then change or remove apps/server/native-object-spread.ts.";

/**
 * Returns the module with an object literal for every call of the helper: `{ ...options, input }` for
 * `_objectSpread2(_objectSpread2({}, options), {}, { input })`.
 */
export function withNativeObjectSpread(source: string): string {
  return source.includes(helper)
    ? textOf(source, parse(source, { ecmaVersion: "latest", sourceType: "module" }))
    : source;
}

function textOf(source: string, node: AnyNode): string {
  let text = "";
  let end = node.start;
  for (const call of outermostCalls(node)) {
    text += `${source.slice(end, call.start)}({ ${propertiesOf(source, call).join(", ")} })`;
    ({ end } = call);
  }
  return text + source.slice(end, node.end);
}

/** The calls of the helper within a node, in the order of the source, without those inside of another one. */
function outermostCalls(node: AnyNode): CallExpression[] {
  return isSpread(node) ? [node] : childrenOf(node).flatMap(outermostCalls);
}

function isSpread(node: AnyNode): node is CallExpression {
  return node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === helper;
}

function childrenOf(node: AnyNode): AnyNode[] {
  const children = Object.values(node).flat().filter(isNode);
  const ordered = children.toSorted((one, other) => one.start - other.start);
  // The name of a shorthand property is its key and also its value.
  return ordered.filter(({ start }, nth) => start !== ordered[nth + 1]?.start);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The compiler passes new objects as the target, so nothing else holds what the helper would change. */
function propertiesOf(source: string, { arguments: parts }: CallExpression): string[] {
  return parts.flatMap((part) => {
    if (isSpread(part)) return propertiesOf(source, part);
    if (part.type === "ObjectExpression") return part.properties.map((property) => textOf(source, property));
    return [`...${textOf(source, part)}`];
  });
}
