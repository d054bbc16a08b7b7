import { type Fields, invalid, missing } from "../../fake/requests.ts";

/** Whether a thing has what the filters say, of those that were sent. */
export function isLike(fields: Fields, filters: readonly string[]) {
  const sent = filters.filter((name) => fields[name] !== undefined);
  return (thing: object) =>
    sent.every((name) => String((thing as Record<string, unknown>)[name]) === fields[name]);
}

/** A page, the newest first. */
export function listed<T extends { id: string }>(
  things: Map<string, T>,
  { limit = "10", starting_after: after }: Fields,
  isWanted: (thing: T) => boolean,
): object {
  if (!/^([1-9]\d?|100)$/.test(limit))
    throw invalid(400, "This value must be between 1 and 100.", { param: "limit" });
  if (after !== undefined && !things.has(after)) throw missing("object", after, "starting_after", 400);
  const all = [...things.values()].toReversed();
  const rest = all
    .slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1)
    .filter(isWanted);
  const data = rest.slice(0, Number(limit));
  return { object: "list", url: "/v1", has_more: data.length < rest.length, data };
}
