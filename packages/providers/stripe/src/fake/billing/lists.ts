import { type FormFields, invalidRequest, missing } from "../requests.ts";

/** Returns a predicate for the filters that the request holds. */
export function matchesFilters(fields: FormFields, filters: readonly string[]) {
  const sent = filters.filter((name) => fields[name] !== undefined);
  return (object: object) =>
    sent.every((name) => String((object as Record<string, unknown>)[name]) === fields[name]);
}

/** Returns one page, newest first. */
export function listPage<T extends { id: string }>(
  objects: Map<string, T>,
  { limit = "10", starting_after: after }: FormFields,
  matches: (object: T) => boolean,
): object {
  if (!/^([1-9]\d?|100)$/.test(limit))
    throw invalidRequest(400, "This value must be between 1 and 100.", { param: "limit" });
  if (after !== undefined && !objects.has(after)) throw missing("object", after, "starting_after", 400);
  const all = [...objects.values()].toReversed();
  const rest = all
    .slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1)
    .filter(matches);
  const data = rest.slice(0, Number(limit));
  return { object: "list", url: "/v1", has_more: data.length < rest.length, data };
}
