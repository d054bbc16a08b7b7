/** The form fields of a request by name, such as `metadata[purser_organization]`. */
export type FormFields = Readonly<Record<string, string>>;

/** An error response. */
export class StripeRefusal extends Error {
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

export function invalidRequest(
  status: number,
  message: string,
  cause: { code?: string; param?: string } = {},
): StripeRefusal {
  return new StripeRefusal(status, "invalid_request_error", message, cause);
}

export function missing(kind: string, id: string, param = "id", status = 404): StripeRefusal {
  return invalidRequest(status, `No such ${kind}: '${id}'`, { code: "resource_missing", param });
}

export function required(fields: FormFields, ...params: string[]): void {
  const param = params.find((name) => !fields[name]);
  if (param === undefined) return;
  throw invalidRequest(400, `Missing required param: ${param}.`, { code: "parameter_missing", param });
}

/** Returns the fields nested in `name`: `metadata[a]` as `a`. */
export function nested(fields: FormFields, name: string): Record<string, string> {
  const entries = Object.entries(fields).filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}

/** Reads `a[b][0]=c` as `{ a: { b: ["c"] } }`. */
export function nestedFields(parameters: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    const keys = name.split(/\[|\]\[|\]$/).filter((key) => key !== "");
    const last = keys.pop()!;
    let target: Record<string, unknown> = fields;
    for (const key of keys) target = (target[key] ??= {}) as Record<string, unknown>;
    target[last] = value;
  }
  return listed(fields) as Record<string, unknown>;
}

function listed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
