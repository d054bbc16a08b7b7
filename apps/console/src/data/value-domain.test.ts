import { expect, it } from "vitest";
import { valueDomain } from "./value-domain.ts";

it.each([
  ["of nothing but zeros has whole cents", [0, 0], [0, 100]],
  ["without values has a length", [], [0, 100]],
  ["of debts alone ends at zero", [-1317, -900], [-1317, 0]],
  ["begins at zero", [34_000, 36_000], [0, 36_000]],
  ["of both goes below zero", [-500, 2000], [-500, 2000]],
])("the axis of a plot %s", (_, values, domain) => {
  expect(valueDomain(values)).toEqual(domain);
});
