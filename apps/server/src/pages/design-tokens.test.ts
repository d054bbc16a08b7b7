import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const styles = globSync("assets/*.css", { cwd: import.meta.dirname }).filter(
  (file) => !file.endsWith("/tokens.css"),
);
const tokens = new Set(read("assets/tokens.css").match(/--[\w-]+(?=:)/g));

describe("the styles of the pages", () => {
  it("take their colors from the design tokens", () => {
    expect(styles.length).toBeGreaterThan(4);
    expect(styles.filter((file) => /#[\da-f]{3,8}\b(?! [{.])/i.test(read(file)))).toEqual([]);
  });

  it.each(styles)("%s uses only tokens that exist", (file) => {
    const own: string[] = read(file).match(/--[\w-]+(?=:)/g) ?? [];
    const used = [...read(file).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!);
    expect(used.filter((name) => !tokens.has(name) && !own.includes(name))).toEqual([]);
  });
});
