import { issuesOf } from "@purser/core";
import { type Scene, exampleInputs } from "@purser/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "./app-router.ts";
import { inputContractOf, proceduresOf } from "./procedures.ts";

const people = new Proxy({}, { get: () => ({ userId: "user_1" }) });
const scene = new Proxy({}, { get: (_, name) => (name === "people" ? people : "any_1") }) as Scene;

type Path = (string | number)[];

/** The paths of all fields of an input, also of nested ones. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOf(item, [...path, index]));
  if (typeof value !== "object" || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, field]) => [
    [...path, name],
    ...pathsOf(field, [...path, name]),
  ]);
}

/** Removes the field at a path. Items of an array stay, because their places are in paths. */
function without(value: unknown, [name, ...rest]: Path): unknown {
  const entries = Object.entries(value as object).flatMap(([field, inner]) => {
    if (field !== String(name)) return [[field, inner] as const];
    return rest.length === 0 ? [] : [[field, without(inner, rest)] as const];
  });
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

const cases = [...proceduresOf(appRouter).values()].flatMap(({ name, inputs }) => {
  const example = exampleInputs[name]?.(scene) ?? {};
  return pathsOf(example).map((path) => ({ name, path, input: without(example, path), inputs }));
});

describe("the sentence on an absent field", () => {
  const required = cases.flatMap(({ name, path, input, inputs }) => {
    const { error } = z.safeParse(inputContractOf(inputs)!, input);
    const issues = error === undefined ? [] : issuesOf(error);
    const found = issues.filter((issue) => issue.path.join(".") === path.join("."));
    return found.map(({ message }) => ({ field: `${name} ${path.join(".")}`, message }));
  });

  it("says of every field that must be there that it is required", () => {
    expect(required.length).toBeGreaterThan(100);
    expect(required.map(({ field }) => field)).toContain("keys.create access");
    // A contract says itself which of several fields it takes.
    const isSaid = (message: string) => message === "Required" || message.startsWith("Requires ");
    expect(required.filter(({ message }) => !isSaid(message))).toEqual([]);
  });
});
