import { notFound } from "./refusal.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Call {
  /** The id in the path; empty if the path has none. */
  id: string;
  query: URLSearchParams;
  body: Fields;
}

export function known<T>(things: ReadonlyMap<string, T>, id: string): T {
  const thing = things.get(id);
  if (thing === undefined) throw notFound(id);
  return thing;
}

/** Returns the values of a query parameter that accepts several. */
export function valuesOf(query: URLSearchParams, name: string): string[] | undefined {
  return query.get(name)?.split(",");
}
