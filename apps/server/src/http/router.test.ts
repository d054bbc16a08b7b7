import { TrieRouter } from "hono/router/trie-router";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestService } from "../testing/service.ts";
import { WordsFirstRouter } from "./router.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** The first path that matches, which is the one that Hono calls. */
function matched(router: WordsFirstRouter<string> | TrieRouter<string>, method: string, path: string) {
  const [handlers] = router.match(method, path);
  return handlers[0]?.[0];
}

describe("WordsFirstRouter", () => {
  it("matches every address of the service as Hono's slowest and most complete router does", async () => {
    const service = await createTestService();
    onTestFinished(() => service.close());
    const { routes } = service.app;
    const [ours, theirs] = [new WordsFirstRouter<string>(), new TrieRouter<string>()];
    for (const { method, path } of routes) {
      ours.add(method, path, `${method} ${path}`);
      theirs.add(method, path, `${method} ${path}`);
    }
    const words = [
      ...new Set(routes.flatMap(({ path }) => path.split("/").filter((part) => /^\w/.test(part)))),
    ];
    const filled = routes.flatMap(({ path }) =>
      ["x", "a.b", "%2F", ...words].map((word) => path.replaceAll(/:\w+|\*/g, word)),
    );
    const paths = [
      ...new Set(filled.flatMap((path) => [path, `${path}/`, `${path}/x`, `/${path}`, `${path}x`])),
    ];
    expect(paths.length).toBeGreaterThan(1000);
    const differing = paths.flatMap((path) =>
      methods
        .filter((method) => matched(ours, method, path) !== matched(theirs, method, path))
        .map((method) => `${method} ${path}`),
    );
    expect(differing).toEqual([]);
  });

  it("prefers words to parameters, whatever was added first", () => {
    const router = new WordsFirstRouter<string>();
    for (const path of ["/a/*", "/a/:id", "/:x/b", "/a/b/:id", "/a/:id/c", "/a/b"])
      router.add("GET", path, path);
    const first = (path: string) => matched(router, "GET", path);
    expect(["/a/b", "/a/x", "/x/b", "/a/b/c", "/a/x/c", "/a/x/d", "/x"].map(first)).toEqual([
      "/a/b",
      "/a/*",
      "/:x/b",
      "/a/b/:id",
      "/a/*",
      "/a/*",
      undefined,
    ]);
  });

  it("returns the parameters of a path", () => {
    const router = new WordsFirstRouter<string>();
    router.add("GET", "/api/cards/policies/:id", "policy");
    router.add("GET", "/api/cards/:cardId/decisions/:id", "decision");
    const [[handler], values] = router.match("GET", "/api/cards/c1/decisions/d2") as [
      [[string, Record<string, number>]],
      string[],
    ];
    expect(handler[0]).toBe("decision");
    const parameters = Object.entries(handler[1]).map(([name, index]) => [name, values[index]]);
    expect(Object.fromEntries(parameters)).toEqual({ cardId: "c1", id: "d2" });
  });
});
