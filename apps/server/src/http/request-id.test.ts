import { expect, it } from "vitest";
import { requestIdOf } from "./request-id.ts";

it("makes another id for each of more requests than one piece of random data is for", () => {
  const ids = Array.from({ length: 1000 }, () => requestIdOf());
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
});
