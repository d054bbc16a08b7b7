/** The form fields of a request by name, such as `metadata[purser_organization]`. */
export type Fields = Readonly<Record<string, string>>;

/** An error response. */
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
  cause: { code?: string; param?: string } = {},
): Refusal {
  return new Refusal(status, "invalid_request_error", message, cause);
}

export function missing(kind: string, id: string, param = "id", status = 404): Refusal {
  return invalid(status, `No such ${kind}: '${id}'`, { code: "resource_missing", param });
}

export function required(fields: Fields, ...params: string[]): void {
  const param = params.find((name) => !fields[name]);
  if (param === undefined) return;
  throw invalid(400, `Missing required param: ${param}.`, { code: "parameter_missing", param });
}

/** Returns the fields nested in `name`: `metadata[a]` as `a`. */
export function nested(fields: Fields, name: string): Record<string, string> {
  const entries = Object.entries(fields).filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}
