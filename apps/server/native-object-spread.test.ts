import { builtService } from "@purser/testing";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { nativeObjectSpread, withNativeObjectSpread } from "./native-object-spread.ts";

type Spread = (target: object, ...sources: unknown[]) => Record<PropertyKey, unknown>;

const dist = dirname(fileURLToPath(import.meta.resolve("@trpc/server")));
let published: Spread;
let native: Spread;

beforeAll(async () => {
  const names = (await readdir(dist)).filter((name) => name.endsWith(".mjs"));
  const sources = await Promise.all(names.map((name) => readFile(join(dist, name), "utf8")));
  const source = sources.find((text) => withNativeObjectSpread(text) !== text)!;
  published = await spreadOf(source);
  native = await spreadOf(withNativeObjectSpread(source));
});

/** Evaluates tRPC's helper functions without the rest of the module. */
async function spreadOf(module: string): Promise<Spread> {
  const helpers = module.slice(module.indexOf("function _typeof"), module.indexOf("function getErrorShape"));
  const text = `${helpers.replaceAll(/^import .*$/gm, "")}\nexport { _objectSpread2 };`;
  const { _objectSpread2 } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return _objectSpread2 as Spread;
}

describe("the native object spread", () => {
  it("is in the built service", async () => {
    const folder = dirname(await builtService());
    const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(scripts.map((name) => readFile(join(folder, name), "utf8")));
    const withHelper = texts.find((text) => text.includes("function getErrorShape("));
    expect(withHelper).toContain("{ ...target, ...first } : Object.assign(target, first, literal)");
  });

  it("results in the same objects as tRPC's own helper", () => {
    const method = () => 1;
    const symbol = Symbol("symbol");
    const hidden = Object.defineProperty({ shown: 1 }, "hidden", { value: 2, enumerable: false });
    const inherited = Object.assign(Object.create({ above: 1 }) as object, { own: 2 });
    const getter = {
      get computed() {
        return 3;
      },
    };
    // The two kinds of calls that the compiler writes: a copy, and an extension by a literal.
    const calls: (() => [object, ...unknown[]])[] = [
      () => [{}, { a: 1, [symbol]: 2, 2: "two", 1: "one" }],
      () => [{}, inherited],
      () => [{}, hidden],
      () => [{}, getter],
      () => [{}, null],
      () => [{}, JSON.parse('{ "__proto__": { "a": 1 } }')],
      () => [{ a: 1, b: 2 }, { b: 3 }],
      () => [{ a: 1, b: 2 }, {}, { b: 3, c: method }],
      () => [{ b: 1, a: 2 }, {}, { a: undefined }],
    ];
    for (const call of calls) {
      const expected = published(...call());
      const actual = native(...call());
      expect(actual).toStrictEqual(expected);
      expect(Reflect.ownKeys(actual)).toEqual(Reflect.ownKeys(expected));
    }
  });

  it("fails a build in which tRPC does not define the helper", async () => {
    const bundled = build({
      stdin: { contents: "export {}" },
      write: false,
      logLevel: "silent",
      plugins: [nativeObjectSpread()],
    });
    await expect(bundled).rejects.toThrow("@trpc/server no longer defines the function _objectSpread2");
  });
});
