import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { originFields, withOrigin } from "./release.ts";

const fields = {
  homepage: "https://git.example.com/finance/purser#readme",
  bugs: "https://git.example.com/finance/purser/issues",
  repository: {
    type: "git",
    url: "git+https://git.example.com/finance/purser.git",
    directory: "packages/client",
  },
};

describe("the origin of the published package", () => {
  it.each([
    "https://git.example.com/finance/purser.git",
    "https://git.example.com/finance/purser",
    "https://robot:secret@git.example.com/finance/purser.git",
    "git@git.example.com:finance/purser.git",
    "ssh://git@git.example.com/finance/purser.git",
    "ssh://git@git.example.com:2222/finance/purser.git",
  ])("is named for %s", (origin) => expect(originFields(origin)).toEqual(fields));

  it.each(["", "/srv/purser.git", "file:///srv/purser", "https://localhost/purser", "../purser"])(
    "is refused for '%s', which nobody else can open",
    (origin) => expect(() => originFields(origin)).toThrow("Run: git remote set-url origin https://"),
  );

  it("is in the package while it is published, and not afterwards", async () => {
    const folder = await mkdtemp(join(tmpdir(), "purser-release-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "package.json");
    const text = '{ "name": "@purser/client" }\n';
    await writeFile(file, text);
    const published = await withOrigin(file, "git@git.example.com:finance/purser.git", () =>
      readFile(file, "utf8"),
    );
    expect(JSON.parse(published)).toEqual({ name: "@purser/client", ...fields });
    expect(await readFile(file, "utf8")).toBe(text);
    const failed = withOrigin(file, "git@git.example.com:finance/purser.git", () => {
      throw new Error("The registry refuses it");
    });
    await expect(failed).rejects.toThrow("The registry refuses it");
    expect(await readFile(file, "utf8")).toBe(text);
  });
});
