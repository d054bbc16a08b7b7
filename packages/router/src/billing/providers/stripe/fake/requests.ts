/** What was sent, by its names in the form: `metadata[purser_organization]`. */
export type Fields = Readonly<Record<string, string>>;

/** An error answer of Stripe's. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(
    status: number,
    type: string,
    message: string,
    { code, param }: { code?: string; param?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }
}

export function invalid(
  status: number,
  message: string,
  where: { code?: string; param?: string } = {},
): Refusal {
  return new Refusal(status, "invalid_request_error", message, where);
}

export function missing(what: string, id: string, param = "id", status = 404): Refusal {
  return invalid(status, `No such ${what}: '${id}'`, { code: "resource_missing", param });
}

export function required(fields: Fields, ...params: string[]): void {
  const param = params.find((name) => !fields[name]);
  if (param === undefined) return;
  throw invalid(400, `Missing required param: ${param}.`, { code: "parameter_missing", param });
}

export function within(fields: Fields, name: string): Record<string, string> {
  const entries = Object.entries(fields).filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}

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
