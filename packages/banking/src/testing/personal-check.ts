import { expect } from "vitest";
import type { StoredLedger } from "./ledger-model.ts";

/** What a person set on a row, by the row's id. */
type PersonalByRow = ReadonlyMap<string, { category: string | null; note: string | null }>;

/** The invariant of what a person set: it stays on its row, whatever the bank does, until a person changes it. */
export function expectPersonal(known: PersonalByRow, { rows }: StoredLedger): void {
  const stored = rows.filter(({ ownCategory, note }) => ownCategory !== null || note !== null);
  const set = [...known].filter(([, { category, note }]) => category !== null || note !== null);
  expect(
    new Map(stored.map(({ id, ownCategory: category, note }) => [id, { category, note }])),
    "what a person set",
  ).toEqual(new Map(set));
}
