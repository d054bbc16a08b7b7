import { afterEach, expect, it, vi } from "vitest";
import { printRows } from "./output.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("escapes in JSON the characters that a terminal would obey, and keeps the text", () => {
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const rows = [{ lastError: "\u009b2J\u007f\u001b[2J" }];
  printRows(rows, ["lastError"], { json: true });
  expect(printed).not.toMatch(/[^\P{Cc}\n]/u);
  expect(JSON.parse(printed)).toEqual(rows);
});
