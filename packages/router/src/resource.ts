import { findAccountOwner } from "@purser/banking/accounts";
import { findConnection } from "@purser/banking/connections";
import { findSubscription } from "@purser/billing";
import { findOrganizationOfCard } from "@purser/cards";
import { findPolicy } from "@purser/cards/policies";
import type { ProblemCode } from "@purser/core";
import type { Database } from "@purser/db";
import { findMembership } from "@purser/organizations";
import type { Caller, SignedIn } from "@purser/platform";
import type { Context } from "./context.ts";

/** How the input of a procedure names its organization, directly or through a resource. */
export interface OrganizationLookup<Input> {
  /** The error for a resource that is unknown or invisible to the caller. The two are indistinguishable. */
  missing: ProblemCode;
  /** Returns the id of the organization, or null for an unknown or invisible resource. */
  organizationOf(db: Database, input: Input, caller: Caller): string | null | Promise<string | null>;
  /** What else the input names inside the organization. */
  names?: readonly NamedResource<never>[];
}

/** A resource inside an organization, or a plan, that an input names, or may name. */
export interface NamedResource<Input> {
  /** The error for a resource that is unknown or invisible to the caller. */
  missing: ProblemCode;
  /** Returns whether the caller sees it, or the input does not name it. */
  isVisible: (
    db: Database,
    organizationId: string,
    input: Input,
    ctx: Context & SignedIn,
  ) => Promise<boolean> | true;
}

/** For inputs with `organizationId` or `teamId`. */
export const organizationFromInput: OrganizationLookup<{ organizationId: string } | { teamId: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => ("teamId" in input ? input.teamId : input.organizationId),
};

/** For inputs whose `id` identifies the organization. */
export const theOrganization: OrganizationLookup<{ id: string }> = {
  missing: "ORGANIZATION_NOT_FOUND",
  organizationOf: (_db, input) => input.id,
};

/**
 * For inputs with a field that holds the id of a resource, by which `find` finds its organization.
 *
 * @example
 * .use(inOrganization("owner", ofResource("id", "API_KEY_NOT_FOUND", findOrganizationKeyById)))
 */
export const ofResource = <Field extends string>(
  field: Field,
  missing: ProblemCode,
  find: (db: Database, id: string) => Promise<{ organizationId: string } | undefined>,
): OrganizationLookup<Record<Field, string>> => ({
  missing,
  organizationOf: async (db, { [field]: id }) => (await find(db, id))?.organizationId ?? null,
});

export const ofSubscription = <Field extends string>(field: Field) =>
  ofResource(field, "SUBSCRIPTION_NOT_FOUND", findSubscription);

/** For inputs with `organizationId` or `teamId` that also name these resources. */
export const naming = (
  ...names: NamedResource<never>[]
): OrganizationLookup<{ organizationId: string } | { teamId: string }> => ({
  ...organizationFromInput,
  names,
});

/** A resource by a field of the input that holds its id. */
export const inField = <Field extends string>(
  field: Field,
  missing: ProblemCode,
  find: (db: Database, organizationId: string, id: string, caller: Caller) => Promise<unknown>,
): NamedResource<Partial<Record<Field, string | undefined>>> => ({
  missing,
  isVisible: (db, organizationId, { [field]: id }, { caller }) =>
    id === undefined || find(db, organizationId, id, caller).then(Boolean),
});

export const theConnection = inField("connectionId", "CONNECTION_NOT_FOUND", findConnection);
export const theAccount = inField("accountId", "BANK_ACCOUNT_NOT_FOUND", findAccountOwner);
export const theContinuingAccount = inField("intoAccountId", "BANK_ACCOUNT_NOT_FOUND", findAccountOwner);
export const theFundingAccount = inField("fundingAccountId", "BANK_ACCOUNT_NOT_FOUND", findAccountOwner);
export const thePolicy = policyIn("policyId");
export const thePolicyOfCards = policyIn("cardsOfPolicyId");
export const theCard = inField(
  "cardId",
  "CARD_NOT_FOUND",
  async (db, organizationId, id, caller) => (await findOrganizationOfCard(db, caller, id)) === organizationId,
);
export const theAssignee = inField("assignedToId", "MEMBERSHIP_NOT_FOUND", findMembership);

function policyIn<Field extends string>(field: Field) {
  return inField(field, "CARD_POLICY_NOT_FOUND", (db, organizationId, id) =>
    findPolicy(db, { organizationId, id }),
  );
}
