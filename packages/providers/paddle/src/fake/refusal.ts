/** An error response of Paddle. */
export class PaddleRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly string[];

  constructor(status: number, code: string, detail: string, fields: readonly string[] = []) {
    super(detail);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

export function notFound(id: string): PaddleRefusal {
  return new PaddleRefusal(404, "not_found", `Entity ${id} not found`);
}

export function invalidFields(...fields: string[]): PaddleRefusal {
  return new PaddleRefusal(400, "invalid_field", "Request does not pass validation.", fields);
}

/** Builds the body of an error response. */
export function errorBody({ status, code, message, fields }: PaddleRefusal): object {
  const isOurs = status >= 500 || status === 429;
  const errors = fields.map((field) => ({ field, message: "is not valid" }));
  return {
    error: {
      type: isOurs ? "api_error" : "request_error",
      code,
      detail: message,
      documentation_url: `https://developer.paddle.com/errors/shared/${code}`,
      ...(errors.length > 0 && { errors }),
    },
  };
}
