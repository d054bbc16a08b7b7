import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Exported names with several definitions, and why. */
const exceptions: Record<string, string> = {
  Issue: "published in the client, which has no dependencies",
  ProblemDocument: "published in the client, which has no dependencies",
  setup: "the name that vitest calls in a module of `globalSetup`",
};

const files = globSync("{packages,apps,bench}/**/*.ts", {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|generated|consumer)$|\.generated\.ts$/.test(path),
  // A record of procedures is named after its path: router/src/banking/accounts.ts exports `accounts`.
}).filter((file) => !/^packages\/router\/src\/[^/]+\//.test(file));

/** The files that define each exported name. A schema and its type may share a name within one file. */
const definitions = new Map<string, Set<string>>();
for (const file of files) {
  for (const name of exportedNames(readFileSync(join(root, file), "utf8"))) {
    definitions.set(name, (definitions.get(name) ?? new Set()).add(file));
  }
}
const doubled = [...definitions].filter(([, places]) => places.size > 1);

function exportedNames(text: string): string[] {
  const declaration =
    /^export (?:declare |abstract |async )*(?:function\*?|const|class|interface|type) (\w+)/gm;
  const destructuring = /^export const \{([^}]*)\} =/gm;
  const destructured = [...text.matchAll(destructuring)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.split(":").at(-1)!.trim()),
  );
  const declared = [...text.matchAll(declaration)].map(([, name = ""]) => name);
  return [...declared, ...destructured.filter((name) => name !== "")];
}

it("a search for an exported name finds one definition", () => {
  expect(definitions.size).toBeGreaterThan(1000);
  const unexpected = doubled.filter(([name]) => !(name in exceptions));
  expect(unexpected.map(([name, places]) => `${name}: ${[...places].join(", ")}`)).toEqual([]);
});

it("every exception is needed", () => {
  const names = new Set(doubled.map(([name]) => name));
  expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([]);
});
