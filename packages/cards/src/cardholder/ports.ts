import type { cardholderDetailNames } from "@purser/core";

/** A detail of a cardholder that issuers may require. */
export type CardholderDetailName = (typeof cardholderDetailNames)[number];

/** What a person entered about themselves as a cardholder. Sealed in the database: never log it. */
export interface CardholderDetails {
  name?: { first: string; last: string };
  /** YYYY-MM-DD. */
  dateOfBirth?: string;
  /** E.164. */
  phoneNumber?: string;
  address?: {
    line1: string;
    line2?: string | undefined;
    city: string;
    state?: string | undefined;
    postalCode: string;
    /** ISO 3166-1 alpha-2, upper case. */
    country: string;
  };
  /** When and from which IP address the person accepted the issuer's terms; no address for a call in process. */
  termsAcceptance?: { acceptedAt: string; ip: string | null };
  /** A US SSN or ITIN. */
  governmentId?: string;
}

/** A person as the holder of an organization's cards. */
export interface Cardholder {
  /** The id of the user. */
  id: string;
  /** The name of the account. The details may have the legal name. */
  name: string;
  email: string;
  /** None by default. */
  details?: CardholderDetails;
}

/** A person whose purchases an issuer declines, with all their cards, until it has been settled there. */
export interface BlockedCardholder {
  /** The issuer's id of the person. */
  cardholder: string;
  organizationId: string;
  userId: string;
  /** Why, in the issuer's words, without personal data. */
  reason: string;
}
