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
  /** Set for a list that is also served as CSV, to its last item. */
  csv?: true;
  /** For how many seconds caches may store the response of a public query. Default: they may not. */
  cacheSeconds?: number;
}

/** Who may call a procedure, as the documentation says it. */
export const audiences = {
  public: "Open to everyone, without authentication. A credential that is sent nevertheless must be valid.",
  signedIn: "For every signed-in user, and for every key of an organization.",
  user: "For every signed-in user, and for no key of an organization, which belongs to no user.",
  invited: "For the user whose e-mail address is invited.",
  member: "For members of the organization.",
  memberUser: "For members of the organization, and for no key of it, which belongs to no user.",
  cardholder: "For owners of the organization, and for the holder of the card.",
  holder: "For the holder of the card. Owners cannot call it for a card of another member.",
  ownerOrSelf: "For owners of the organization, and for members about themselves.",
  owner: "For owners of the organization.",
  ownerOrKey: "For owners of the organization, and for its keys with the access `write`.",
  administrator: "For administrators of the service.",
};

/** What a procedure declares besides its contracts. REST, documentation and client are derived from it. */
export interface Meta {
  rest: RestMeta;
  summary: string;
  /**
   * Who may call it, for the documentation. `public` needs no authentication. `access.test.ts` compares it with what the
   * procedure does.
   */
  access: keyof typeof audiences;
  /** What the response holds, as a sentence. Absent for a procedure without an output. */
  returns?: string;
  /**
   * Set for a mutation whose output has a secret that is shown once. It is not stored, so a repeat with the same
   * `Idempotency-Key` is refused.
   */
  returnsSecret?: true;
  /** Errors in addition to those of every procedure. */
  errors?: ProblemCode[];
}
