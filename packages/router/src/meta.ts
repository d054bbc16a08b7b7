import type { ProblemCode } from "@purser/core";

/** Where a procedure stands on REST. */
export interface RestMeta {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters as `:name`; each is a field of the input. */
  path: `/api/${string}`;
  /** Path parameters whose name differs from their field: parameter → field. */
  params?: Record<string, string>;
  /** 201 for a procedure that creates something. Otherwise 200, or 204 where there is no output. */
  status?: 201;
}

/** What a procedure declares beside its contracts. Documentation and client are generated from it. */
export interface Meta {
  rest: RestMeta;
  summary: string;
  /** Whether a call needs no sign-in. */
  public?: true;
  /** The errors beyond those that every procedure has. */
  errors?: ProblemCode[];
}
