import { notFound } from "./refusal.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Call {
  /** The id in the path; empty where there is none. */
  id: string;
  query: URLSearchParams;
  body: Fields;
}

export function known<T>(things: ReadonlyMap<string, T>, id: string): T {
  const thing = things.get(id);
  if (thing === undefined) throw notFound(id);
  return thing;
}

/** The values of a query parameter that takes several. */
export function valuesOf(query: URLSearchParams, name: string): string[] | undefined {
  return query.get(name)?.split(",");
}
