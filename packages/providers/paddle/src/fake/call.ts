import { notFound } from "./refusal.ts";

export type PaddleFields = Readonly<Record<string, unknown>>;

export interface PaddleRequest {
  /** The id in the path; empty if the path has none. */
  id: string;
  query: URLSearchParams;
  body: PaddleFields;
}

export function requireEntity<T>(entities: ReadonlyMap<string, T>, id: string): T {
  const entity = entities.get(id);
  if (entity === undefined) throw notFound(id);
  return entity;
}

/** Returns the values of a query parameter that accepts several. */
export function valuesOf(query: URLSearchParams, name: string): string[] | undefined {
  return query.get(name)?.split(",");
}
