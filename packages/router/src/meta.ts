import type { ProblemCode } from "@purser/core";

/** The REST address of a procedure. */
export interface RestMeta {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters are written `:name`. Each is a field of the input. */
  path: `/api/${string}`;
  /** For path parameters whose name differs from the input field: parameter → field. */
  params?: Record<string, string>;
  /** 201 for a procedure that creates something. Default: 200, or 204 for a void output. */
  status?: 201;
}

/** What a procedure declares besides its contracts. REST, documentation and client are derived from it. */
export interface Meta {
  rest: RestMeta;
  summary: string;
  /** Set for a procedure that needs no authentication. */
  public?: true;
  /** Errors in addition to those of every procedure. */
  errors?: ProblemCode[];
}
