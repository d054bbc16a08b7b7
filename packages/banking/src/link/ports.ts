import type { Access } from "../connections/ports.ts";

// The part of the port to bank providers that is about hosted links.

/** A page at the provider where a person gives or renews a consent. */
export interface HostedLink {
  url: string;
  expiresAt: Date;
  /** The data that the adapter needs to complete the link. It is sealed before it is stored. */
  state: string;
}

/** A request for a page on which a person gives or renews a consent. */
export interface LinkRequest {
  /** Our permanent id of the link (`lnk_…`), usable as the provider's session id. */
  linkId: string;
  organizationId: string;
  userId: string;
  /** Null if the person chooses the institution at the provider. */
  institutionId: string | null;
  /** Where the provider redirects the person's browser afterwards. It may append query parameters. */
  returnUrl: string;
  /** Whether it is of an existing connection, whose institution the provider may no longer name. */
  continuesConnection: boolean;
  /** The consent to renew; null for a new one. */
  renews: Access | null;
}

/** The consent that a finished link resulted in. */
export interface LinkResult {
  consentId: string;
  /** The institution where the person gave it, which can be another than the requested one. */
  institutionId: string;
}
