/** The fake's response to one call. */
export interface LithicReply {
  status: number;
  body: object;
}

export function refused(status: number, message: string): LithicReply {
  return { status, body: { message, debugging_request_id: lithicToken("debd", status) } };
}

/** A token in Lithic's form: a UUID. */
export function lithicToken(kind: string, number: number): string {
  return `00000000-0000-4000-${kind}-${String(number).padStart(12, "0")}`;
}
