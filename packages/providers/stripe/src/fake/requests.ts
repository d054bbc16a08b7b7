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

/** The fields of one thing in the form, by their own names: those within `metadata`. */
export function within(fields: Fields, name: string): Record<string, string> {
  const entries = Object.entries(fields).filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}
