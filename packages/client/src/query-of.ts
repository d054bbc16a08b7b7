import { dateText } from "@purser/core/wire";

/** Returns the fields as the query of a REST address, with `?`, or nothing. A list is repeated. */
export function queryOf(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined) query.append(name, one instanceof Date ? dateText(one) : String(one));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}
