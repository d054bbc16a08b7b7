// The part of the port to bank providers that is about consents.

/** A bank, as a provider lists it. */
export interface Institution {
  /** The provider's id of the bank: the callers' `providerId`. */
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2, upper case; `unknownCountry` of core if the provider names none. */
  country: string;
  logoUrl: string | null;
}

/** Identifies a consent at its provider, for one organization. */
export interface ConsentReference {
  organizationId: string;
  institutionId: string;
  /** The caller's value, or the result of a link. For Plaid a public token at first, the item id afterwards. */
  consentId: string;
}

/** A consent as the bank granted it. */
export interface Grant {
  /** The permanent id of the consent, which callers see. */
  consentId: string;
  /** The access token; null if the provider's own credentials suffice. It is sealed before it is stored. */
  token: string | null;
  institution: Institution;
  scopes: string[];
  /** When the consent ends at the bank. Null for no end. */
  expiresAt: Date | null;
  /** By when the person should confirm that the consent continues. Reading continues after it. Null for never. */
  reconfirmBy?: Date | null;
  /**
   * Whether scopes and expiry are the maximum that the bank allows. If false, the team may extend both without the
   * bank, as at the sandbox.
   */
  isLimit: boolean;
}

/** What a single-use secret is exchanged for. */
export interface ExchangedConsent {
  /** The permanent id of the consent. */
  consentId: string;
  token: string;
}

/** A consent with its token, for calls that read the bank. */
export interface Access extends ConsentReference {
  token: string | null;
  /** The bank's country, by its account numbers or else as its provider names it. Absent if the call needs none. */
  country?: string | undefined;
  /** The network address of the person, if one is present: such reads do not count as unattended. */
  personAddress?: string | undefined;
  /** The scopes that the bank granted and the team does not use: what they cover must not be read. */
  withheldScopes?: ReadonlySet<string> | undefined;
}

/** The status of a consent at the bank. */
export type ConsentStatus =
  | AuthorizedConsent
  /** The consent has ended for good. Its token is erased, so an adapter that is not sure reports the other status. */
  | { status: "revoked" }
  /** The person has to sign in again; then the consent continues. */
  | { status: "reauthorization_required" };

/** A consent that is in force. */
export interface AuthorizedConsent {
  status: "authorized";
  /** See {@link Grant}. */
  expiresAt: Date | null;
  reconfirmBy?: Date | null;
  /**
   * When the provider last read the bank for the transactions that it serves; null if it does not say. Absent if each
   * reading asks the bank.
   */
  bankReadAt?: Date | null;
}
