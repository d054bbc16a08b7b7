import { builtService } from "@purser/testing";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { nativeObjectSpread, withNativeObjectSpread } from "./native-object-spread.ts";

const dist = dirname(fileURLToPath(import.meta.resolve("@trpc/server")));
/** tRPC's helper functions without the rest of their module. */
let helpers: string;

beforeAll(async () => {
  const names = (await readdir(dist)).filter((name) => name.endsWith(".mjs"));
  const sources = await Promise.all(names.map((name) => readFile(join(dist, name), "utf8")));
  const source = sources.find((text) => text.includes("function _objectSpread2("))!;
  helpers = source
    .slice(source.indexOf("function _typeof"), source.indexOf("function getErrorShape"))
    .replaceAll(/^import .*$/gm, "");
});

/** Evaluates expressions beside tRPC's helpers, each with new values. */
async function evaluate(expressions: readonly string[], change: (module: string) => string = (text) => text) {
  const results = `export const results = [${expressions.map((text) => `() => (${text})`).join(", ")}].map((run) => run());`;
  const module = `${helpers}\n${values}\n${change(results)}`;
  const { results: evaluated } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  return evaluated as object[];
}

const values = `
  const symbol = Symbol.for("purser");
  const inherited = Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } });
  const hidden = Object.defineProperty({ shown: 1 }, "hidden", { value: 2, enumerable: false });
  const getter = { get computed() { return 3; } };
  const a = 1;
`;

describe("the native object spread", () => {
  it("is in the built service", async () => {
    const folder = dirname(await builtService());
    const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(scripts.map((name) => readFile(join(folder, name), "utf8")));
    const middlewares = texts.flatMap(
      (text) => /async function callRecursive\(.*?^\}/ms.exec(text)?.[0] ?? [],
    );
    expect(middlewares).toEqual([expect.stringContaining("...opts")]);
    expect(middlewares[0]).not.toContain("_objectSpread2");
  });

  it("results in the same objects as tRPC's own helper", async () => {
    // Copies, extensions by a literal, and what may stand between and inside them.
    const expressions = [
      '_objectSpread2({}, { a: 1, [symbol]: 2, 2: "two", 1: "one" })',
      "_objectSpread2({}, inherited)",
      "_objectSpread2({}, hidden)",
      "_objectSpread2({}, getter)",
      "_objectSpread2({}, null)",
      `_objectSpread2({}, JSON.parse('{ "__proto__": { "a": 1 } }'))`,
      "_objectSpread2({ a: 1, b: 2 }, { b: 3 })",
      "_objectSpread2(_objectSpread2({}, { a: 1, b: 2 }), {}, { b: 3, c() {} })",
      "_objectSpread2(_objectSpread2({}, { b: 1, a: 2 }), {}, { a: undefined })",
      "_objectSpread2({ a }, a ? _objectSpread2({}, { c: `${_objectSpread2({}, { d: 4 }).d}` }) : {})",
      "[1, 2].map((one) => _objectSpread2(_objectSpread2({}, { one }), one > 1 && { two: true }))[1]",
    ];
    const expected = await evaluate(expressions);
    const actual = await evaluate(expressions, (text) => {
      expect(withNativeObjectSpread(text)).not.toContain("_objectSpread2");
      return withNativeObjectSpread(text);
    });
    for (const [nth, object] of actual.entries()) {
      expect(String(Object.entries(object))).toBe(String(Object.entries(expected[nth]!)));
      expect(Reflect.ownKeys(object)).toEqual(Reflect.ownKeys(expected[nth]!));
    }
  });

  it("fails a build in which tRPC does not define the helper", async () => {
    const bundled = build({
      stdin: { contents: "export {}" },
      write: false,
      logLevel: "silent",
      plugins: [nativeObjectSpread()],
    });
    await expect(bundled).rejects.toThrow("@trpc/server no longer calls the function _objectSpread2");
  });
});
