import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const files = globSync("**/*.{ts,tsx,css}", { cwd: import.meta.dirname }).filter(
  (file) => !/\.test\.tsx?$|^testing\/|\.gen\.ts$/.test(file),
);

describe("the sources of the console", () => {
  it.each([
    ["reach the service through the client alone", /\bfetch\(|XMLHttpRequest|EventSource|sendBeacon/],
    // A module of the console may be named so: "./sign-in.ts", "data/sign-in.ts".
    ["leave addresses of the service to the client", /(?<![.\w])\/(api|trpc|docs|sign-in)\b/],
    ["ask the client what a role may do", /\brole\s*[!=]==|isOwner/],
    ["import no other package of ours", /from "@purser\/(?!client["/])/],
    ["write no markup and evaluate no text", /dangerouslySetInnerHTML|\beval\(|new Function\(/],
    // Without a limit, it is the first page. Filters leave less than that.
    [
      "choose from whole lists",
      new RegExp(
        String.raw`\b(cards|policies|accounts|connections|quarantine|members|invitations|keys|webhookEndpoints)` +
          String.raw`\.list\.queryOptions\((?![^)]*(limit|connectionId|mergeableAccountId))`,
      ),
    ],
    ["take their colors from the design tokens", /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch)\(/i],
    [
      "have no state beside Query, the address and React",
      /from "(zustand|jotai|redux|mobx|valtio|@reduxjs\/toolkit)/,
    ],
  ])("%s", (_, refused) => {
    expect(files.length).toBeGreaterThan(20);
    expect(
      files.filter((file) => refused.test(readFileSync(join(import.meta.dirname, file), "utf8"))),
    ).toEqual([]);
  });
});
