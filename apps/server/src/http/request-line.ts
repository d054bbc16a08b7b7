/** What is logged of a request. Nothing in it is personal or secret, and no text contains a quote, a backslash or a control character. */
export interface RequestLine {
  /** Node refuses methods that it does not know. */
  method: string;
  /** The matched pattern, never the path. */
  route: string;
  status: number;
  ms: number;
  requestId: string;
  userId?: string;
  keyId?: string;
}
