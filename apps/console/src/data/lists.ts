import type { BankAccount } from "@purser/client";
import { purser, queries } from "./purser.ts";
import { wholeList } from "./whole-list.ts";

const { banking, cards, keys, organizations, webhookEndpoints } = purser;

/** All cards of an organization that the person may see. */
export const allCards = (organizationId: string) => wholeList(cards.list, { organizationId });

/** All policies of an organization. */
export const allPolicies = (organizationId: string) => wholeList(cards.policies.list, { organizationId });

/** All members of an organization. */
export const allMembers = (organizationId: string) =>
  wholeList(organizations.members.list, { organizationId });

/** All invitations of an organization. */
export const allInvitations = (organizationId: string) =>
  wholeList(organizations.invitations.list, { organizationId });

/** All bank accounts of a team. */
export const allAccounts = (teamId: string) => wholeList(banking.accounts.list, { teamId });

/** Whether an account is still read: its bank is, and lists it. */
export const isConnected = ({ connection, isListed }: BankAccount): boolean =>
  connection.status === "ACTIVE" && isListed;

/** All bank connections of a team, also those that were disconnected. */
export const allConnections = (teamId: string) => wholeList(banking.connections.list, { teamId });

export const quarantineLimit = 1000;

/** The first bank data of a team that waits for a decision: there is no end of what a bank may get wrong. */
export const firstQuarantined = (teamId: string) =>
  queries.banking.quarantine.list.queryOptions({ teamId, limit: quarantineLimit });

/** All API keys of an organization, also those that were revoked. */
export const allKeys = (organizationId: string) => wholeList(keys.list, { organizationId });

/** All webhook endpoints of an organization. */
export const allEndpoints = (organizationId: string) => wholeList(webhookEndpoints.list, { organizationId });
