// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

import type { PurserList, PurserMutation, PurserQuery, PurserStream } from "../methods.ts";

/** The caller. */
export interface Me {
  /**
   * The id of the user, not of the membership.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  id: string;
  /**
   * The user's name. Null if it is not known.
   *
   * @example "Demo Owner"
   */
  name: string | null;
  /**
   * The user's e-mail address, in lower case.
   *
   * @example "owner@demo.example"
   */
  email: string;
  /**
   * Whether the address is confirmed. Where the service requires that, as it does in production by default, invitations, and creating keys of an organization and webhook endpoints, need it.
   *
   * @example true
   */
  emailVerified: boolean;
  /**
   * The address of the user's picture. Null if there is none.
   *
   * @example "https://demo.example/owner.png"
   */
  avatarUrl: string | null;
  /**
   * Whether the user administers the service. That is no right in any organization.
   *
   * @example false
   */
  isAdministrator: boolean;
  /**
   * Whether a sign-in with the password asks for a one-time code as well.
   *
   * @example true
   */
  twoFactorEnabled: boolean;
  /** The caller's memberships, newest organization first: the first 1,000 of them. */
  memberships: OwnMembership[];
}

/** A membership of the caller. */
export interface OwnMembership {
  /**
   * The membership's id, not the user's.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  id: string;
  /**
   * What a member may do.
   *
   * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
   * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
   *
   * @example "OWNER"
   */
  role: Role;
  /**
   * Whether the member created the organization. The creator cannot be removed or demoted.
   *
   * @example true
   */
  isCreator: boolean;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The organization's name, on one line.
   *
   * @example "Fernhill Studio"
   */
  organizationName: string;
}

/**
 * What a member may do.
 *
 * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
 * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
 */
export type Role = "OWNER" | "MEMBER";

/** An API key of an organization, without its secret. It belongs to no user. */
export interface OrganizationKey {
  /**
   * The key's id, which is no secret.
   *
   * @example "key_01kk6m3w0pe5brx2y7vd4s9h8q"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The key's name, on one line. The audit trail shows it.
   *
   * @example "Accounting export"
   */
  name: string;
  /**
   * What the key may do in its organization: what a member may. With `write`, it also has two rights of an owner.
   *
   * - `read`: What a member without cards may read.
   * - `write`: What a member may read and change. As an owner may, it also manages webhook endpoints, and reads every event: of all purchases, cards, invitations and keys.
   *
   * @example "read"
   */
  access: "read" | "write";
  /**
   * The first characters of the key, to distinguish keys.
   *
   * @example "purser_org_4kJx"
   */
  start: string;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * From when on it is refused. Null if never.
   *
   * @example new Date("2027-03-02T00:00:00.000Z")
   */
  expiresAt: Date | null;
  /**
   * When it was last used, to the minute. Null if it never was.
   *
   * @example null
   */
  lastUsedAt: Date | null;
  /**
   * When it was revoked. Null if it was not.
   *
   * @example null
   */
  revokedAt: Date | null;
}

/** A new API key of an organization, with its secret. */
export interface CreatedOrganizationKey {
  /**
   * The key's id, which is no secret.
   *
   * @example "key_01kk6m3w0pe5brx2y7vd4s9h8q"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The key's name, on one line. The audit trail shows it.
   *
   * @example "Accounting export"
   */
  name: string;
  /**
   * What the key may do in its organization: what a member may. With `write`, it also has two rights of an owner.
   *
   * - `read`: What a member without cards may read.
   * - `write`: What a member may read and change. As an owner may, it also manages webhook endpoints, and reads every event: of all purchases, cards, invitations and keys.
   *
   * @example "read"
   */
  access: "read" | "write";
  /**
   * The first characters of the key, to distinguish keys.
   *
   * @example "purser_org_4kJx"
   */
  start: string;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * From when on it is refused. Null if never.
   *
   * @example new Date("2027-03-02T00:00:00.000Z")
   */
  expiresAt: Date | null;
  /**
   * When it was last used, to the minute. Null if it never was.
   *
   * @example null
   */
  lastUsedAt: Date | null;
  /**
   * When it was revoked. Null if it was not.
   *
   * @example null
   */
  revokedAt: Date | null;
  /**
   * The key for the header `X-Api-Key`. Only this response contains it; keep it secret.
   *
   * @example "purser_org_4kJxTq0vYb3mN8sRw2LdE6hUzGf1PcA9iXoVtKjB5nM"
   */
  key: string;
}

/** Something that happened in an organization, written in the same transaction as the change. `type` determines what `data` is. More types may be added. */
export type Event = OrganizationUpdatedEvent | OrganizationSettingsUpdatedEvent | MemberJoinedEvent | MemberRoleUpdatedEvent | MemberRemovedEvent | InvitationCreatedEvent | InvitationAcceptedEvent | InvitationRevokedEvent | ApiKeyCreatedEvent | ApiKeyRevokedEvent | BankConnectionConnectedEvent | BankConnectionSyncedEvent | BankConnectionSyncFailedEvent | BankConnectionNeedsReauthorizationEvent | BankConnectionConsentExpiringEvent | BankConnectionDisconnectedEvent | BankAccountUpdatedEvent | BankTransactionsChangedEvent | CardCreatedEvent | CardUpdatedEvent | CardStatusChangedEvent | CardAssignedEvent | CardRevealedEvent | CardPolicyCreatedEvent | CardPolicyUpdatedEvent | CardTransactionApprovedEvent | CardTransactionDeclinedEvent | CardTransactionIncrementedEvent | CardTransactionReversedEvent | CardTransactionSettledEvent | CardTransactionRefundedEvent | CardTransactionExpiredEvent | SubscriptionCreatedEvent | SubscriptionUpdatedEvent | SubscriptionPastDueEvent | SubscriptionCanceledEvent | SubscriptionRenewedEvent | WebhookEndpointDisabledEvent;

/** The name or the picture of the organization was changed. An update that changes nothing makes no event. */
export interface OrganizationUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "organization.updated"
   */
  type: "organization.updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "organization"
     */
    type: "organization";
    /**
     * The id of the subject.
     *
     * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Organization;
}

/** A company or group whose members share its money. Banking and billing call it a team. */
export interface Organization {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
  /**
   * The organization's name, on one line.
   *
   * @example "Fernhill Studio"
   */
  name: string;
  /**
   * The address of the organization's picture, http or https. The service never fetches it. Null if there is none.
   *
   * @example "https://fernhill.example/logo.png"
   */
  avatarUrl: string | null;
}

/** The settings of the organization were changed. The subject is the organization, the data are the settings. */
export interface OrganizationSettingsUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "organization.settings_updated"
   */
  type: "organization.settings_updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "organization"
     */
    type: "organization";
    /**
     * The id of the subject.
     *
     * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: OrganizationSettings;
}

/** The settings of an organization. */
export interface OrganizationSettings {
  /**
   * The IANA time zone in which the organization's days, weeks and months start, for example for spending limits. UTC by default.
   *
   * @example "Europe/London"
   */
  timeZone: string;
  /**
   * Whether a purchase that exceeds what is left of a daily, weekly or monthly limit is approved for what is left, where the merchant accepts less than it requested. Off by default.
   *
   * @example false
   */
  partialApprovals: boolean;
}

/** A user became a member. */
export interface MemberJoinedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "member.joined"
   */
  type: "member.joined";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "member"
     */
    type: "member";
    /**
     * The id of the subject.
     *
     * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: OrganizationMember;
}

/** A user's membership in the named organization. */
export interface OrganizationMember {
  /**
   * The membership's id, not the user's.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  id: string;
  /**
   * The id of the user. A card's `assignedToId` takes it.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId: string;
  /**
   * What a member may do.
   *
   * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
   * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
   *
   * @example "OWNER"
   */
  role: Role;
  /**
   * Whether the member created the organization. The creator cannot be removed or demoted.
   *
   * @example true
   */
  isCreator: boolean;
  /** The user behind a membership. */
  user?: MemberUser | undefined;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
}

/** The user behind a membership. */
export interface MemberUser {
  /**
   * The id of the user, not of the membership.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  id: string;
  /**
   * The user's name. Null if it is not known.
   *
   * @example "Demo Owner"
   */
  name: string | null;
  /**
   * The user's e-mail address, in lower case.
   *
   * @example "owner@demo.example"
   */
  email: string;
  /**
   * The address of the user's picture. Null if there is none.
   *
   * @example "https://demo.example/owner.png"
   */
  avatarUrl: string | null;
}

/** A member got another role, or became the creator, or is no longer the creator. */
export interface MemberRoleUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "member.role_updated"
   */
  type: "member.role_updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "member"
     */
    type: "member";
    /**
     * The id of the subject.
     *
     * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: OrganizationMember;
}

/** A member left, was removed, or deleted their account. The data are the membership as it was. */
export interface MemberRemovedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "member.removed"
   */
  type: "member.removed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "member"
     */
    type: "member";
    /**
     * The id of the subject.
     *
     * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: OrganizationMember;
}

/** A person was invited. */
export interface InvitationCreatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "invitation.created"
   */
  type: "invitation.created";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "invitation"
     */
    type: "invitation";
    /**
     * The id of the subject.
     *
     * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Invitation;
}

/** An invitation to become a member. It disappears when it is accepted or revoked. */
export interface Invitation {
  /**
   * The invitation's id. The invited person finds it in the e-mail.
   *
   * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The invited person's address, in lower case. Only the user with this address may accept.
   *
   * @example "new@demo.example"
   */
  email: string;
  /**
   * The role that the person gets on accepting: `OWNER` or `MEMBER`.
   *
   * @example "OWNER"
   */
  role: Role;
  /**
   * When the invitation expires: 7 days after it was sent. Sending it again restarts the 7 days.
   *
   * @example new Date("2026-03-25T19:48:36.000Z")
   */
  expiresAt: Date;
}

/** The invited person became a member. */
export interface InvitationAcceptedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "invitation.accepted"
   */
  type: "invitation.accepted";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "invitation"
     */
    type: "invitation";
    /**
     * The id of the subject.
     *
     * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Invitation;
}

/** An invitation was withdrawn, replaced by a newer one of the same address, or revoked because the user of this address left the organization or became its creator. */
export interface InvitationRevokedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "invitation.revoked"
   */
  type: "invitation.revoked";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "invitation"
     */
    type: "invitation";
    /**
     * The id of the subject.
     *
     * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Invitation;
}

/** An API key of the organization was created. */
export interface ApiKeyCreatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "api_key.created"
   */
  type: "api_key.created";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "api_key"
     */
    type: "api_key";
    /**
     * The id of the subject.
     *
     * @example "key_01kk6m3w0pe5brx2y7vd4s9h8q"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: OrganizationKey;
}

/** An API key of the organization was revoked. */
export interface ApiKeyRevokedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "api_key.revoked"
   */
  type: "api_key.revoked";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "api_key"
     */
    type: "api_key";
    /**
     * The id of the subject.
     *
     * @example "key_01kk6m3w0pe5brx2y7vd4s9h8q"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: OrganizationKey;
}

/** A bank was connected, or connected again. */
export interface BankConnectionConnectedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_connection.connected"
   */
  type: "bank_connection.connected";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_connection"
     */
    type: "bank_connection";
    /**
     * The id of the subject.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: BankConnection;
}

/** A team's connection to a bank. */
export interface BankConnection {
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  id: string;
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The name of the provider: `sandbox`, `plaid` or `yapily`.
   *
   * @example "sandbox"
   */
  provider: string;
  /**
   * The bank: its id at the provider, as `banking.institutions.list` shows it.
   *
   * @example "sandbox-bank"
   */
  providerId: string;
  /**
   * Whether the connection is in use.
   *
   * - `ACTIVE`: it is read on a schedule while its consent lasts. `banking.connections.health` shows whether that works.
   * - `DISCONNECTED`: it is no longer read. Its accounts and transactions stay.
   *
   * @example "ACTIVE"
   */
  status: BankConnectionStatus;
  /** The consents of the connection, newest first. The newest is in use. */
  consents: BankConsent[];
}

/**
 * Whether the connection is in use.
 *
 * - `ACTIVE`: it is read on a schedule while its consent lasts. `banking.connections.health` shows whether that works.
 * - `DISCONNECTED`: it is no longer read. Its accounts and transactions stay.
 */
export type BankConnectionStatus = "ACTIVE" | "DISCONNECTED";

/** A person's permission, given at the bank, to read their accounts. */
export interface BankConsent {
  /**
   * The consent's id at the provider: the `consentId` of the connect call, or the item id at Plaid.
   *
   * @example "consent-7f3a9c"
   */
  id: string;
  /**
   * Whether the consent permits reading the bank.
   *
   * - `AUTHORIZED`: the bank may be read until `expiresAt`.
   * - `REVOKED`: the consent has ended: it was revoked, or it has expired.
   *
   * @example "AUTHORIZED"
   */
  status: BankConsentStatus;
  /**
   * What the consent permits to read. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is not read.
   *
   * @example ["accounts", "balances", "transactions"]
   */
  scopes: string[];
  /**
   * When the consent ends. The person has to renew it at the bank before.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  expiresAt: Date;
  /**
   * When the consent ended: when it was revoked, or its `expiresAt`. Null while it is AUTHORIZED.
   *
   * @example null
   */
  revokedAt: Date | null;
}

/**
 * Whether the consent permits reading the bank.
 *
 * - `AUTHORIZED`: the bank may be read until `expiresAt`.
 * - `REVOKED`: the consent has ended: it was revoked, or it has expired.
 */
export type BankConsentStatus = "AUTHORIZED" | "REVOKED";

/** A sync ended well. It is recorded even if nothing changed. */
export interface BankConnectionSyncedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_connection.synced"
   */
  type: "bank_connection.synced";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_connection"
     */
    type: "bank_connection";
    /**
     * The id of the subject.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The bank connection's id.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
    /**
     * The organization's id. A team is an organization.
     *
     * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
     */
    teamId: string;
    /**
     * The name of the provider: `sandbox`, `plaid` or `yapily`.
     *
     * @example "sandbox"
     */
    provider: string;
    /**
     * The bank: its id at the provider, as `banking.institutions.list` shows it.
     *
     * @example "sandbox-bank"
     */
    providerId: string;
    /**
     * Whether the connection is in use.
     *
     * - `ACTIVE`: it is read on a schedule while its consent lasts. `banking.connections.health` shows whether that works.
     * - `DISCONNECTED`: it is no longer read. Its accounts and transactions stay.
     *
     * @example "ACTIVE"
     */
    status: BankConnectionStatus;
    /** The consents of the connection, newest first. The newest is in use. */
    consents: BankConsent[];
    /**
     * The number of transactions, posted and pending, that are new.
     *
     * @example 12
     */
    added: number;
    /**
     * The number of transactions, posted and pending, that changed.
     *
     * @example 1
     */
    modified: number;
    /**
     * The number of transactions, posted and pending, that are no longer there.
     *
     * @example 0
     */
    removed: number;
  };
}

/** A sync failed. The service retries automatically, unless `error` says that a person has to act. */
export interface BankConnectionSyncFailedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_connection.sync_failed"
   */
  type: "bank_connection.sync_failed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_connection"
     */
    type: "bank_connection";
    /**
     * The id of the subject.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The bank connection's id.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
    /**
     * The organization's id. A team is an organization.
     *
     * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
     */
    teamId: string;
    /**
     * The name of the provider: `sandbox`, `plaid` or `yapily`.
     *
     * @example "sandbox"
     */
    provider: string;
    /**
     * The bank: its id at the provider, as `banking.institutions.list` shows it.
     *
     * @example "sandbox-bank"
     */
    providerId: string;
    /**
     * Whether the connection is in use.
     *
     * - `ACTIVE`: it is read on a schedule while its consent lasts. `banking.connections.health` shows whether that works.
     * - `DISCONNECTED`: it is no longer read. Its accounts and transactions stay.
     *
     * @example "ACTIVE"
     */
    status: BankConnectionStatus;
    /** The consents of the connection, newest first. The newest is in use. */
    consents: BankConsent[];
    /**
     * Why the sync failed.
     *
     * @example "PROVIDER_ERROR"
     */
    error: BankSyncErrorCode;
  };
}

/** Why a sync failed: an error code of the API, or `INTERRUPTED` if the process ended. More codes may be added. */
export type BankSyncErrorCode = "PROVIDER_ERROR" | "CONSENT_EXPIRED" | "REAUTHORIZATION_REQUIRED" | "CONNECTION_DISCONNECTED" | "INTERRUPTED" | (string & Record<never, never>);

/** The connection is not read until the person renews the consent at the bank. */
export interface BankConnectionNeedsReauthorizationEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_connection.needs_reauthorization"
   */
  type: "bank_connection.needs_reauthorization";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_connection"
     */
    type: "bank_connection";
    /**
     * The id of the subject.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: BankConnection;
}

/** A consent ends soon, or has to be confirmed soon. */
export interface BankConnectionConsentExpiringEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_connection.consent_expiring"
   */
  type: "bank_connection.consent_expiring";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_connection"
     */
    type: "bank_connection";
    /**
     * The id of the subject.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The bank connection's id.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
    /**
     * The organization's id. A team is an organization.
     *
     * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
     */
    teamId: string;
    /**
     * The name of the provider: `sandbox`, `plaid` or `yapily`.
     *
     * @example "sandbox"
     */
    provider: string;
    /**
     * The bank: its id at the provider, as `banking.institutions.list` shows it.
     *
     * @example "sandbox-bank"
     */
    providerId: string;
    /**
     * Whether the connection is in use.
     *
     * - `ACTIVE`: it is read on a schedule while its consent lasts. `banking.connections.health` shows whether that works.
     * - `DISCONNECTED`: it is no longer read. Its accounts and transactions stay.
     *
     * @example "ACTIVE"
     */
    status: BankConnectionStatus;
    /** The consents of the connection, newest first. The newest is in use. */
    consents: BankConsent[];
    /**
     * By when the person has to act.
     *
     * @example new Date("2026-05-31T09:15:00.000Z")
     */
    deadline: Date;
  };
}

/** A bank was disconnected. */
export interface BankConnectionDisconnectedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_connection.disconnected"
   */
  type: "bank_connection.disconnected";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_connection"
     */
    type: "bank_connection";
    /**
     * The id of the subject.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: BankConnection;
}

/** A bank account is new, its balance or details changed, its bank no longer lists it, another connection reads it, or another account was merged into it. */
export interface BankAccountUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_account.updated"
   */
  type: "bank_account.updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_account"
     */
    type: "bank_account";
    /**
     * The id of the subject.
     *
     * @example "bac_01kkfkess0e08ashdsnfph8k3k"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: BankAccount;
}

/** An account at a bank, as the last sync found it. */
export interface BankAccount {
  /**
   * The bank account's id.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  id: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * The account's name at the bank.
   *
   * @example "Business Current Account"
   */
  accountName: string;
  /**
   * The full account number, or the IBAN where the bank has no other number. Never masked. Null if the bank does not provide it.
   *
   * @example "31926819"
   */
  accountNumber: string | null;
  /**
   * The sort code of a British account, six digits. Null for other accounts.
   *
   * @example "040077"
   */
  sortCode: string | null;
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * The kind of account.
   *
   * - `CHECKING`: a current account.
   * - `SAVINGS`: a savings account.
   * - `CREDIT`: a credit card or loan. What is owed is a negative balance.
   * - `INVESTMENT`: an investment account.
   *
   * @example "CHECKING"
   */
  type: BankAccountType;
  /**
   * What the account is worth to its owner, in minor units of `currency`. Debt is negative.
   *
   * @example 184250
   */
  balance: number;
  /**
   * What the owner can spend now, in minor units of `currency`, without an overdraft or another credit line. Null for a `CREDIT` account, and if the bank does not provide it.
   *
   * @example 179350
   */
  availableBalance: number | null;
  /**
   * Whether the bank still lists the account, as far as it was read. False for an account that the person closed or no longer shares: its balance is the last known one.
   *
   * @example true
   */
  isListed: boolean;
  /** The connection that reads the account. */
  connection: {
    /**
     * The bank connection's id.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
    /**
     * The name of the provider: `sandbox`, `plaid` or `yapily`.
     *
     * @example "sandbox"
     */
    provider: string;
    /**
     * The connection's status: `ACTIVE` or `DISCONNECTED`.
     *
     * @example "ACTIVE"
     */
    status: string;
  };
}

/**
 * The kind of account.
 *
 * - `CHECKING`: a current account.
 * - `SAVINGS`: a savings account.
 * - `CREDIT`: a credit card or loan. What is owed is a negative balance.
 * - `INVESTMENT`: an investment account.
 */
export type BankAccountType = "CHECKING" | "SAVINGS" | "CREDIT" | "INVESTMENT";

/** The transactions of a bank account changed: one event for a sync, an edit, a decision or a merge, however many they are. List them with `banking.transactions.list`. Where the account was merged into another one, all of its transactions are removed, and the data are the account as it was. */
export interface BankTransactionsChangedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "bank_transactions.changed"
   */
  type: "bank_transactions.changed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "bank_account"
     */
    type: "bank_account";
    /**
     * The id of the subject.
     *
     * @example "bac_01kkfkess0e08ashdsnfph8k3k"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The bank account's id.
     *
     * @example "bac_01kkfkess0e08ashdsnfph8k3k"
     */
    id: string;
    /**
     * The bank connection's id.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    connectionId: string;
    /**
     * The account's name at the bank.
     *
     * @example "Business Current Account"
     */
    accountName: string;
    /**
     * The full account number, or the IBAN where the bank has no other number. Never masked. Null if the bank does not provide it.
     *
     * @example "31926819"
     */
    accountNumber: string | null;
    /**
     * The sort code of a British account, six digits. Null for other accounts.
     *
     * @example "040077"
     */
    sortCode: string | null;
    /**
     * The currency: ISO 4217, upper case.
     *
     * @example "GBP"
     */
    currency: string;
    /**
     * The kind of account.
     *
     * - `CHECKING`: a current account.
     * - `SAVINGS`: a savings account.
     * - `CREDIT`: a credit card or loan. What is owed is a negative balance.
     * - `INVESTMENT`: an investment account.
     *
     * @example "CHECKING"
     */
    type: BankAccountType;
    /**
     * What the account is worth to its owner, in minor units of `currency`. Debt is negative.
     *
     * @example 184250
     */
    balance: number;
    /**
     * What the owner can spend now, in minor units of `currency`, without an overdraft or another credit line. Null for a `CREDIT` account, and if the bank does not provide it.
     *
     * @example 179350
     */
    availableBalance: number | null;
    /**
     * Whether the bank still lists the account, as far as it was read. False for an account that the person closed or no longer shares: its balance is the last known one.
     *
     * @example true
     */
    isListed: boolean;
    /** The connection that reads the account. */
    connection: {
      /**
       * The bank connection's id.
       *
       * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
       */
      id: string;
      /**
       * The name of the provider: `sandbox`, `plaid` or `yapily`.
       *
       * @example "sandbox"
       */
      provider: string;
      /**
       * The connection's status: `ACTIVE` or `DISCONNECTED`.
       *
       * @example "ACTIVE"
       */
      status: string;
    };
    /**
     * The number of transactions, posted and pending, that are new.
     *
     * @example 12
     */
    added: number;
    /**
     * The number of transactions, posted and pending, that changed.
     *
     * @example 1
     */
    modified: number;
    /**
     * The number of transactions, posted and pending, that are no longer there.
     *
     * @example 0
     */
    removed: number;
    /**
     * The first day that these transactions have or, if their day changed, had, at 00:00 UTC.
     *
     * @example new Date("2026-02-27T00:00:00.000Z")
     */
    firstDay: Date;
    /**
     * The last day that these transactions have or, if their day changed, had, at 00:00 UTC.
     *
     * @example new Date("2026-03-02T00:00:00.000Z")
     */
    lastDay: Date;
  };
}

/** A card was issued. */
export interface CardCreatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card.created"
   */
  type: "card.created";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card"
     */
    type: "card";
    /**
     * The id of the subject.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Card;
}

/** A payment card, issued to a member. */
export interface Card {
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The cardholder: the id of a user, not of a membership. The user must be a member of the organization. It is `userId` in the list of members.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  assignedToId: string;
  /**
   * The id of the user who issued the card.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  createdById: string;
  /**
   * The bank account that funds the card. It determines the card's currency and country.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  fundingAccountId: string;
  /**
   * The policy that decides on the card's purchases.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  policyId: string;
  /**
   * A label for people, of 1 to 100 characters. Null if the card has none.
   *
   * @example "Travel"
   */
  nickname: string | null;
  /**
   * What the card is for. A label that restricts nothing; the policy does.
   *
   * - `PERSONAL`: a person's own expenses.
   * - `BUSINESS`: expenses of the company, such as travel.
   * - `ONLINE`: purchases online.
   * - `SUBSCRIPTION`: recurring payments, such as software.
   *
   * @example "PERSONAL"
   */
  purpose: CardPurpose;
  /**
   * Whether a card can be used.
   *
   * - `ACTIVE`: purchases are decided by the card's policy.
   * - `PAUSED`: purchases are declined. The cardholder or an owner can resume the card.
   * - `FROZEN`: purchases are declined. Only an owner can lift it. A card freezes when its holder leaves the organization.
   * - `CLOSED`: purchases are declined for good. A closed card cannot be opened again.
   *
   * @example "ACTIVE"
   */
  status: CardStatus;
  /**
   * The last four digits of the card's number. The full number is never stored.
   *
   * @example "4242"
   */
  lastFour: string;
  /**
   * The last month in which the card is valid, from 1 to 12.
   *
   * @example 3
   */
  expiryMonth: number;
  /**
   * The year of the expiry month, in four digits.
   *
   * @example 2030
   */
  expiryYear: number;
  /**
   * When the card was closed. Null unless its status is CLOSED.
   *
   * @example null
   */
  closedAt: Date | null;
}

/**
 * What the card is for. A label that restricts nothing; the policy does.
 *
 * - `PERSONAL`: a person's own expenses.
 * - `BUSINESS`: expenses of the company, such as travel.
 * - `ONLINE`: purchases online.
 * - `SUBSCRIPTION`: recurring payments, such as software.
 */
export type CardPurpose = "PERSONAL" | "BUSINESS" | "ONLINE" | "SUBSCRIPTION";

/**
 * Whether a card can be used.
 *
 * - `ACTIVE`: purchases are decided by the card's policy.
 * - `PAUSED`: purchases are declined. The cardholder or an owner can resume the card.
 * - `FROZEN`: purchases are declined. Only an owner can lift it. A card freezes when its holder leaves the organization.
 * - `CLOSED`: purchases are declined for good. A closed card cannot be opened again.
 */
export type CardStatus = "ACTIVE" | "PAUSED" | "FROZEN" | "CLOSED";

/** The nickname, the policy, the funding account or the expiry of a card was changed. */
export interface CardUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card.updated"
   */
  type: "card.updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card"
     */
    type: "card";
    /**
     * The id of the subject.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Card;
}

/** A card was paused, frozen, resumed or closed. */
export interface CardStatusChangedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card.status_changed"
   */
  type: "card.status_changed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card"
     */
    type: "card";
    /**
     * The id of the subject.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Card;
}

/** A card was assigned to another member. */
export interface CardAssignedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card.assigned"
   */
  type: "card.assigned";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card"
     */
    type: "card";
    /**
     * The id of the subject.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Card;
}

/** The cardholder requested to see the number of the card. */
export interface CardRevealedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card.revealed"
   */
  type: "card.revealed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card"
     */
    type: "card";
    /**
     * The id of the subject.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Card;
}

/** A policy was created. */
export interface CardPolicyCreatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_policy.created"
   */
  type: "card_policy.created";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_policy"
     */
    type: "card_policy";
    /**
     * The id of the subject.
     *
     * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: CardPolicy;
}

/** What the cards that follow it may be used for. Limits apply to each card separately. */
export interface CardPolicy {
  /**
   * The card policy's id.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The policy's name, on one line.
   *
   * @example "Travel"
   */
  name: string;
  /**
   * What the policy is for, in up to 1000 characters. Null if there is none.
   *
   * @example "Up to £150 a day, at home and in other countries"
   */
  description: string | null;
  /**
   * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
   *
   * @example 15000
   */
  spendingLimit: number | null;
  /**
   * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
   *
   * @example "DAILY"
   */
  limitInterval: SpendingLimitInterval | null;
  /**
   * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
   *
   * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
   */
  limits: CardLimit[];
  /**
   * Whether ATM withdrawals are allowed. True by default.
   *
   * @example false
   */
  allowAtm: boolean;
  /**
   * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
   *
   * @example true
   */
  allowOnline: boolean;
  /**
   * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
   *
   * @example true
   */
  allowInternational: boolean;
  /**
   * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
   *
   * @example ["5812", "hotels_motels_and_resorts"]
   */
  merchantCategories: string[];
  /**
   * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
   *
   * @example ["betting_casino_gambling"]
   */
  blockedMerchantCategories: string[];
  /**
   * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
   *
   * @example ["Bakery Row", "174030075991"]
   */
  blockedMerchants: string[];
  /**
   * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
   *
   * @example ["Rail Europe"]
   */
  allowedMerchants: string[];
  /**
   * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  activeFrom: Date | null;
  /**
   * When the policy ends: purchases at or after this time are declined. Null for no end.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  activeTo: Date | null;
  /**
   * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
   *
   * @example [1, 2, 3, 4, 5]
   */
  daysOfWeek: number[];
}

/**
 * What `spendingLimit` applies to, for each card. Days, weeks and months are those of the organization's time zone.
 *
 * - `PER_TRANSACTION`: each purchase separately.
 * - `DAILY`: all purchases of a day.
 * - `WEEKLY`: all purchases of a week, which starts on Monday.
 * - `MONTHLY`: all purchases of a calendar month.
 */
export type SpendingLimitInterval = "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY";

/** The most that each card may spend in an interval. */
export interface CardLimit {
  /**
   * The most that each card may spend, in minor units of its currency, 0 or more.
   *
   * @example 200000
   */
  amount: number;
  /**
   * What a limit applies to, for each card. Days, weeks, months and years are those of the organization's time zone.
   *
   * - `PER_TRANSACTION`: each purchase separately.
   * - `DAILY`: all purchases of a day.
   * - `WEEKLY`: all purchases of a week, which starts on Monday.
   * - `MONTHLY`: all purchases of a calendar month.
   * - `YEARLY`: all purchases of a calendar year.
   * - `ALL_TIME`: all purchases with the card. This limit never resets.
   *
   * @example "PER_TRANSACTION"
   */
  interval: LimitInterval;
}

/**
 * What a limit applies to, for each card. Days, weeks, months and years are those of the organization's time zone.
 *
 * - `PER_TRANSACTION`: each purchase separately.
 * - `DAILY`: all purchases of a day.
 * - `WEEKLY`: all purchases of a week, which starts on Monday.
 * - `MONTHLY`: all purchases of a calendar month.
 * - `YEARLY`: all purchases of a calendar year.
 * - `ALL_TIME`: all purchases with the card. This limit never resets.
 */
export type LimitInterval = "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY" | "ALL_TIME";

/** A policy was changed. */
export interface CardPolicyUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_policy.updated"
   */
  type: "card_policy.updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_policy"
     */
    type: "card_policy";
    /**
     * The id of the subject.
     *
     * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The card policy's id.
     *
     * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
     */
    id: string;
    /**
     * The organization's id.
     *
     * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
     */
    organizationId: string;
    /**
     * The policy's name, on one line.
     *
     * @example "Travel"
     */
    name: string;
    /**
     * What the policy is for, in up to 1000 characters. Null if there is none.
     *
     * @example "Up to £150 a day, at home and in other countries"
     */
    description: string | null;
    /**
     * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
     *
     * @example 15000
     */
    spendingLimit: number | null;
    /**
     * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
     *
     * @example "DAILY"
     */
    limitInterval: SpendingLimitInterval | null;
    /**
     * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
     *
     * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
     */
    limits: CardLimit[];
    /**
     * Whether ATM withdrawals are allowed. True by default.
     *
     * @example false
     */
    allowAtm: boolean;
    /**
     * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
     *
     * @example true
     */
    allowOnline: boolean;
    /**
     * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
     *
     * @example true
     */
    allowInternational: boolean;
    /**
     * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
     *
     * @example ["5812", "hotels_motels_and_resorts"]
     */
    merchantCategories: string[];
    /**
     * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
     *
     * @example ["betting_casino_gambling"]
     */
    blockedMerchantCategories: string[];
    /**
     * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
     *
     * @example ["Bakery Row", "174030075991"]
     */
    blockedMerchants: string[];
    /**
     * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
     *
     * @example ["Rail Europe"]
     */
    allowedMerchants: string[];
    /**
     * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
     *
     * @example new Date("2026-03-01T00:00:00.000Z")
     */
    activeFrom: Date | null;
    /**
     * When the policy ends: purchases at or after this time are declined. Null for no end.
     *
     * @example new Date("2027-03-01T00:00:00.000Z")
     */
    activeTo: Date | null;
    /**
     * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
     *
     * @example [1, 2, 3, 4, 5]
     */
    daysOfWeek: number[];
    /**
     * What the changed fields were before. Absent in events that an earlier version of the service recorded.
     *
     * @example { limits: [{ amount: 40000, interval: "MONTHLY" }] }
     */
    before?: {
      /**
       * The policy's name, on one line.
       *
       * @example "Travel"
       */
      name?: string | undefined;
      /**
       * What the policy is for, in up to 1000 characters. Null if there is none.
       *
       * @example "Up to £150 a day, at home and in other countries"
       */
      description?: string | null | undefined;
      /**
       * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
       *
       * @example 15000
       */
      spendingLimit?: number | null | undefined;
      /**
       * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
       *
       * @example "DAILY"
       */
      limitInterval?: SpendingLimitInterval | null | undefined;
      /**
       * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
       *
       * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
       */
      limits?: CardLimit[] | undefined;
      /**
       * Whether ATM withdrawals are allowed. True by default.
       *
       * @example false
       */
      allowAtm?: boolean | undefined;
      /**
       * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
       *
       * @example true
       */
      allowOnline?: boolean | undefined;
      /**
       * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
       *
       * @example true
       */
      allowInternational?: boolean | undefined;
      /**
       * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
       *
       * @example ["5812", "hotels_motels_and_resorts"]
       */
      merchantCategories?: string[] | undefined;
      /**
       * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
       *
       * @example ["betting_casino_gambling"]
       */
      blockedMerchantCategories?: string[] | undefined;
      /**
       * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
       *
       * @example ["Bakery Row", "174030075991"]
       */
      blockedMerchants?: string[] | undefined;
      /**
       * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
       *
       * @example ["Rail Europe"]
       */
      allowedMerchants?: string[] | undefined;
      /**
       * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
       *
       * @example new Date("2026-03-01T00:00:00.000Z")
       */
      activeFrom?: Date | null | undefined;
      /**
       * When the policy ends: purchases at or after this time are declined. Null for no end.
       *
       * @example new Date("2027-03-01T00:00:00.000Z")
       */
      activeTo?: Date | null | undefined;
      /**
       * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
       *
       * @example [1, 2, 3, 4, 5]
       */
      daysOfWeek?: number[] | undefined;
    } | undefined;
  };
}

/** A purchase was approved, and its amount is held. Also a purchase that the network approved without this service. */
export interface CardTransactionApprovedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.approved"
   */
  type: "card_transaction.approved";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: CardTransaction;
}

/** A purchase, a refund or a dispute with a card, as far as the card network has reported it. */
export interface CardTransaction {
  /**
   * The card transaction's id.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  id: string;
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId: string;
  /**
   * In minor units of `currency`: what is held while PENDING, what was cleared when COMPLETED, what was refused or last held when DECLINED. Negative for a refund.
   *
   * @example 6200
   */
  amount: number;
  /**
   * The currency of `amount`: ISO 4217, upper case. It is the card's, unless the purchase was declined because it is in another (`currency_not_supported`).
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * The merchant's name as the network reports it.
   *
   * @example "Restaurant De Haven"
   */
  merchantName: string;
  /**
   * The network's id of the merchant. Null if the network gives none.
   *
   * @example "174030075991"
   */
  merchantId: string | null;
  /**
   * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if the network gives none.
   *
   * @example "5812"
   */
  merchantCategory: string | null;
  /**
   * More about the transaction, in words, such as `Dispute: funds reinstated`. Null for most.
   *
   * @example null
   */
  description: string | null;
  /**
   * The status of a card transaction. COMPLETED and DECLINED are final.
   *
   * - `PENDING`: approved. The amount is held and counts against the limit.
   * - `COMPLETED`: the merchant has taken the money, or given it back with a refund.
   * - `DECLINED`: refused, or approved and then reversed or expired. No money moved.
   *
   * @example "PENDING"
   */
  status: CardTransactionStatus;
  /**
   * Why the transaction was declined. Null unless its status is DECLINED.
   *
   * - `card_closed`: the card is closed.
   * - `card_frozen`: the card is frozen.
   * - `card_paused`: the card is paused.
   * - `card_expired`: the expiry month of the card is over.
   * - `currency_not_supported`: the purchase is not in the card's currency.
   * - `policy_not_started`: it is before the policy's `activeFrom`.
   * - `policy_expired`: it is at or after the policy's `activeTo`.
   * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
   * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
   * - `online_not_allowed`: the policy does not allow purchases online.
   * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
   * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
   * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
   * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
   * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
   * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
   * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
   * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
   * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
   * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
   * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
   * - `authorization_reversed`: the merchant released the whole hold.
   * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
   * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
   * - `issuer_declined`: the card issuer declined without a decision of this service.
   *
   * More reasons may be added.
   *
   * @example null
   */
  declineReason: DeclineReason | null;
  /**
   * When the purchase reached the service.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /**
   * When the transaction became COMPLETED. Null until then.
   *
   * @example null
   */
  settledAt: Date | null;
}

/**
 * The status of a card transaction. COMPLETED and DECLINED are final.
 *
 * - `PENDING`: approved. The amount is held and counts against the limit.
 * - `COMPLETED`: the merchant has taken the money, or given it back with a refund.
 * - `DECLINED`: refused, or approved and then reversed or expired. No money moved.
 */
export type CardTransactionStatus = "PENDING" | "COMPLETED" | "DECLINED";

/**
 * Why a purchase is declined.
 *
 * - `card_closed`: the card is closed.
 * - `card_frozen`: the card is frozen.
 * - `card_paused`: the card is paused.
 * - `card_expired`: the expiry month of the card is over.
 * - `currency_not_supported`: the purchase is not in the card's currency.
 * - `policy_not_started`: it is before the policy's `activeFrom`.
 * - `policy_expired`: it is at or after the policy's `activeTo`.
 * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
 * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
 * - `online_not_allowed`: the policy does not allow purchases online.
 * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
 * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
 * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
 * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
 * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
 * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
 * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
 * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
 * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
 * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
 * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
 * - `authorization_reversed`: the merchant released the whole hold.
 * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
 * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
 * - `issuer_declined`: the card issuer declined without a decision of this service.
 *
 * More reasons may be added.
 */
export type DeclineReason = "card_closed" | "card_frozen" | "card_paused" | "card_expired" | "currency_not_supported" | "policy_not_started" | "policy_expired" | "day_not_allowed" | "atm_not_allowed" | "online_not_allowed" | "international_not_allowed" | "merchant_category_not_allowed" | "merchant_category_blocked" | "merchant_blocked" | "merchant_not_allowed" | "transaction_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "yearly_limit_exceeded" | "all_time_limit_exceeded" | "authorization_reversed" | "authorization_expired" | "decision_timed_out" | "issuer_declined" | (string & Record<never, never>);

/** A purchase was declined. */
export interface CardTransactionDeclinedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.declined"
   */
  type: "card_transaction.declined";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The card transaction's id.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
    /**
     * The card's id.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    cardId: string;
    /**
     * In minor units of `currency`: what is held while PENDING, what was cleared when COMPLETED, what was refused or last held when DECLINED. Negative for a refund.
     *
     * @example 6200
     */
    amount: number;
    /**
     * The currency of `amount`: ISO 4217, upper case. It is the card's, unless the purchase was declined because it is in another (`currency_not_supported`).
     *
     * @example "GBP"
     */
    currency: string;
    /**
     * The merchant's name as the network reports it.
     *
     * @example "Restaurant De Haven"
     */
    merchantName: string;
    /**
     * The network's id of the merchant. Null if the network gives none.
     *
     * @example "174030075991"
     */
    merchantId: string | null;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if the network gives none.
     *
     * @example "5812"
     */
    merchantCategory: string | null;
    /**
     * More about the transaction, in words, such as `Dispute: funds reinstated`. Null for most.
     *
     * @example null
     */
    description: string | null;
    /**
     * The status of a card transaction. COMPLETED and DECLINED are final.
     *
     * - `PENDING`: approved. The amount is held and counts against the limit.
     * - `COMPLETED`: the merchant has taken the money, or given it back with a refund.
     * - `DECLINED`: refused, or approved and then reversed or expired. No money moved.
     *
     * @example "PENDING"
     */
    status: CardTransactionStatus;
    /**
     * Why the transaction was declined. Null unless its status is DECLINED.
     *
     * - `card_closed`: the card is closed.
     * - `card_frozen`: the card is frozen.
     * - `card_paused`: the card is paused.
     * - `card_expired`: the expiry month of the card is over.
     * - `currency_not_supported`: the purchase is not in the card's currency.
     * - `policy_not_started`: it is before the policy's `activeFrom`.
     * - `policy_expired`: it is at or after the policy's `activeTo`.
     * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
     * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
     * - `online_not_allowed`: the policy does not allow purchases online.
     * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
     * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
     * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
     * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
     * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
     * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
     * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
     * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
     * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
     * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
     * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
     * - `authorization_reversed`: the merchant released the whole hold.
     * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
     * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
     * - `issuer_declined`: the card issuer declined without a decision of this service.
     *
     * More reasons may be added.
     *
     * @example null
     */
    declineReason: DeclineReason | null;
    /**
     * When the purchase reached the service.
     *
     * @example new Date("2026-03-18T19:48:36.000Z")
     */
    createdAt: Date;
    /**
     * When the transaction became COMPLETED. Null until then.
     *
     * @example null
     */
    settledAt: Date | null;
    /** The decision and its basis. */
    decision: RecordedCardDecision;
  };
}

/** The decision on a card transaction, and what became of it. */
export interface RecordedCardDecision {
  /**
   * What was decided.
   *
   * - `approved`: the purchase may proceed, possibly for less than requested.
   * - `declined`: the purchase is refused, or its approval was withdrawn.
   * - `not_requested`: a force post, a refund or a dispute, which need no approval.
   *
   * @example "declined"
   */
  outcome: "approved" | "declined" | "not_requested";
  /**
   * Why the purchase is declined. Null for an approval.
   *
   * - `card_closed`: the card is closed.
   * - `card_frozen`: the card is frozen.
   * - `card_paused`: the card is paused.
   * - `card_expired`: the expiry month of the card is over.
   * - `currency_not_supported`: the purchase is not in the card's currency.
   * - `policy_not_started`: it is before the policy's `activeFrom`.
   * - `policy_expired`: it is at or after the policy's `activeTo`.
   * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
   * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
   * - `online_not_allowed`: the policy does not allow purchases online.
   * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
   * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
   * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
   * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
   * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
   * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
   * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
   * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
   * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
   * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
   * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
   * - `authorization_reversed`: the merchant released the whole hold.
   * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
   * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
   * - `issuer_declined`: the card issuer declined without a decision of this service.
   *
   * More reasons may be added.
   *
   * @example "daily_limit_exceeded"
   */
  reason: DeclineReason | null;
  /**
   * What the merchant requested, in minor units of the transaction's currency. Null if nothing was requested.
   *
   * @example 6200
   */
  requestedAmount: number | null;
  /**
   * What is approved, in minor units of the card's currency. 0 for a decline. Less than `requestedAmount` for a partial approval: what was left of the limit. Null if nothing was requested.
   *
   * @example 0
   */
  approvedAmount: number | null;
  /**
   * The policy's limit, in minor units of the card's currency. Of several, the one that declines the purchase, otherwise the one with the least remaining: it explains a decline only if `reason` ends in `_limit_exceeded`. A smaller purchase may exceed another limit; `cards.policies.check` tells. Null if it has none, and for a purchase in another currency.
   *
   * @example 15000
   */
  limit: number | null;
  /**
   * What counted against the limit before this purchase, in minor units of the card's currency. Null without a limit.
   *
   * @example 11900
   */
  used: number | null;
  /**
   * What was left of the limit before this purchase, in minor units of the card's currency, at least 0. Null without a limit.
   *
   * @example 3100
   */
  remaining: number | null;
  /**
   * When the next day, week, month or year of the limit starts, in the organization's time zone. Null without a limit, and for a limit per transaction or for all time.
   *
   * @example new Date("2026-03-19T00:00:00.000Z")
   */
  resetsAt: Date | null;
  /**
   * The interval of the limit: `PER_TRANSACTION`, `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` or `ALL_TIME`. Null without a limit.
   *
   * @example "DAILY"
   */
  interval: LimitInterval | null;
  /**
   * When it was decided.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  decidedAt: Date;
  /**
   * What created the transaction. Only an authorization is decided.
   *
   * - `authorization`: a request to approve a purchase.
   * - `force_post`: a clearing without a request. The merchant takes the money in any case.
   * - `refund`: money back from the merchant, with a negative amount, or taken again when the refund is reversed.
   * - `dispute`: money back from a dispute, with a negative amount, or taken again when the dispute is lost.
   *
   * @example "authorization"
   */
  origin: "authorization" | "force_post" | "refund" | "dispute";
  /** The decisions on requests to hold more, the oldest first. Mostly empty. */
  increments: CardIncrement[];
  /**
   * What the merchant cleared beyond the approved amount, or without an approval, in minor units of the card's currency. Otherwise 0.
   *
   * @example 0
   */
  amountBeyondApproval: number;
}

/** The decision on a request to hold more for a purchase. */
export interface CardIncrement {
  /**
   * What was decided.
   *
   * - `approved`: the purchase may proceed, possibly for less than requested.
   * - `declined`: the purchase is refused, or its approval was withdrawn.
   *
   * @example "declined"
   */
  outcome: "approved" | "declined";
  /**
   * Why the purchase is declined. Null for an approval.
   *
   * - `card_closed`: the card is closed.
   * - `card_frozen`: the card is frozen.
   * - `card_paused`: the card is paused.
   * - `card_expired`: the expiry month of the card is over.
   * - `currency_not_supported`: the purchase is not in the card's currency.
   * - `policy_not_started`: it is before the policy's `activeFrom`.
   * - `policy_expired`: it is at or after the policy's `activeTo`.
   * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
   * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
   * - `online_not_allowed`: the policy does not allow purchases online.
   * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
   * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
   * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
   * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
   * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
   * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
   * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
   * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
   * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
   * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
   * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
   * - `authorization_reversed`: the merchant released the whole hold.
   * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
   * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
   * - `issuer_declined`: the card issuer declined without a decision of this service.
   *
   * More reasons may be added.
   *
   * @example "daily_limit_exceeded"
   */
  reason: DeclineReason | null;
  /**
   * What the merchant requested, in minor units of the transaction's currency. Null if nothing was requested.
   *
   * @example 6200
   */
  requestedAmount: number | null;
  /**
   * What is approved, in minor units of the card's currency. 0 for a decline. Less than `requestedAmount` for a partial approval: what was left of the limit. Null if nothing was requested.
   *
   * @example 0
   */
  approvedAmount: number | null;
  /**
   * The policy's limit, in minor units of the card's currency. Of several, the one that declines the purchase, otherwise the one with the least remaining: it explains a decline only if `reason` ends in `_limit_exceeded`. A smaller purchase may exceed another limit; `cards.policies.check` tells. Null if it has none, and for a purchase in another currency.
   *
   * @example 15000
   */
  limit: number | null;
  /**
   * What counted against the limit before this purchase, in minor units of the card's currency. Null without a limit.
   *
   * @example 11900
   */
  used: number | null;
  /**
   * What was left of the limit before this purchase, in minor units of the card's currency, at least 0. Null without a limit.
   *
   * @example 3100
   */
  remaining: number | null;
  /**
   * When the next day, week, month or year of the limit starts, in the organization's time zone. Null without a limit, and for a limit per transaction or for all time.
   *
   * @example new Date("2026-03-19T00:00:00.000Z")
   */
  resetsAt: Date | null;
  /**
   * The interval of the limit: `PER_TRANSACTION`, `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` or `ALL_TIME`. Null without a limit.
   *
   * @example "DAILY"
   */
  interval: LimitInterval | null;
  /**
   * The additional amount, in minor units of the card's currency.
   *
   * @example 800
   */
  amount: number;
  /**
   * When it was decided.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  decidedAt: Date;
}

/** The merchant requested to hold more for a purchase. Recorded for a refusal too. */
export interface CardTransactionIncrementedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.incremented"
   */
  type: "card_transaction.incremented";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The card transaction's id.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
    /**
     * The card's id.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    cardId: string;
    /**
     * In minor units of `currency`: what is held while PENDING, what was cleared when COMPLETED, what was refused or last held when DECLINED. Negative for a refund.
     *
     * @example 6200
     */
    amount: number;
    /**
     * The currency of `amount`: ISO 4217, upper case. It is the card's, unless the purchase was declined because it is in another (`currency_not_supported`).
     *
     * @example "GBP"
     */
    currency: string;
    /**
     * The merchant's name as the network reports it.
     *
     * @example "Restaurant De Haven"
     */
    merchantName: string;
    /**
     * The network's id of the merchant. Null if the network gives none.
     *
     * @example "174030075991"
     */
    merchantId: string | null;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if the network gives none.
     *
     * @example "5812"
     */
    merchantCategory: string | null;
    /**
     * More about the transaction, in words, such as `Dispute: funds reinstated`. Null for most.
     *
     * @example null
     */
    description: string | null;
    /**
     * The status of a card transaction. COMPLETED and DECLINED are final.
     *
     * - `PENDING`: approved. The amount is held and counts against the limit.
     * - `COMPLETED`: the merchant has taken the money, or given it back with a refund.
     * - `DECLINED`: refused, or approved and then reversed or expired. No money moved.
     *
     * @example "PENDING"
     */
    status: CardTransactionStatus;
    /**
     * Why the transaction was declined. Null unless its status is DECLINED.
     *
     * - `card_closed`: the card is closed.
     * - `card_frozen`: the card is frozen.
     * - `card_paused`: the card is paused.
     * - `card_expired`: the expiry month of the card is over.
     * - `currency_not_supported`: the purchase is not in the card's currency.
     * - `policy_not_started`: it is before the policy's `activeFrom`.
     * - `policy_expired`: it is at or after the policy's `activeTo`.
     * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
     * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
     * - `online_not_allowed`: the policy does not allow purchases online.
     * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
     * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
     * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
     * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
     * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
     * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
     * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
     * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
     * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
     * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
     * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
     * - `authorization_reversed`: the merchant released the whole hold.
     * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
     * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
     * - `issuer_declined`: the card issuer declined without a decision of this service.
     *
     * More reasons may be added.
     *
     * @example null
     */
    declineReason: DeclineReason | null;
    /**
     * When the purchase reached the service.
     *
     * @example new Date("2026-03-18T19:48:36.000Z")
     */
    createdAt: Date;
    /**
     * When the transaction became COMPLETED. Null until then.
     *
     * @example null
     */
    settledAt: Date | null;
    /**
     * Whether the additional amount was approved.
     *
     * @example true
     */
    approved: boolean;
    /** The decision on the additional amount, and its basis. */
    decision: CardDecision;
  };
}

/** A decision on a purchase, and its basis. */
export interface CardDecision {
  /**
   * What was decided.
   *
   * - `approved`: the purchase may proceed, possibly for less than requested.
   * - `declined`: the purchase is refused, or its approval was withdrawn.
   *
   * @example "declined"
   */
  outcome: "approved" | "declined";
  /**
   * Why the purchase is declined. Null for an approval.
   *
   * - `card_closed`: the card is closed.
   * - `card_frozen`: the card is frozen.
   * - `card_paused`: the card is paused.
   * - `card_expired`: the expiry month of the card is over.
   * - `currency_not_supported`: the purchase is not in the card's currency.
   * - `policy_not_started`: it is before the policy's `activeFrom`.
   * - `policy_expired`: it is at or after the policy's `activeTo`.
   * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
   * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
   * - `online_not_allowed`: the policy does not allow purchases online.
   * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
   * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
   * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
   * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
   * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
   * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
   * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
   * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
   * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
   * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
   * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
   * - `authorization_reversed`: the merchant released the whole hold.
   * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
   * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
   * - `issuer_declined`: the card issuer declined without a decision of this service.
   *
   * More reasons may be added.
   *
   * @example "daily_limit_exceeded"
   */
  reason: DeclineReason | null;
  /**
   * What the merchant requested, in minor units of the transaction's currency. Null if nothing was requested.
   *
   * @example 6200
   */
  requestedAmount: number | null;
  /**
   * What is approved, in minor units of the card's currency. 0 for a decline. Less than `requestedAmount` for a partial approval: what was left of the limit. Null if nothing was requested.
   *
   * @example 0
   */
  approvedAmount: number | null;
  /**
   * The policy's limit, in minor units of the card's currency. Of several, the one that declines the purchase, otherwise the one with the least remaining: it explains a decline only if `reason` ends in `_limit_exceeded`. A smaller purchase may exceed another limit; `cards.policies.check` tells. Null if it has none, and for a purchase in another currency.
   *
   * @example 15000
   */
  limit: number | null;
  /**
   * What counted against the limit before this purchase, in minor units of the card's currency. Null without a limit.
   *
   * @example 11900
   */
  used: number | null;
  /**
   * What was left of the limit before this purchase, in minor units of the card's currency, at least 0. Null without a limit.
   *
   * @example 3100
   */
  remaining: number | null;
  /**
   * When the next day, week, month or year of the limit starts, in the organization's time zone. Null without a limit, and for a limit per transaction or for all time.
   *
   * @example new Date("2026-03-19T00:00:00.000Z")
   */
  resetsAt: Date | null;
  /**
   * The interval of the limit: `PER_TRANSACTION`, `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` or `ALL_TIME`. Null without a limit.
   *
   * @example "DAILY"
   */
  interval: LimitInterval | null;
}

/** A hold was released, or a part of it. */
export interface CardTransactionReversedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.reversed"
   */
  type: "card_transaction.reversed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: CardTransaction;
}

/** The merchant took the money, or a part of it. */
export interface CardTransactionSettledEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.settled"
   */
  type: "card_transaction.settled";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: CardTransaction;
}

/** Money came back to the card. The subject is the transaction of the refund. */
export interface CardTransactionRefundedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.refunded"
   */
  type: "card_transaction.refunded";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: {
    /**
     * The card transaction's id.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
    /**
     * The card's id.
     *
     * @example "card_01kkt63q10e7696qmkhq2zqbyk"
     */
    cardId: string;
    /**
     * In minor units of `currency`: what is held while PENDING, what was cleared when COMPLETED, what was refused or last held when DECLINED. Negative for a refund.
     *
     * @example 6200
     */
    amount: number;
    /**
     * The currency of `amount`: ISO 4217, upper case. It is the card's, unless the purchase was declined because it is in another (`currency_not_supported`).
     *
     * @example "GBP"
     */
    currency: string;
    /**
     * The merchant's name as the network reports it.
     *
     * @example "Restaurant De Haven"
     */
    merchantName: string;
    /**
     * The network's id of the merchant. Null if the network gives none.
     *
     * @example "174030075991"
     */
    merchantId: string | null;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if the network gives none.
     *
     * @example "5812"
     */
    merchantCategory: string | null;
    /**
     * More about the transaction, in words, such as `Dispute: funds reinstated`. Null for most.
     *
     * @example null
     */
    description: string | null;
    /**
     * The status of a card transaction. COMPLETED and DECLINED are final.
     *
     * - `PENDING`: approved. The amount is held and counts against the limit.
     * - `COMPLETED`: the merchant has taken the money, or given it back with a refund.
     * - `DECLINED`: refused, or approved and then reversed or expired. No money moved.
     *
     * @example "PENDING"
     */
    status: CardTransactionStatus;
    /**
     * Why the transaction was declined. Null unless its status is DECLINED.
     *
     * - `card_closed`: the card is closed.
     * - `card_frozen`: the card is frozen.
     * - `card_paused`: the card is paused.
     * - `card_expired`: the expiry month of the card is over.
     * - `currency_not_supported`: the purchase is not in the card's currency.
     * - `policy_not_started`: it is before the policy's `activeFrom`.
     * - `policy_expired`: it is at or after the policy's `activeTo`.
     * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
     * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
     * - `online_not_allowed`: the policy does not allow purchases online.
     * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
     * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
     * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
     * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
     * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
     * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
     * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
     * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
     * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
     * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
     * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
     * - `authorization_reversed`: the merchant released the whole hold.
     * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
     * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
     * - `issuer_declined`: the card issuer declined without a decision of this service.
     *
     * More reasons may be added.
     *
     * @example null
     */
    declineReason: DeclineReason | null;
    /**
     * When the purchase reached the service.
     *
     * @example new Date("2026-03-18T19:48:36.000Z")
     */
    createdAt: Date;
    /**
     * When the transaction became COMPLETED. Null until then.
     *
     * @example null
     */
    settledAt: Date | null;
    /**
     * The purchase that is refunded. Null if it is not known.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    originalTransactionId: string | null;
  };
}

/** A hold that nothing cleared was released. */
export interface CardTransactionExpiredEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "card_transaction.expired"
   */
  type: "card_transaction.expired";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "card_transaction"
     */
    type: "card_transaction";
    /**
     * The id of the subject.
     *
     * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: CardTransaction;
}

/** An organization subscribed to a plan. */
export interface SubscriptionCreatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "subscription.created"
   */
  type: "subscription.created";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "subscription"
     */
    type: "subscription";
    /**
     * The id of the subject.
     *
     * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Subscription;
}

/** An organization's subscription to a plan, as its payment provider has it. */
export interface Subscription {
  /**
   * The subscription's id at its payment provider.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The customer's id at the payment provider.
   *
   * @example "cus_R7nQx2LkdIwHu7"
   */
  customerId: string;
  /**
   * The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.
   *
   * - `ACTIVE`: it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.
   * - `CANCELED`: it has ended and cannot be resumed.
   * - `PAST_DUE`: a payment failed, and the provider tries again.
   * - `UNPAID`: all attempts to be paid failed, or the subscription is paused.
   * - `INCOMPLETE`: the first payment has not succeeded yet.
   *
   * @example "ACTIVE"
   */
  status: SubscriptionStatus;
  /**
   * The plan: its id at the payment provider. `billing.plans.list` has its name.
   *
   * @example "local_team"
   */
  planId: string;
  /**
   * The variant of the plan: its price's id at the payment provider. `billing.plans.list` has its price and interval.
   *
   * @example "local_team_monthly"
   */
  variantId: string;
  /**
   * When the period that is paid, or is to be paid, starts.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  currentPeriodStart: Date;
  /**
   * When the period ends. The subscription renews then, and the next payment is due, unless it is canceled.
   *
   * @example new Date("2026-04-02T09:15:00.000Z")
   */
  currentPeriodEnd: Date;
  /**
   * When the cancellation was requested. Null if there is none.
   *
   * @example null
   */
  canceledAt: Date | null;
  /**
   * Whether the subscription ends at `currentPeriodEnd`. Until then, resuming it withdraws the cancellation.
   *
   * @example false
   */
  cancelAtPeriodEnd: boolean;
}

/**
 * The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.
 *
 * - `ACTIVE`: it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.
 * - `CANCELED`: it has ended and cannot be resumed.
 * - `PAST_DUE`: a payment failed, and the provider tries again.
 * - `UNPAID`: all attempts to be paid failed, or the subscription is paused.
 * - `INCOMPLETE`: the first payment has not succeeded yet.
 */
export type SubscriptionStatus = "ACTIVE" | "CANCELED" | "PAST_DUE" | "UNPAID" | "INCOMPLETE";

/** A subscription changed: its plan, its status, or its cancellation. */
export interface SubscriptionUpdatedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "subscription.updated"
   */
  type: "subscription.updated";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "subscription"
     */
    type: "subscription";
    /**
     * The id of the subject.
     *
     * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Subscription;
}

/** A payment failed. The provider tries again. */
export interface SubscriptionPastDueEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "subscription.past_due"
   */
  type: "subscription.past_due";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "subscription"
     */
    type: "subscription";
    /**
     * The id of the subject.
     *
     * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Subscription;
}

/** A subscription has ended. */
export interface SubscriptionCanceledEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "subscription.canceled"
   */
  type: "subscription.canceled";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "subscription"
     */
    type: "subscription";
    /**
     * The id of the subject.
     *
     * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Subscription;
}

/** A subscription was paid for another period, on time or after a failed payment. */
export interface SubscriptionRenewedEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "subscription.renewed"
   */
  type: "subscription.renewed";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "subscription"
     */
    type: "subscription";
    /**
     * The id of the subject.
     *
     * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: Subscription;
}

/** An endpoint was disabled, because an owner did it, it answered 410, or everything failed for five days. */
export interface WebhookEndpointDisabledEvent {
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * What happened.
   *
   * @example "webhook_endpoint.disabled"
   */
  type: "webhook_endpoint.disabled";
  /**
   * When it happened.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  createdAt: Date;
  /** Who did it. Null for what a bank, a card network, a payment provider or a schedule of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /** What it happened to. */
  subject: {
    /**
     * The kind of the subject.
     *
     * @example "webhook_endpoint"
     */
    type: "webhook_endpoint";
    /**
     * The id of the subject.
     *
     * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
     */
    id: string;
  };
  /** The subject as it was right after the event, without secrets. */
  data: WebhookEndpoint;
}

/** An address that the events of an organization are sent to. */
export interface WebhookEndpoint {
  /**
   * The endpoint's id.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Where events are sent: an https address that the internet can reach, without user name and password. A service in development also takes http and local addresses.
   *
   * @example "https://hooks.demo.example/purser"
   */
  url: string;
  /**
   * The types of events that are sent. Empty for all. More types may be added.
   *
   * @example ["card_transaction.declined"]
   */
  types: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked" | (string & Record<never, never>)>;
  /**
   * What the endpoint is for, in up to 500 characters. Null if there is nothing.
   *
   * @example "Accounting"
   */
  description: string | null;
  /**
   * Whether events are sent to the endpoint.
   *
   * - `ENABLED`: every event of its types is sent.
   * - `DISABLED`: nothing is sent, and what happens meanwhile is not sent later.
   *
   * @example "ENABLED"
   */
  status: "ENABLED" | "DISABLED";
  /**
   * Why it is disabled, as a sentence. Null while it is ENABLED.
   *
   * @example null
   */
  disabledReason: string | null;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
}

/** A part of the feed of events, in its order. */
export interface EventFeed {
  /**
   * The events after the cursor, the oldest first. May be empty.
   *
   * @example []
   */
  events: Event[];
  /**
   * The position after these events. Pass it to the next call, also if there were none.
   *
   * @example "eyJvIjoib3JnXzAxa2pweDhuaDBlYnRiYnducWR4dmgwdHI4IiwiZSI6MX0"
   */
  cursor: string;
  /**
   * Whether there are more events already. Then call again immediately.
   *
   * @example false
   */
  hasMore: boolean;
}

/** An address that events are sent to, with the secret that signs them. */
export interface WebhookEndpointWithSecret {
  /**
   * The endpoint's id.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Where events are sent: an https address that the internet can reach, without user name and password. A service in development also takes http and local addresses.
   *
   * @example "https://hooks.demo.example/purser"
   */
  url: string;
  /**
   * The types of events that are sent. Empty for all. More types may be added.
   *
   * @example ["card_transaction.declined"]
   */
  types: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked" | (string & Record<never, never>)>;
  /**
   * What the endpoint is for, in up to 500 characters. Null if there is nothing.
   *
   * @example "Accounting"
   */
  description: string | null;
  /**
   * Whether events are sent to the endpoint.
   *
   * - `ENABLED`: every event of its types is sent.
   * - `DISABLED`: nothing is sent, and what happens meanwhile is not sent later.
   *
   * @example "ENABLED"
   */
  status: "ENABLED" | "DISABLED";
  /**
   * Why it is disabled, as a sentence. Null while it is ENABLED.
   *
   * @example null
   */
  disabledReason: string | null;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * The secret that signs the deliveries, in the form of Standard Webhooks. Only this response contains it; keep it secret.
   *
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3yTqJ0dXc2E="
   */
  secret: string;
}

/** An event on its way to a webhook endpoint. */
export interface WebhookDelivery {
  /**
   * The delivery's id.
   *
   * @example "whd_01kkb4m6r0e9tz3c8xk2jn5qbw"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The id of the endpoint.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  endpointId: string;
  /**
   * The id of the event, which the endpoint gets as `webhook-id`. The same at every attempt.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  eventId: string;
  /**
   * The type of the event. `webhook_endpoint.test` is that of a test. More types may be added.
   *
   * @example "card_transaction.declined"
   */
  eventType: WebhookDeliveryEventType;
  /**
   * Whether the event has reached the endpoint.
   *
   * - `PENDING`: it is being sent, or will be at `nextAttemptAt`.
   * - `DELIVERED`: the endpoint answered with a 2xx status.
   * - `FAILED`: it was given up: after the last attempt, or because the endpoint was disabled or deleted.
   *
   * @example "PENDING"
   */
  status: "PENDING" | "DELIVERED" | "FAILED";
  /** The newest 50 attempts, the oldest first. */
  attempts: WebhookAttempt[];
  /**
   * When it is sent next, at the earliest. Null unless it is PENDING.
   *
   * @example new Date("2026-03-18T19:53:36.204Z")
   */
  nextAttemptAt: Date | null;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-18T19:48:36.080Z")
   */
  createdAt: Date;
}

/** The type of the event. `webhook_endpoint.test` is that of a test. More types may be added. */
export type WebhookDeliveryEventType = "organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked" | "webhook_endpoint.test" | (string & Record<never, never>);

/** One request to an endpoint. */
export interface WebhookAttempt {
  /**
   * When it began.
   *
   * @example new Date("2026-03-18T19:48:36.120Z")
   */
  at: Date;
  /**
   * The HTTP status of the response. Null if there was none.
   *
   * @example 503
   */
  statusCode: number | null;
  /**
   * Why there was no response that counts, as a sentence. Null if the status says it.
   *
   * @example "No response within 15 seconds."
   */
  error: string | null;
  /**
   * Whether the endpoint took the event: it answered with a 2xx status in time.
   *
   * @example false
   */
  isSuccess: boolean;
  /**
   * How long it took, in milliseconds.
   *
   * @example 84
   */
  durationMs: number;
}

/** A card as lists show it. `cards.get` returns the whole card. */
export interface CardListItem {
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /** The cardholder. */
  assignedTo: {
    /**
     * The id of the user, not of the membership.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The user's name. Null if it is not known.
     *
     * @example "Demo Owner"
     */
    name: string | null;
    /**
     * The user's e-mail address, in lower case.
     *
     * @example "owner@demo.example"
     */
    email: string;
    /**
     * The address of the user's picture. Null if there is none.
     *
     * @example "https://demo.example/owner.png"
     */
    avatarUrl: string | null;
  };
  /** The policy that decides on the card's purchases. */
  policy: {
    /**
     * The card policy's id.
     *
     * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
     */
    id: string;
    /**
     * The policy's name, on one line.
     *
     * @example "Travel"
     */
    name: string;
    /**
     * What the policy is for, in up to 1000 characters. Null if there is none.
     *
     * @example "Up to £150 a day, at home and in other countries"
     */
    description: string | null;
  };
  /**
   * A label for people, of 1 to 100 characters. Null if the card has none.
   *
   * @example "Travel"
   */
  nickname: string | null;
  /**
   * What the card is for. A label that restricts nothing; the policy does.
   *
   * - `PERSONAL`: a person's own expenses.
   * - `BUSINESS`: expenses of the company, such as travel.
   * - `ONLINE`: purchases online.
   * - `SUBSCRIPTION`: recurring payments, such as software.
   *
   * @example "PERSONAL"
   */
  purpose: CardPurpose;
  /**
   * Whether a card can be used.
   *
   * - `ACTIVE`: purchases are decided by the card's policy.
   * - `PAUSED`: purchases are declined. The cardholder or an owner can resume the card.
   * - `FROZEN`: purchases are declined. Only an owner can lift it. A card freezes when its holder leaves the organization.
   * - `CLOSED`: purchases are declined for good. A closed card cannot be opened again.
   *
   * @example "ACTIVE"
   */
  status: CardStatus;
  /**
   * The last four digits of the card's number. The full number is never stored.
   *
   * @example "4242"
   */
  lastFour: string;
  /**
   * The last month in which the card is valid, from 1 to 12.
   *
   * @example 3
   */
  expiryMonth: number;
  /**
   * The year of the expiry month, in four digits.
   *
   * @example 2030
   */
  expiryYear: number;
  /**
   * The currency of the card: ISO 4217, upper case. All its amounts are in it.
   *
   * @example "GBP"
   */
  currency: string;
  /** The limit of a card's policy, and what is used of it now. */
  spending: CardSpending;
  /**
   * The statuses that the caller may give to the card now, besides the present one. Empty for a closed card.
   *
   * @example ["PAUSED", "CLOSED"]
   */
  nextStatuses: CardStatus[];
  /**
   * Whether the caller may change the holder, policy or nickname of the card now.
   *
   * @example false
   */
  canUpdate: boolean;
  /**
   * Whether the caller may give the card to another holder now. False where its issuer binds a card to one person.
   *
   * @example false
   */
  canReassign: boolean;
  /**
   * Whether the number of the card may be shown to the caller now.
   *
   * @example true
   */
  canReveal: boolean;
}

/** The limit of a card's policy, and what is used of it now. */
export interface CardSpending {
  /**
   * The policy's limit, in minor units of the card's currency. Of several, the one with the least remaining. Null without one.
   *
   * @example 50000
   */
  limit: number | null;
  /**
   * What the limit applies to: `PER_TRANSACTION`, `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` or `ALL_TIME`. Null without a limit.
   *
   * @example "MONTHLY"
   */
  interval: LimitInterval | null;
  /**
   * What counts against the limit in the current interval, in minor units: holds and cleared purchases. 0 for a limit for each purchase, and without a limit.
   *
   * @example 12350
   */
  used: number;
  /**
   * What is left of the limit, in minor units; never below 0. Null without a limit.
   *
   * @example 37650
   */
  remaining: number | null;
  /**
   * When the interval ends and the limit is whole again. Null for a limit for each purchase or for all time, and without a limit.
   *
   * @example new Date("2026-04-01T00:00:00.000Z")
   */
  resetsAt: Date | null;
  /**
   * Whether more than 80 % of the limit is used, so that purchases may be declined soon.
   *
   * @example false
   */
  isNearLimit: boolean;
}

/** The status of a card after the change. */
export interface UpdatedCardStatus {
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  id: string;
  /**
   * Whether a card can be used.
   *
   * - `ACTIVE`: purchases are decided by the card's policy.
   * - `PAUSED`: purchases are declined. The cardholder or an owner can resume the card.
   * - `FROZEN`: purchases are declined. Only an owner can lift it. A card freezes when its holder leaves the organization.
   * - `CLOSED`: purchases are declined for good. A closed card cannot be opened again.
   *
   * @example "ACTIVE"
   */
  status: CardStatus;
  /**
   * When the card was closed. Null unless its status is CLOSED.
   *
   * @example null
   */
  closedAt: Date | null;
}

/** A link to a page that shows the number of a card once. */
export interface CardRevealLink {
  /**
   * The address of a page that shows the card's number, expiry and CVC. Open it in the cardholder's browser. It works once, without a session, so treat it as a password.
   *
   * @example "https://purser.example.com/cards/reveal/sandbox#org_01kjpx8nh0ebtbbwnqdxvh0tr8.pHc0y8wGvQm3dCqk2Jr5uT9xLzN1bVfW6sEaRiYoK4M"
   */
  url: string;
  /**
   * When the link ends, 60 seconds from now.
   *
   * @example new Date("2026-03-02T09:01:00.000Z")
   */
  expiresAt: Date;
}

/** Which details of a cardholder are on record. Never the details themselves. */
export interface CardholderState {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The id of the user, not of the membership.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId: string;
  /**
   * The details that are on record.
   *
   * @example ["name", "phoneNumber"]
   */
  provided: CardholderDetail[];
  /**
   * The details that a card issuer of this service requires and that are not on record.
   *
   * @example ["address"]
   */
  missing: CardholderDetail[];
}

/**
 * A detail of a cardholder that card issuers may require.
 *
 * - `name`: the legal name.
 * - `dateOfBirth`: the date of birth.
 * - `phoneNumber`: the phone number.
 * - `address`: the postal address.
 * - `termsAcceptance`: the acceptance of the issuer's terms, given with `acceptsTerms`.
 * - `governmentId`: the US SSN or ITIN.
 */
export type CardholderDetail = "name" | "dateOfBirth" | "phoneNumber" | "address" | "termsAcceptance" | "governmentId";

/** A category of merchants that card policies can name. */
export interface MerchantCategory {
  /**
   * The merchant category code (MCC) of ISO 18245: four digits.
   *
   * @example "5812"
   */
  code: string;
  /**
   * The name that card issuers have for the category. Policies take it, like the code.
   *
   * @example "eating_places_restaurants"
   */
  name: string;
  /**
   * The name as people write it, for a list to choose from.
   *
   * @example "Eating places, restaurants"
   */
  label: string;
  /**
   * The kind of business, by ranges of codes.
   *
   * - `agriculture`: codes from 0001: farming, veterinary services.
   * - `contracted_services`: codes from 1500: construction, printing.
   * - `transport`: codes from 4000, and airlines and car rentals with codes of their own.
   * - `utilities`: codes from 4800: telecommunication, money transfer, energy.
   * - `retail`: codes from 5000: wholesale, groceries, vehicles, fuel.
   * - `clothing`: codes from 5600.
   * - `stores`: codes from 5700: restaurants, and all other stores.
   * - `financial_services`: codes from 6000: cash, insurance, rent.
   * - `personal_services`: codes from 7000: lodging, laundries, hairdressers.
   * - `business_services`: codes from 7300: advertising, software, car rental.
   * - `repairs`: codes from 7530: of vehicles and things.
   * - `entertainment`: codes from 7800: cinemas, sports, gambling.
   * - `professional_services`: codes from 8000: doctors, schools, lawyers, associations.
   * - `government`: codes from 9000: taxes, fines, post.
   *
   * @example "agriculture"
   */
  group: "agriculture" | "contracted_services" | "transport" | "utilities" | "retail" | "clothing" | "stores" | "financial_services" | "personal_services" | "business_services" | "repairs" | "entertainment" | "professional_services" | "government";
  /** The codes of single airlines, car rentals and hotels, which the name of their kind includes in a policy; its code does not. Null for all other categories. */
  includes: {
    /**
     * The first code that belongs to the category too.
     *
     * @example "3000"
     */
    from: string;
    /**
     * The last code that belongs to the category too.
     *
     * @example "3350"
     */
    to: string;
  } | null;
}

/** A policy with the number and the currencies of its cards. */
export interface CardPolicyListItem {
  /**
   * The card policy's id.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The policy's name, on one line.
   *
   * @example "Travel"
   */
  name: string;
  /**
   * What the policy is for, in up to 1000 characters. Null if there is none.
   *
   * @example "Up to £150 a day, at home and in other countries"
   */
  description: string | null;
  /**
   * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
   *
   * @example 15000
   */
  spendingLimit: number | null;
  /**
   * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
   *
   * @example "DAILY"
   */
  limitInterval: SpendingLimitInterval | null;
  /**
   * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
   *
   * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
   */
  limits: CardLimit[];
  /**
   * Whether ATM withdrawals are allowed. True by default.
   *
   * @example false
   */
  allowAtm: boolean;
  /**
   * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
   *
   * @example true
   */
  allowOnline: boolean;
  /**
   * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
   *
   * @example true
   */
  allowInternational: boolean;
  /**
   * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
   *
   * @example ["5812", "hotels_motels_and_resorts"]
   */
  merchantCategories: string[];
  /**
   * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
   *
   * @example ["betting_casino_gambling"]
   */
  blockedMerchantCategories: string[];
  /**
   * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
   *
   * @example ["Bakery Row", "174030075991"]
   */
  blockedMerchants: string[];
  /**
   * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
   *
   * @example ["Rail Europe"]
   */
  allowedMerchants: string[];
  /**
   * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  activeFrom: Date | null;
  /**
   * When the policy ends: purchases at or after this time are declined. Null for no end.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  activeTo: Date | null;
  /**
   * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
   *
   * @example [1, 2, 3, 4, 5]
   */
  daysOfWeek: number[];
  /**
   * The number of cards that follow the policy and are not CLOSED.
   *
   * @example 2
   */
  cardCount: number;
  /**
   * The currencies of these cards: ISO 4217, that of most cards first. The amounts of the policy are in the currency of each card.
   *
   * @example ["GBP"]
   */
  currencies: string[];
}

/** The most that each card may spend in an interval. */
export interface NewCardLimit {
  /**
   * The most that each card may spend, in minor units of its currency, 0 or more.
   *
   * @example 200000
   */
  amount: number;
  /**
   * What a limit applies to, for each card. Days, weeks, months and years are those of the organization's time zone.
   *
   * - `PER_TRANSACTION`: each purchase separately.
   * - `DAILY`: all purchases of a day.
   * - `WEEKLY`: all purchases of a week, which starts on Monday.
   * - `MONTHLY`: all purchases of a calendar month.
   * - `YEARLY`: all purchases of a calendar year.
   * - `ALL_TIME`: all purchases with the card. This limit never resets.
   *
   * @example "PER_TRANSACTION"
   */
  interval: LimitInterval;
}

/** A policy that is not stored. Absent fields have the defaults of a new policy. */
export interface CardPolicyDraft {
  /**
   * The policy's name, on one line.
   *
   * @example "Travel"
   */
  name?: string | undefined;
  /**
   * What the policy is for, in up to 1000 characters. Null if there is none.
   *
   * @example "Up to £150 a day, at home and in other countries"
   */
  description?: string | null | undefined;
  /**
   * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
   *
   * @example 15000
   */
  spendingLimit?: number | null | undefined;
  /**
   * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
   *
   * @example "DAILY"
   */
  limitInterval?: SpendingLimitInterval | null | undefined;
  /**
   * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
   *
   * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
   */
  limits?: NewCardLimit[] | undefined;
  /**
   * Whether ATM withdrawals are allowed. True by default.
   *
   * @example false
   */
  allowAtm?: boolean | undefined;
  /**
   * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
   *
   * @example true
   */
  allowOnline?: boolean | undefined;
  /**
   * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
   *
   * @example true
   */
  allowInternational?: boolean | undefined;
  /**
   * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
   *
   * @example ["5812", "hotels_motels_and_resorts"]
   */
  merchantCategories?: string[] | undefined;
  /**
   * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
   *
   * @example ["betting_casino_gambling"]
   */
  blockedMerchantCategories?: string[] | undefined;
  /**
   * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
   *
   * @example ["Bakery Row", "174030075991"]
   */
  blockedMerchants?: string[] | undefined;
  /**
   * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
   *
   * @example ["Rail Europe"]
   */
  allowedMerchants?: string[] | undefined;
  /**
   * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  activeFrom?: Date | null | undefined;
  /**
   * When the policy ends: purchases at or after this time are declined. Null for no end.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  activeTo?: Date | null | undefined;
  /**
   * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
   *
   * @example [1, 2, 3, 4, 5]
   */
  daysOfWeek?: number[] | undefined;
}

/**
 * How the card is used. If it is unknown, use `online`, as the service does.
 *
 * - `in_store`: at a terminal of the merchant.
 * - `online`: without the card being present: on the web, by phone or by mail.
 * - `atm`: a withdrawal of cash.
 */
export type CardChannel = "in_store" | "online" | "atm";

/** What would be decided on a purchase. */
export interface CheckedPurchase {
  /**
   * What was decided.
   *
   * - `approved`: the purchase may proceed, possibly for less than requested.
   * - `declined`: the purchase is refused, or its approval was withdrawn.
   *
   * @example "declined"
   */
  outcome: "approved" | "declined";
  /**
   * Why the purchase is declined. Null for an approval.
   *
   * - `card_closed`: the card is closed.
   * - `card_frozen`: the card is frozen.
   * - `card_paused`: the card is paused.
   * - `card_expired`: the expiry month of the card is over.
   * - `currency_not_supported`: the purchase is not in the card's currency.
   * - `policy_not_started`: it is before the policy's `activeFrom`.
   * - `policy_expired`: it is at or after the policy's `activeTo`.
   * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
   * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
   * - `online_not_allowed`: the policy does not allow purchases online.
   * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
   * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
   * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
   * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
   * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
   * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
   * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
   * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
   * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
   * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
   * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
   * - `authorization_reversed`: the merchant released the whole hold.
   * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
   * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
   * - `issuer_declined`: the card issuer declined without a decision of this service.
   *
   * More reasons may be added.
   *
   * @example "daily_limit_exceeded"
   */
  reason: DeclineReason | null;
  /**
   * What the merchant requested, in minor units of the transaction's currency. Null if nothing was requested.
   *
   * @example 6200
   */
  requestedAmount: number | null;
  /**
   * What is approved, in minor units of the card's currency. 0 for a decline. Less than `requestedAmount` for a partial approval: what was left of the limit. Null if nothing was requested.
   *
   * @example 0
   */
  approvedAmount: number | null;
  /**
   * The policy's limit, in minor units of the card's currency. Of several, the one that declines the purchase, otherwise the one with the least remaining: it explains a decline only if `reason` ends in `_limit_exceeded`. A smaller purchase may exceed another limit; `cards.policies.check` tells. Null if it has none, and for a purchase in another currency.
   *
   * @example 15000
   */
  limit: number | null;
  /**
   * What counted against the limit before this purchase, in minor units of the card's currency. Null without a limit.
   *
   * @example 11900
   */
  used: number | null;
  /**
   * What was left of the limit before this purchase, in minor units of the card's currency, at least 0. Null without a limit.
   *
   * @example 3100
   */
  remaining: number | null;
  /**
   * When the next day, week, month or year of the limit starts, in the organization's time zone. Null without a limit, and for a limit per transaction or for all time.
   *
   * @example new Date("2026-03-19T00:00:00.000Z")
   */
  resetsAt: Date | null;
  /**
   * The interval of the limit: `PER_TRANSACTION`, `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` or `ALL_TIME`. Null without a limit.
   *
   * @example "DAILY"
   */
  interval: LimitInterval | null;
  /**
   * What to change in the policy so that the purchase passes: all of it, while `reason` is the first rule that declines. Null for an approval, if no policy lets the purchase pass, and if the list that must grow is full.
   *
   * @example { limits: [{ amount: 18100, interval: "DAILY" }] }
   */
  passesWith: PassingTerms | null;
}

/** The terms of the policy that must change so that the purchase passes, each with its whole new value, as `cards.policies.update` and a draft take them. */
export interface PassingTerms {
  /**
   * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
   *
   * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
   */
  limits?: CardLimit[] | undefined;
  /**
   * Whether ATM withdrawals are allowed. True by default.
   *
   * @example false
   */
  allowAtm?: boolean | undefined;
  /**
   * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
   *
   * @example true
   */
  allowOnline?: boolean | undefined;
  /**
   * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
   *
   * @example true
   */
  allowInternational?: boolean | undefined;
  /**
   * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
   *
   * @example ["5812", "hotels_motels_and_resorts"]
   */
  merchantCategories?: string[] | undefined;
  /**
   * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
   *
   * @example ["betting_casino_gambling"]
   */
  blockedMerchantCategories?: string[] | undefined;
  /**
   * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
   *
   * @example ["Bakery Row", "174030075991"]
   */
  blockedMerchants?: string[] | undefined;
  /**
   * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
   *
   * @example ["Rail Europe"]
   */
  allowedMerchants?: string[] | undefined;
  /**
   * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  activeFrom?: Date | null | undefined;
  /**
   * When the policy ends: purchases at or after this time are declined. Null for no end.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  activeTo?: Date | null | undefined;
  /**
   * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
   *
   * @example [1, 2, 3, 4, 5]
   */
  daysOfWeek?: number[] | undefined;
}

/** What a policy would have decided on past purchases that were approved. */
export interface CardPolicyBacktest {
  /**
   * The number of past purchases that were replayed: those that were approved.
   *
   * @example 120
   */
  evaluated: number;
  /**
   * How many of them the policy would have approved.
   *
   * @example 112
   */
  approved: number;
  /**
   * How many of them the policy would have declined.
   *
   * @example 8
   */
  declined: number;
  /**
   * How many of the approved ones would have been approved for less than was approved then, where the merchant accepted that and the organization's settings allow it.
   *
   * @example 0
   */
  partiallyApproved: number;
  /**
   * The sum of all amounts that would have been declined, in minor units. With cards in several currencies, read `amountsDeclined`.
   *
   * @example 18400
   */
  amountDeclined: number;
  /** What would have been declined, per currency, in alphabetical order. */
  amountsDeclined: CurrencyAmount[];
  /** The reasons for which purchases would have been declined, the most frequent first. */
  reasons: Array<{
    /**
     * Why the policy would have declined.
     *
     * - `card_closed`: the card is closed.
     * - `card_frozen`: the card is frozen.
     * - `card_paused`: the card is paused.
     * - `card_expired`: the expiry month of the card is over.
     * - `currency_not_supported`: the purchase is not in the card's currency.
     * - `policy_not_started`: it is before the policy's `activeFrom`.
     * - `policy_expired`: it is at or after the policy's `activeTo`.
     * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
     * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
     * - `online_not_allowed`: the policy does not allow purchases online.
     * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
     * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
     * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
     * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
     * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
     * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
     * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
     * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
     * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
     * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
     * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
     * - `authorization_reversed`: the merchant released the whole hold.
     * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
     * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
     * - `issuer_declined`: the card issuer declined without a decision of this service.
     *
     * More reasons may be added.
     *
     * @example "daily_limit_exceeded"
     */
    reason: DeclineReason;
    /**
     * How many purchases would have been declined for this reason.
     *
     * @example 8
     */
    count: number;
    /**
     * The sum of their amounts, in minor units, like `amountDeclined`.
     *
     * @example 18400
     */
    amount: number;
    /** Their amounts per currency, in alphabetical order. */
    amounts: CurrencyAmount[];
  }>;
  /** The newest purchases that would have been declined, at most 20. */
  samples: CardTransaction[];
}

/** A sum in one currency. */
export interface CurrencyAmount {
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * In minor units of `currency`.
   *
   * @example 18400
   */
  amount: number;
}

/** The decision on a card transaction, what became of it, and how the card was used. */
export interface ExplainedCardDecision {
  /**
   * What was decided.
   *
   * - `approved`: the purchase may proceed, possibly for less than requested.
   * - `declined`: the purchase is refused, or its approval was withdrawn.
   * - `not_requested`: a force post, a refund or a dispute, which need no approval.
   *
   * @example "declined"
   */
  outcome: "approved" | "declined" | "not_requested";
  /**
   * Why the purchase is declined. Null for an approval.
   *
   * - `card_closed`: the card is closed.
   * - `card_frozen`: the card is frozen.
   * - `card_paused`: the card is paused.
   * - `card_expired`: the expiry month of the card is over.
   * - `currency_not_supported`: the purchase is not in the card's currency.
   * - `policy_not_started`: it is before the policy's `activeFrom`.
   * - `policy_expired`: it is at or after the policy's `activeTo`.
   * - `day_not_allowed`: the policy's `daysOfWeek` do not include the day.
   * - `atm_not_allowed`: the policy does not allow ATM withdrawals.
   * - `online_not_allowed`: the policy does not allow purchases online.
   * - `international_not_allowed`: the merchant is in another country than the card, and the policy does not allow that.
   * - `merchant_category_not_allowed`: the policy's `merchantCategories` do not include the merchant's category.
   * - `merchant_category_blocked`: the policy's `blockedMerchantCategories` include the merchant's category.
   * - `merchant_blocked`: the policy's `blockedMerchants` include the merchant.
   * - `merchant_not_allowed`: the policy's `allowedMerchants` do not include the merchant.
   * - `transaction_limit_exceeded`: the amount exceeds the limit for one purchase.
   * - `daily_limit_exceeded`: the amount exceeds what is left of the day's limit.
   * - `weekly_limit_exceeded`: the amount exceeds what is left of the week's limit.
   * - `monthly_limit_exceeded`: the amount exceeds what is left of the month's limit.
   * - `yearly_limit_exceeded`: the amount exceeds what is left of the year's limit.
   * - `all_time_limit_exceeded`: the amount exceeds what is left of the limit for all time.
   * - `authorization_reversed`: the merchant released the whole hold.
   * - `authorization_expired`: nothing cleared the hold in time, usually within 7 days.
   * - `decision_timed_out`: the decision did not reach the network in time, so the network declined.
   * - `issuer_declined`: the card issuer declined without a decision of this service.
   *
   * More reasons may be added.
   *
   * @example "daily_limit_exceeded"
   */
  reason: DeclineReason | null;
  /**
   * What the merchant requested, in minor units of the transaction's currency. Null if nothing was requested.
   *
   * @example 6200
   */
  requestedAmount: number | null;
  /**
   * What is approved, in minor units of the card's currency. 0 for a decline. Less than `requestedAmount` for a partial approval: what was left of the limit. Null if nothing was requested.
   *
   * @example 0
   */
  approvedAmount: number | null;
  /**
   * The policy's limit, in minor units of the card's currency. Of several, the one that declines the purchase, otherwise the one with the least remaining: it explains a decline only if `reason` ends in `_limit_exceeded`. A smaller purchase may exceed another limit; `cards.policies.check` tells. Null if it has none, and for a purchase in another currency.
   *
   * @example 15000
   */
  limit: number | null;
  /**
   * What counted against the limit before this purchase, in minor units of the card's currency. Null without a limit.
   *
   * @example 11900
   */
  used: number | null;
  /**
   * What was left of the limit before this purchase, in minor units of the card's currency, at least 0. Null without a limit.
   *
   * @example 3100
   */
  remaining: number | null;
  /**
   * When the next day, week, month or year of the limit starts, in the organization's time zone. Null without a limit, and for a limit per transaction or for all time.
   *
   * @example new Date("2026-03-19T00:00:00.000Z")
   */
  resetsAt: Date | null;
  /**
   * The interval of the limit: `PER_TRANSACTION`, `DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY` or `ALL_TIME`. Null without a limit.
   *
   * @example "DAILY"
   */
  interval: LimitInterval | null;
  /**
   * When it was decided.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  decidedAt: Date;
  /**
   * What created the transaction. Only an authorization is decided.
   *
   * - `authorization`: a request to approve a purchase.
   * - `force_post`: a clearing without a request. The merchant takes the money in any case.
   * - `refund`: money back from the merchant, with a negative amount, or taken again when the refund is reversed.
   * - `dispute`: money back from a dispute, with a negative amount, or taken again when the dispute is lost.
   *
   * @example "authorization"
   */
  origin: "authorization" | "force_post" | "refund" | "dispute";
  /** The decisions on requests to hold more, the oldest first. Mostly empty. */
  increments: CardIncrement[];
  /**
   * What the merchant cleared beyond the approved amount, or without an approval, in minor units of the card's currency. Otherwise 0.
   *
   * @example 0
   */
  amountBeyondApproval: number;
  /**
   * The transaction as it is now, as lists show it.
   *
   * @example { id: "ctx_01km17wah0e1yrppt2vm9zg0fr", cardId: "card_01kkt63q10e7696qmkhq2zqbyk", amount: 6200, currency: "GBP", merchantName: "Restaurant De Haven", merchantId: "174030075991", merchantCategory: "5812", description: null, status: "DECLINED", declineReason: "daily_limit_exceeded", createdAt: new Date("2026-03-18T19:48:36.000Z"), settledAt: null }
   */
  transaction: CardTransaction;
  /**
   * How the card was used, as the decision saw it.
   *
   * @example "in_store"
   */
  channel: CardChannel;
  /**
   * The merchant's country: ISO 3166-1 alpha-2. Null if the network gives none.
   *
   * @example "NL"
   */
  merchantCountry: string | null;
  /**
   * The approval that the network did not carry out. `reason` and `decidedAt` then tell of its withdrawal. Null for all other decisions.
   *
   * @example null
   */
  withdrawnApproval: {
    /**
     * When it was approved.
     *
     * @example new Date("2026-03-18T19:48:36.000Z")
     */
    approvedAt: Date;
    /**
     * What was approved, in minor units of the card's currency.
     *
     * @example 6200
     */
    approvedAmount: number | null;
  } | null;
  /**
   * Whether `cards.policies.check` tells what the same purchase would meet now. False unless it was declined, and for a decline that neither the card nor its policy decides: another currency, the card issuer, a hold that ended.
   *
   * @example true
   */
  canCheck: boolean;
}

/** What was spent with cards in one currency, by card, merchant, category or day. Days on which nothing was spent have zeros. */
export interface CardSpendingItem {
  /**
   * The currency of the amounts: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * What the item is: the card's id, the merchant's id or, without one, name, the merchant category, or the day as `YYYY-MM-DD`. Null for purchases without a category.
   *
   * @example "174030075991"
   */
  key: string | null;
  /**
   * The key for people: the card's nickname or last four digits, the merchant's name, the category or the day. Empty for no category.
   *
   * @example "Restaurant De Haven"
   */
  label: string;
  /**
   * What is held and cleared, less refunds and money back from disputes, in minor units. Reversed and expired holds are not in it. Negative if more came back.
   *
   * @example 18600
   */
  approved: number;
  /**
   * The sum of the amounts that were refused, in minor units.
   *
   * @example 9900
   */
  declined: number;
  /**
   * The number of approved purchases that are not reversed or expired.
   *
   * @example 3
   */
  count: number;
  /**
   * The number of refused purchases.
   *
   * @example 1
   */
  declinedCount: number;
}

/** The provider through which the bank is read: `sandbox`, `plaid` or `yapily`. The sandbox has fictional banks. A provider that is not configured is refused with `PROVIDER_NOT_CONFIGURED`. */
export type BankProviderName = "sandbox" | "plaid" | "yapily";

/** A bank that a provider can read. */
export interface Institution {
  /**
   * The bank's id at the provider. It is the `providerId` of links and connections.
   *
   * @example "sandbox-bank"
   */
  id: string;
  /**
   * The name of the provider: `sandbox`, `plaid` or `yapily`.
   *
   * @example "sandbox"
   */
  provider: string;
  /**
   * The bank's name.
   *
   * @example "Sandbox Bank"
   */
  name: string;
  /**
   * The bank's country: ISO 3166-1 alpha-2, upper case. `ZZ` if the provider names none.
   *
   * @example "GB"
   */
  country: string;
  /**
   * The address of the bank's logo. Null if the provider has none.
   *
   * @example "https://bank.example/logo.png"
   */
  logoUrl: string | null;
}

/** A page on which a person gives or renews a consent. */
export interface BankLink {
  /**
   * The page to open in the person's browser. Treat it as a secret.
   *
   * @example "https://bank.example/consent/1f0c2d4e"
   */
  url: string;
  /**
   * Until when the page can be opened.
   *
   * @example new Date("2026-03-02T09:45:00.000Z")
   */
  expiresAt: Date;
}

/** A bank connection after it was disconnected. */
export interface DisconnectedBankConnection {
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  id: string;
  /**
   * The connection is no longer read.
   *
   * @example "DISCONNECTED"
   */
  status: "DISCONNECTED";
  /** The consents of the connection, newest first. */
  consents: Array<{
    /**
     * The consent's id at the provider: the `consentId` of the connect call, or the item id at Plaid.
     *
     * @example "consent-7f3a9c"
     */
    id: string;
    /**
     * The consent has ended.
     *
     * @example "REVOKED"
     */
    status: "REVOKED";
    /**
     * When the consent ended. A repeated call shows the same time.
     *
     * @example new Date("2026-04-15T08:00:00.000Z")
     */
    revokedAt: Date;
  }>;
}

/** A consent in force. */
export interface UpdatedBankConsent {
  /**
   * The consent's id at the provider: the `consentId` of the connect call, or the item id at Plaid.
   *
   * @example "consent-7f3a9c"
   */
  id: string;
  /**
   * The consent permits reading the bank.
   *
   * @example "AUTHORIZED"
   */
  status: "AUTHORIZED";
  /**
   * What the consent permits to read. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is not read.
   *
   * @example ["accounts", "balances", "transactions"]
   */
  scopes: string[];
  /**
   * When the consent ends. The person has to renew it at the bank before.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  expiresAt: Date;
  /**
   * Null, because the consent has not ended.
   *
   * @example null
   */
  revokedAt: null;
}

/** Whether a connection brings data, and until when. */
export interface BankConnectionHealth {
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * Whether the connection brings data.
   *
   * - `ok`: the last sync succeeded.
   * - `syncing`: a sync is waiting or running, or the provider is still preparing the history of a new consent.
   * - `needs_reauthorization`: nothing is read until the person renews the consent at the bank.
   * - `failing`: the last sync failed. The service retries automatically.
   * - `disconnected`: the connection is no longer read.
   *
   * @example "ok"
   */
  status: BankConnectionHealthStatus;
  /**
   * The error code of the last sync, such as `PROVIDER_ERROR`, or what the person has to do: `CONSENT_EXPIRED` or `REAUTHORIZATION_REQUIRED`. Null if nothing is wrong.
   *
   * @example "CONSENT_EXPIRED"
   */
  reason: BankSyncErrorCode | null;
  /**
   * When the last successful sync ended. Null before the first.
   *
   * @example new Date("2026-03-02T09:20:00.000Z")
   */
  lastSuccessAt: Date | null;
  /**
   * How old the data is: when the bank was last read for what the last successful sync brought. Plaid reads the banks itself, so this may be hours before `lastSuccessAt`. Null if it is not known.
   *
   * @example new Date("2026-03-02T03:05:00.000Z")
   */
  bankReadAt: Date | null;
  /**
   * When the next scheduled sync is due. Null if none is.
   *
   * @example new Date("2026-03-02T15:20:00.000Z")
   */
  nextSyncAt: Date | null;
  /**
   * How often the bank may still be read within 24 hours without a person present. At 0, `banking.connections.sync` is `RATE_LIMITED` for an API key. Null if there is no limit, and for a disconnected connection.
   *
   * @example 3
   */
  quotaRemaining: number | null;
  /**
   * The name of the bank.
   *
   * @example "Sandbox Bank"
   */
  institutionName: string;
  /**
   * Whether `banking.connections.sync` reads the bank now. False for a disconnected connection, and for a consent that has expired.
   *
   * @example true
   */
  canSync: boolean;
  /**
   * By when a person has to act next: the earlier one of `consentExpiresAt` and `reconfirmBy`.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  deadline: Date;
  /**
   * What the deadline is.
   *
   * - `CONSENT_ENDS`: the consent ends. The person renews it at the bank before.
   * - `CONFIRMATION_DUE`: the consent has to be confirmed. `banking.connections.reconfirm` does it.
   *
   * @example "CONSENT_ENDS"
   */
  deadlineKind: BankDeadlineKind;
  /**
   * When the newest consent ends.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  consentExpiresAt: Date;
  /**
   * By when the consent has to be confirmed the next time. Null for never.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  reconfirmBy: Date | null;
  /**
   * Whether `banking.connections.reconfirm` can confirm the newest consent. False for a consent that has ended, and where the provider confirms none.
   *
   * @example true
   */
  canReconfirm: boolean;
  /**
   * Whether a person should act soon, because `reconfirmBy` or `consentExpiresAt` is at most 14 days away. Owners get a mail then. False for a consent that has ended.
   *
   * @example false
   */
  isConsentEnding: boolean;
}

/**
 * Whether the connection brings data.
 *
 * - `ok`: the last sync succeeded.
 * - `syncing`: a sync is waiting or running, or the provider is still preparing the history of a new consent.
 * - `needs_reauthorization`: nothing is read until the person renews the consent at the bank.
 * - `failing`: the last sync failed. The service retries automatically.
 * - `disconnected`: the connection is no longer read.
 */
export type BankConnectionHealthStatus = "ok" | "syncing" | "needs_reauthorization" | "failing" | "disconnected";

/**
 * What the deadline is.
 *
 * - `CONSENT_ENDS`: the consent ends. The person renews it at the bank before.
 * - `CONFIRMATION_DUE`: the consent has to be confirmed. `banking.connections.reconfirm` does it.
 */
export type BankDeadlineKind = "CONSENT_ENDS" | "CONFIRMATION_DUE";

/** A consent after its confirmation. */
export interface ReconfirmedBankConsent {
  /**
   * The consent's id at the provider: the `consentId` of the connect call, or the item id at Plaid.
   *
   * @example "consent-7f3a9c"
   */
  id: string;
  /**
   * The consent permits reading the bank.
   *
   * @example "AUTHORIZED"
   */
  status: "AUTHORIZED";
  /**
   * What the consent permits to read. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is not read.
   *
   * @example ["accounts", "balances", "transactions"]
   */
  scopes: string[];
  /**
   * When the consent ends. The person has to renew it at the bank before.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  expiresAt: Date;
  /**
   * Null, because the consent has not ended.
   *
   * @example null
   */
  revokedAt: null;
  /**
   * By when the consent has to be confirmed the next time. Null for never.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  reconfirmBy: Date | null;
}

/** A bank connection after a sync. */
export interface SyncedBankConnection {
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  id: string;
  /**
   * The connection's status: `ACTIVE` or `DISCONNECTED`.
   *
   * @example "ACTIVE"
   */
  status: string;
  /**
   * When the last successful sync ended. `bankReadAt` of `banking.connections.health` says how old its data is.
   *
   * @example new Date("2026-03-02T09:20:00.000Z")
   */
  updatedAt: Date;
  /** The consents of the connection, newest first. */
  consents: Array<{
    /**
     * The consent's id at the provider: the `consentId` of the connect call, or the item id at Plaid.
     *
     * @example "consent-7f3a9c"
     */
    id: string;
    /**
     * The consent's status: `AUTHORIZED` or `REVOKED`.
     *
     * @example "AUTHORIZED"
     */
    status: string;
    /**
     * What the consent permits to read. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is not read.
     *
     * @example ["accounts", "balances", "transactions"]
     */
    scopes: string[];
    /**
     * When the consent ends. The person has to renew it at the bank before.
     *
     * @example new Date("2026-05-31T09:15:00.000Z")
     */
    expiresAt: Date;
  }>;
}

/** A bank account with its newest transactions. */
export interface BankAccountDetails {
  /**
   * The bank account's id.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  id: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * The account's name at the bank.
   *
   * @example "Business Current Account"
   */
  accountName: string;
  /**
   * The full account number, or the IBAN where the bank has no other number. Never masked. Null if the bank does not provide it.
   *
   * @example "31926819"
   */
  accountNumber: string | null;
  /**
   * The sort code of a British account, six digits. Null for other accounts.
   *
   * @example "040077"
   */
  sortCode: string | null;
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * The kind of account.
   *
   * - `CHECKING`: a current account.
   * - `SAVINGS`: a savings account.
   * - `CREDIT`: a credit card or loan. What is owed is a negative balance.
   * - `INVESTMENT`: an investment account.
   *
   * @example "CHECKING"
   */
  type: BankAccountType;
  /**
   * What the account is worth to its owner, in minor units of `currency`. Debt is negative.
   *
   * @example 184250
   */
  balance: number;
  /**
   * What the owner can spend now, in minor units of `currency`, without an overdraft or another credit line. Null for a `CREDIT` account, and if the bank does not provide it.
   *
   * @example 179350
   */
  availableBalance: number | null;
  /**
   * Whether the bank still lists the account, as far as it was read. False for an account that the person closed or no longer shares: its balance is the last known one.
   *
   * @example true
   */
  isListed: boolean;
  /** The connection that reads the account. */
  connection: {
    /**
     * The bank connection's id.
     *
     * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
     */
    id: string;
    /**
     * The name of the provider: `sandbox`, `plaid` or `yapily`.
     *
     * @example "sandbox"
     */
    provider: string;
    /**
     * The connection's status: `ACTIVE` or `DISCONNECTED`.
     *
     * @example "ACTIVE"
     */
    status: string;
  };
  /**
   * The number of posted transactions, without pending ones.
   *
   * @example 1284
   */
  transactionCount: number;
  /** The ten newest posted transactions, newest first. */
  recentTransactions: RecentBankTransaction[];
}

/** A posted transaction of a bank account. */
export interface RecentBankTransaction {
  /**
   * The bank transaction's id. A pending transaction keeps it when it is posted.
   *
   * @example "btx_01kkk4b3h0e09b8574sb5b1sxr"
   */
  id: string;
  /**
   * In minor units of `currency`, 0 or more. `type` is the direction.
   *
   * @example 4900
   */
  amount: number;
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * What the bank writes about the transaction.
   *
   * @example "CLOUDSTACK HOSTING 4821"
   */
  description: string;
  /**
   * The bank's calendar day of the transaction, at 00:00 UTC. It is never shifted to another time zone.
   *
   * @example new Date("2026-03-02T00:00:00.000Z")
   */
  transactionDate: Date;
  /**
   * The direction of the money.
   *
   * - `CREDIT`: money into the account.
   * - `DEBIT`: money out of the account.
   *
   * @example "DEBIT"
   */
  type: BankTransactionType;
  /**
   * The category that an owner gave the transaction, or else that of the bank or its provider. Each provider has its own names. Null if there is none.
   *
   * @example "SOFTWARE"
   */
  category: string | null;
}

/**
 * The direction of the money.
 *
 * - `CREDIT`: money into the account.
 * - `DEBIT`: money out of the account.
 */
export type BankTransactionType = "CREDIT" | "DEBIT";

/** A transaction of a bank account, with its account. */
export interface BankTransaction {
  /**
   * The bank transaction's id. A pending transaction keeps it when it is posted.
   *
   * @example "btx_01kkk4b3h0e09b8574sb5b1sxr"
   */
  id: string;
  /**
   * In minor units of `currency`, 0 or more. `type` is the direction.
   *
   * @example 4900
   */
  amount: number;
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * What the bank writes about the transaction.
   *
   * @example "CLOUDSTACK HOSTING 4821"
   */
  description: string;
  /**
   * The bank's calendar day of the transaction, at 00:00 UTC. It is never shifted to another time zone.
   *
   * @example new Date("2026-03-02T00:00:00.000Z")
   */
  transactionDate: Date;
  /**
   * The direction of the money.
   *
   * - `CREDIT`: money into the account.
   * - `DEBIT`: money out of the account.
   *
   * @example "DEBIT"
   */
  type: BankTransactionType;
  /**
   * The category that an owner gave the transaction, or else that of the bank or its provider. Each provider has its own names. Null if there is none.
   *
   * @example "SOFTWARE"
   */
  category: string | null;
  /**
   * Whether the bank has posted the transaction.
   *
   * - `PENDING`: not posted yet. Amount, day and description may still change.
   * - `POSTED`: posted by the bank.
   *
   * @example "PENDING"
   */
  status: BankTransactionStatus;
  /**
   * The merchant's name, where the bank or its provider reports it separately from the description. Null otherwise.
   *
   * @example "Cloudstack"
   */
  merchantName: string | null;
  /**
   * A person's note, in 1 to 1000 characters. Null if there is none. No sync changes it.
   *
   * @example "Invoice 2026-031, approved by the owner"
   */
  note: string | null;
  /**
   * The bank account's id.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId: string;
  /** The account of the transaction. */
  account: {
    /**
     * The bank account's id.
     *
     * @example "bac_01kkfkess0e08ashdsnfph8k3k"
     */
    id: string;
    /**
     * The account's name at the bank.
     *
     * @example "Business Current Account"
     */
    accountName: string;
    /**
     * The full account number, or the IBAN where the bank has no other number. Never masked. Null if the bank does not provide it.
     *
     * @example "31926819"
     */
    accountNumber: string | null;
    /** The connection that reads the account. */
    connection: {
      /**
       * The bank connection's id.
       *
       * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
       */
      id: string;
      /**
       * The name of the provider: `sandbox`, `plaid` or `yapily`.
       *
       * @example "sandbox"
       */
      provider: string;
    };
  };
}

/**
 * Whether the bank has posted the transaction.
 *
 * - `PENDING`: not posted yet. Amount, day and description may still change.
 * - `POSTED`: posted by the bank.
 */
export type BankTransactionStatus = "PENDING" | "POSTED";

/** The closing balances of a bank account by day, computed backwards from its present balance and its posted transactions. */
export interface BankBalances {
  /**
   * The bank account's id.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId: string;
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /** Each day of the report, oldest first. A day before the first transaction that the bank has shown has the balance before that transaction. While the bank has yet to add earlier days, the points begin on the day before the account's first transaction, and an account without one has none. Empty while the balance and the transactions are not of the same reading of the bank: because the team withholds one of them, the bank sends no balance, or its provider lists no transactions of such an account. */
  points: Array<{
    /**
     * The day, as `YYYY-MM-DD`.
     *
     * @example "2026-03-02"
     */
    date: string;
    /**
     * What the account was worth to its owner at the end of the day, in minor units of its currency. Debt is negative.
     *
     * @example 125000
     */
    balance: number;
  }>;
}

/** Money in and out of bank accounts in one period and one currency, by their posted transactions, transfers between these accounts included. Periods without transactions have zeros. */
export interface BankCashflow {
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * The first day of the period, as `YYYY-MM-DD`. It may be before `from`: only days within `from` and `to` count.
   *
   * @example "2026-03-02"
   */
  start: string;
  /**
   * The sum of the money in, in minor units. 0 or more.
   *
   * @example 420000
   */
  moneyIn: number;
  /**
   * The sum of the money out, in minor units. 0 or more.
   *
   * @example 133750
   */
  moneyOut: number;
  /**
   * The category of the transactions: your own, or else the bank's. Null for those without one. Absent unless `groupBy` is `category`.
   *
   * @example "SOFTWARE"
   */
  category?: string | null | undefined;
}

/** One synchronization of a connection with its bank. */
export interface BankSync {
  /**
   * The sync's id.
   *
   * @example "bsy_01km4rrm90ebcsrbhpx56v9z1z"
   */
  id: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * What started the sync. More triggers may be added.
   *
   * - `CONNECT`: the team connected the bank, or reconnected it.
   * - `MANUAL`: a member called `banking.connections.sync`.
   * - `SCHEDULE`: the schedule.
   * - `WEBHOOK`: the provider reported new data.
   *
   * @example "CONNECT"
   */
  trigger: "CONNECT" | "MANUAL" | "SCHEDULE" | "WEBHOOK" | (string & Record<never, never>);
  /**
   * How far the sync is.
   *
   * - `QUEUED`: it waits to be run.
   * - `RUNNING`: it reads the bank.
   * - `SUCCEEDED`: accounts and transactions are as the bank has them.
   * - `FAILED`: it changed nothing. `errorCode` says why.
   *
   * @example "SUCCEEDED"
   */
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED";
  /**
   * When the sync started or, while it is QUEUED, when it was requested.
   *
   * @example new Date("2026-03-02T09:19:42.000Z")
   */
  startedAt: Date;
  /**
   * When the sync ended. Null until then.
   *
   * @example new Date("2026-03-02T09:20:00.000Z")
   */
  finishedAt: Date | null;
  /**
   * The number of transactions that are new.
   *
   * @example 12
   */
  added: number;
  /**
   * The number of transactions that changed.
   *
   * @example 1
   */
  modified: number;
  /**
   * The number of transactions that the bank no longer has.
   *
   * @example 0
   */
  removed: number;
  /**
   * Why the sync failed: an error code of the API, such as `PROVIDER_ERROR`, `CONSENT_EXPIRED` or `REAUTHORIZATION_REQUIRED`, or `INTERRUPTED` if the process ended. Null unless it failed.
   *
   * @example null
   */
  errorCode: BankSyncErrorCode | null;
}

/** Bank data that an owner has to accept or reject. */
export interface QuarantinedBankData {
  /**
   * The id of the entry in the quarantine.
   *
   * @example "bqu_01kkpn7d90e5mbk3p42cfdccf4"
   */
  id: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * The bank account's id. Null if the bank names no known account.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId: string | null;
  /**
   * The bank transaction that the entry contradicts, or that is missing at the bank. Null if there is none.
   *
   * @example "btx_01kkk4b3h0e09b8574sb5b1sxr"
   */
  transactionId: string | null;
  /**
   * The bank's id of the transaction or account.
   *
   * @example "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790"
   */
  externalId: string;
  /**
   * Why the data needs a decision. More reasons may be added.
   *
   * - `DIFFERENT_AMOUNT`: a posted transaction came again with another amount, direction or currency.
   * - `MISSING_FROM_WINDOW`: the bank no longer lists a posted transaction on its day, or has not listed it since the account was linked again.
   * - `UNREADABLE`: an account or a transaction has no readable amount, currency or day, or the bank refuses the transactions of an account.
   * - `UNKNOWN_ACCOUNT`: a transaction belongs to an account that the bank does not list.
   *
   * @example "DIFFERENT_AMOUNT"
   */
  reason: BankQuarantineReason;
  /** The transaction as the bank reports it now or, if it is missing there, as it was. Null if it cannot be read. */
  transaction: {
    /**
     * In minor units of `currency`, 0 or more. `type` is the direction.
     *
     * @example 4900
     */
    amount: number;
    /**
     * The currency: ISO 4217, upper case.
     *
     * @example "GBP"
     */
    currency: string;
    /**
     * The direction of the money.
     *
     * - `CREDIT`: money into the account.
     * - `DEBIT`: money out of the account.
     *
     * @example "DEBIT"
     */
    type: BankTransactionType;
    /**
     * What the bank writes about the transaction.
     *
     * @example "CLOUDSTACK HOSTING 4821"
     */
    description: string;
    /**
     * The bank's calendar day of the transaction, at 00:00 UTC. It is never shifted to another time zone.
     *
     * @example new Date("2026-03-02T00:00:00.000Z")
     */
    transactionDate: Date;
  } | null;
  /**
   * What cannot be read, as a sentence. Null for a readable transaction.
   *
   * @example "The transaction has no currency"
   */
  problem: string | null;
  /**
   * Whether the transaction can be accepted. What cannot be read, or is about a transaction that was removed, can only be rejected.
   *
   * @example true
   */
  canAccept: boolean;
  /**
   * When a sync found it first.
   *
   * @example new Date("2026-03-12T06:00:00.000Z")
   */
  firstSeenAt: Date;
  /**
   * When a sync found it last.
   *
   * @example new Date("2026-03-14T06:00:00.000Z")
   */
  lastSeenAt: Date;
}

/**
 * Why the data needs a decision. More reasons may be added.
 *
 * - `DIFFERENT_AMOUNT`: a posted transaction came again with another amount, direction or currency.
 * - `MISSING_FROM_WINDOW`: the bank no longer lists a posted transaction on its day, or has not listed it since the account was linked again.
 * - `UNREADABLE`: an account or a transaction has no readable amount, currency or day, or the bank refuses the transactions of an account.
 * - `UNKNOWN_ACCOUNT`: a transaction belongs to an account that the bank does not list.
 */
export type BankQuarantineReason = "DIFFERENT_AMOUNT" | "MISSING_FROM_WINDOW" | "UNREADABLE" | "UNKNOWN_ACCOUNT" | (string & Record<never, never>);

/** The status of a subscription after it was resumed. */
export interface ResumedSubscription {
  /**
   * The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.
   *
   * - `ACTIVE`: it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.
   * - `CANCELED`: it has ended and cannot be resumed.
   * - `PAST_DUE`: a payment failed, and the provider tries again.
   * - `UNPAID`: all attempts to be paid failed, or the subscription is paused.
   * - `INCOMPLETE`: the first payment has not succeeded yet.
   *
   * @example "ACTIVE"
   */
  status: SubscriptionStatus;
}

/** A plan that can be subscribed to. */
export interface BillingPlan {
  /**
   * The plan's id at the payment provider. It is the `planId` of a checkout.
   *
   * @example "local_team"
   */
  id: string;
  /**
   * The plan's name.
   *
   * @example "Team"
   */
  name: string;
  /**
   * What the plan includes. Null if the provider has no description.
   *
   * @example "Cards with spending policies for the whole team"
   */
  description: string | null;
  /**
   * The number of the Lemon Squeezy store. Null for every other provider.
   *
   * @example null
   */
  storeId: string | null;
  /** The prices of the plan, at least one. */
  variants: BillingPlanVariant[];
}

/** A price of a plan. */
export interface BillingPlanVariant {
  /**
   * The variant's id at the payment provider. It is the `variantId` of a checkout.
   *
   * @example "local_team_monthly"
   */
  id: string;
  /**
   * The price per `interval_count` intervals, in minor units of `currency`.
   *
   * @example 2900
   */
  price: number;
  /**
   * The currency: ISO 4217, upper case.
   *
   * @example "GBP"
   */
  currency: string;
  /**
   * The unit of the time between two payments: `day`, `week`, `month` or `year`.
   *
   * @example "month"
   */
  interval: "day" | "week" | "month" | "year";
  /**
   * The number of intervals between two payments: 3 with `month` is quarterly.
   *
   * @example 1
   */
  interval_count: number;
  /** The free time before the first payment. An organization that has had a subscription gets none, except at Paddle, and the provider may refuse it to other customers. Null without one. */
  trial: BillingTrial | null;
  /**
   * What is due once, beside the price, in minor units of `currency`. 0 without one.
   *
   * @example 0
   */
  setupFee: number;
}

/** A free time before the first payment. */
export interface BillingTrial {
  /**
   * The unit: `day`, `week`, `month` or `year`.
   *
   * @example "day"
   */
  interval: "day" | "week" | "month" | "year";
  /**
   * The number of intervals: 14 with `day` is two weeks.
   *
   * @example 14
   */
  interval_count: number;
}

/** A payment provider: `local`, `stripe`, `paddle`, `polar` or `lemonsqueezy`. `local` is built in, for trying things out. */
export type PaymentProviderName = "local" | "stripe" | "paddle" | "polar" | "lemonsqueezy";

/**
 * How far the processing of the event is.
 *
 * - `PENDING`: it waits for its first or next attempt.
 * - `APPLIED`: it has taken effect.
 * - `IGNORED`: it concerns nothing that is stored.
 * - `DEAD`: all attempts failed. An administrator can replay it.
 */
export type BillingEventStatus = "PENDING" | "APPLIED" | "IGNORED" | "DEAD";

/** A webhook event of a payment provider, stored before it is applied. */
export interface BillingEvent {
  /**
   * The provider and its id of the event, as `provider:id`.
   *
   * @example "stripe:evt_1QxN2rLkdIwHu7ix"
   */
  id: string;
  /**
   * The name of the payment provider.
   *
   * @example "stripe"
   */
  provider: string;
  /**
   * The provider's name for what happened.
   *
   * @example "customer.subscription.updated"
   */
  type: string;
  /**
   * How far the processing of the event is.
   *
   * - `PENDING`: it waits for its first or next attempt.
   * - `APPLIED`: it has taken effect.
   * - `IGNORED`: it concerns nothing that is stored.
   * - `DEAD`: all attempts failed. An administrator can replay it.
   *
   * @example "PENDING"
   */
  status: BillingEventStatus;
  /**
   * How often the service has tried to apply the event.
   *
   * @example 1
   */
  attempts: number;
  /**
   * Why the last attempt failed, without secrets. Null if it did not fail.
   *
   * @example "The payment provider did not respond within 8 seconds"
   */
  lastError: string | null;
  /**
   * When the event was received first.
   *
   * @example new Date("2026-03-02T09:15:02.000Z")
   */
  receivedAt: Date;
  /**
   * When its status last changed.
   *
   * @example new Date("2026-03-02T09:15:03.000Z")
   */
  updatedAt: Date;
}

/** An organization with its members. */
export interface OrganizationListItem {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
  /**
   * The organization's name, on one line.
   *
   * @example "Fernhill Studio"
   */
  name: string;
  /**
   * The address of the organization's picture, http or https. The service never fetches it. Null if there is none.
   *
   * @example "https://fernhill.example/logo.png"
   */
  avatarUrl: string | null;
  /** All members, newest first. */
  members: Member[];
  /**
   * The number of members.
   *
   * @example 2
   */
  memberCount: number;
}

/** A user's membership in an organization. */
export interface Member {
  /**
   * The membership's id, not the user's.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  id: string;
  /**
   * The id of the user. A card's `assignedToId` takes it.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId: string;
  /**
   * What a member may do.
   *
   * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
   * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
   *
   * @example "OWNER"
   */
  role: Role;
  /**
   * Whether the member created the organization. The creator cannot be removed or demoted.
   *
   * @example true
   */
  isCreator: boolean;
  /** The user behind a membership. */
  user?: MemberUser | undefined;
}

/** A new organization. */
export interface CreatedOrganization {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
  /**
   * The organization's name, on one line.
   *
   * @example "Fernhill Studio"
   */
  name: string;
  /**
   * The address of the organization's picture, http or https. The service never fetches it. Null if there is none.
   *
   * @example "https://fernhill.example/logo.png"
   */
  avatarUrl: string | null;
  /** The caller's membership, the only one so far. */
  memberships: Array<{
    /**
     * The membership's id, not the user's.
     *
     * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
     */
    id: string;
    /**
     * What a member may do.
     *
     * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
     * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
     *
     * @example "OWNER"
     */
    role: Role;
    /**
     * Whether the member created the organization. The creator cannot be removed or demoted.
     *
     * @example true
     */
    isCreator: boolean;
  }>;
}

/** A member as lists show it, with what the caller may change. */
export interface MemberListItem {
  /**
   * The membership's id, not the user's.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  id: string;
  /**
   * The id of the user. A card's `assignedToId` takes it.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId: string;
  /**
   * What a member may do.
   *
   * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
   * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
   *
   * @example "OWNER"
   */
  role: Role;
  /**
   * Whether the member created the organization. The creator cannot be removed or demoted.
   *
   * @example true
   */
  isCreator: boolean;
  /** The user behind a membership. */
  user?: MemberUser | undefined;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The roles that the caller may give to the member now, besides the present one.
   *
   * @example ["OWNER"]
   */
  nextRoles: Role[];
  /**
   * Whether the caller may remove the member. For the caller's own membership: whether they may leave.
   *
   * @example true
   */
  canRemove: boolean;
}

/** An invitation with the name of its organization. */
export interface InvitationWithOrganization {
  /**
   * The invitation's id. The invited person finds it in the e-mail.
   *
   * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The invited person's address, in lower case. Only the user with this address may accept.
   *
   * @example "new@demo.example"
   */
  email: string;
  /**
   * The role that the person gets on accepting: `OWNER` or `MEMBER`.
   *
   * @example "OWNER"
   */
  role: Role;
  /**
   * When the invitation expires: 7 days after it was sent. Sending it again restarts the 7 days.
   *
   * @example new Date("2026-03-25T19:48:36.000Z")
   */
  expiresAt: Date;
  /** The organization that the person is invited to. */
  organization?: {
    /**
     * The organization's name.
     *
     * @example "Fernhill Studio"
     */
    name: string;
  } | undefined;
}

/** The organization that the caller is now a member of. */
export interface AcceptedInvitation {
  /**
   * The organization's name.
   *
   * @example "Fernhill Studio"
   */
  name: string;
}

/** The subscription that an organization shows, with what the caller may do about it. */
export interface CurrentSubscription {
  /**
   * The subscription's id at its payment provider.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The customer's id at the payment provider.
   *
   * @example "cus_R7nQx2LkdIwHu7"
   */
  customerId: string;
  /**
   * The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.
   *
   * - `ACTIVE`: it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.
   * - `CANCELED`: it has ended and cannot be resumed.
   * - `PAST_DUE`: a payment failed, and the provider tries again.
   * - `UNPAID`: all attempts to be paid failed, or the subscription is paused.
   * - `INCOMPLETE`: the first payment has not succeeded yet.
   *
   * @example "ACTIVE"
   */
  status: SubscriptionStatus;
  /**
   * The plan: its id at the payment provider. `billing.plans.list` has its name.
   *
   * @example "local_team"
   */
  planId: string;
  /**
   * The variant of the plan: its price's id at the payment provider. `billing.plans.list` has its price and interval.
   *
   * @example "local_team_monthly"
   */
  variantId: string;
  /**
   * When the period that is paid, or is to be paid, starts.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  currentPeriodStart: Date;
  /**
   * When the period ends. The subscription renews then, and the next payment is due, unless it is canceled.
   *
   * @example new Date("2026-04-02T09:15:00.000Z")
   */
  currentPeriodEnd: Date;
  /**
   * When the cancellation was requested. Null if there is none.
   *
   * @example null
   */
  canceledAt: Date | null;
  /**
   * Whether the subscription ends at `currentPeriodEnd`. Until then, resuming it withdraws the cancellation.
   *
   * @example false
   */
  cancelAtPeriodEnd: boolean;
  /** The name and the price of the plan, as `billing.plans.list` has them. Null if it is no longer on sale. */
  plan: SubscribedPlan | null;
  /**
   * Whether the subscription is in force. While it is, the organization cannot buy another one.
   *
   * @example true
   */
  isLive: boolean;
  /**
   * Whether the current period is a trial. Unless the subscription is canceled, the first payment is due at its end, `currentPeriodEnd`.
   *
   * @example false
   */
  isTrial: boolean;
  /**
   * Whether a payment failed that keeps the subscription from being ACTIVE.
   *
   * @example false
   */
  isOverdue: boolean;
  /**
   * Whether the caller may cancel the subscription now.
   *
   * @example true
   */
  canCancel: boolean;
  /**
   * Whether a cancellation could be withdrawn until the period ends. False if it may end the subscription at once.
   *
   * @example true
   */
  canResumeLater: boolean;
  /**
   * Whether the caller may withdraw the cancellation of the subscription now.
   *
   * @example false
   */
  canResume: boolean;
  /**
   * Whether the provider has a customer portal for the subscription, and the caller may open it.
   *
   * @example true
   */
  canOpenPortal: boolean;
  /**
   * Whether the next subscription of the organization starts with the trial of its plan. It does until one has been in force, so without a subscription it does.
   *
   * @example false
   */
  isTrialEligible: boolean;
  /**
   * The other subscriptions that are live, the latest first. Mostly none: there are some if an administrator entered one, or if the organization pays twice.
   *
   * @example []
   */
  others: OtherSubscription[];
}

/** The plan of a subscription, as its payment provider sells it now. */
export interface SubscribedPlan {
  /**
   * The plan's name.
   *
   * @example "Team"
   */
  name: string;
  /**
   * What the plan includes. Null if the provider has no description.
   *
   * @example "Cards with spending policies for the whole team"
   */
  description: string | null;
  /** The subscribed variant, with its price. Null if it is no longer on sale. */
  variant: BillingPlanVariant | null;
}

/** Another live subscription of an organization, with what the caller may do about it. */
export interface OtherSubscription {
  /**
   * The subscription's id at its payment provider.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  id: string;
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The customer's id at the payment provider.
   *
   * @example "cus_R7nQx2LkdIwHu7"
   */
  customerId: string;
  /**
   * The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.
   *
   * - `ACTIVE`: it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.
   * - `CANCELED`: it has ended and cannot be resumed.
   * - `PAST_DUE`: a payment failed, and the provider tries again.
   * - `UNPAID`: all attempts to be paid failed, or the subscription is paused.
   * - `INCOMPLETE`: the first payment has not succeeded yet.
   *
   * @example "ACTIVE"
   */
  status: SubscriptionStatus;
  /**
   * The plan: its id at the payment provider. `billing.plans.list` has its name.
   *
   * @example "local_team"
   */
  planId: string;
  /**
   * The variant of the plan: its price's id at the payment provider. `billing.plans.list` has its price and interval.
   *
   * @example "local_team_monthly"
   */
  variantId: string;
  /**
   * When the period that is paid, or is to be paid, starts.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  currentPeriodStart: Date;
  /**
   * When the period ends. The subscription renews then, and the next payment is due, unless it is canceled.
   *
   * @example new Date("2026-04-02T09:15:00.000Z")
   */
  currentPeriodEnd: Date;
  /**
   * When the cancellation was requested. Null if there is none.
   *
   * @example null
   */
  canceledAt: Date | null;
  /**
   * Whether the subscription ends at `currentPeriodEnd`. Until then, resuming it withdraws the cancellation.
   *
   * @example false
   */
  cancelAtPeriodEnd: boolean;
  /** The name and the price of the plan, as `billing.plans.list` has them. Null if it is no longer on sale. */
  plan: SubscribedPlan | null;
  /**
   * Whether the subscription is in force. While it is, the organization cannot buy another one.
   *
   * @example true
   */
  isLive: boolean;
  /**
   * Whether the current period is a trial. Unless the subscription is canceled, the first payment is due at its end, `currentPeriodEnd`.
   *
   * @example false
   */
  isTrial: boolean;
  /**
   * Whether a payment failed that keeps the subscription from being ACTIVE.
   *
   * @example false
   */
  isOverdue: boolean;
  /**
   * Whether the caller may cancel the subscription now.
   *
   * @example true
   */
  canCancel: boolean;
  /**
   * Whether a cancellation could be withdrawn until the period ends. False if it may end the subscription at once.
   *
   * @example true
   */
  canResumeLater: boolean;
  /**
   * Whether the caller may withdraw the cancellation of the subscription now.
   *
   * @example false
   */
  canResume: boolean;
  /**
   * Whether the provider has a customer portal for the subscription, and the caller may open it.
   *
   * @example true
   */
  canOpenPortal: boolean;
}

/** One change in an organization: who did what, and when. */
export interface AuditEntry {
  /**
   * The entry's id.
   *
   * @example "aud_01kk8hp690e3h9v1k252mzvp1r"
   */
  id: string;
  /**
   * When it happened.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  at: Date;
  /** Who did it. Null for what a background job or an operator of the service did. */
  actor: {
    /**
     * The id of the user, or of the organization's key.
     *
     * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
     */
    id: string;
    /**
     * The name of the user or the key at that time.
     *
     * @example "Demo Owner"
     */
    name: string;
  } | null;
  /**
   * What was done: the name of the procedure, or of the background job. More may be added.
   *
   * @example "cards.updateStatus"
   */
  action: AuditAction;
  /**
   * The id of what it was done to.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  subject: string;
  /**
   * More about it, such as the values before and after. The keys depend on the action.
   *
   * @example { from: "ACTIVE", to: "FROZEN", reason: "Lost on a train" }
   */
  details: Record<string, unknown>;
}

/** What was done: the name of the procedure, or of the background job. More may be added. */
export type AuditAction = "banking.accounts.merge" | "banking.connections.connect" | "banking.connections.disconnect" | "banking.connections.reconfirm" | "banking.connections.updateConsent" | "banking.quarantine.resolve" | "banking.transactions.update" | "billing.cancel" | "billing.checkout" | "billing.resume" | "billing.sync" | "cards.cardholder.update" | "cards.create" | "cards.policies.create" | "cards.policies.update" | "cards.reveal" | "cards.update" | "cards.updateStatus" | "keys.create" | "keys.revoke" | "organizations.create" | "organizations.delete" | "organizations.invitations.accept" | "organizations.invitations.create" | "organizations.invitations.revoke" | "organizations.members.remove" | "organizations.members.updateRole" | "organizations.settings.update" | "organizations.update" | "sandbox.banking.addTransaction" | "sandbox.banking.changeTransaction" | "sandbox.banking.clearFaults" | "sandbox.banking.expireConsent" | "sandbox.banking.postTransaction" | "sandbox.banking.removeTransaction" | "sandbox.banking.repairConsent" | "sandbox.banking.requireReauthorization" | "sandbox.banking.revokeConsent" | "sandbox.banking.setFault" | "sandbox.billing.advance" | "sandbox.billing.replaceCard" | "sandbox.cards.authorize" | "sandbox.cards.clear" | "sandbox.cards.expire" | "sandbox.cards.increment" | "sandbox.cards.refund" | "sandbox.cards.reverse" | "webhookEndpoints.create" | "webhookEndpoints.delete" | "webhookEndpoints.deliveries.redeliver" | "webhookEndpoints.rotateSecret" | "webhookEndpoints.test" | "webhookEndpoints.update" | "banking.finishedLinks" | "banking.sync" | "billing.reconcile" | "billing.synchronize" | "cards.closedByIssuer" | "cards.renewedByIssuer" | "cards.reveal.opened" | "organizations.transfer" | "users.delete" | "webhookEndpoints.disable" | (string & Record<never, never>);

/** A transaction at a bank of the sandbox. */
export interface SandboxTransaction {
  /**
   * The bank's id of the transaction.
   *
   * @example "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790"
   */
  bankTransactionId: string;
}

/**
 * What goes wrong at the bank.
 *
 * - `outage`: no call is answered.
 * - `rate_limited`: every call is refused because there were too many.
 * - `slow`: every call takes longer.
 * - `accounts_outage`: accounts cannot be read, but transactions can.
 * - `not_ready`: the history is not ready yet.
 * - `cursor_lost`: the place in the change feed is no longer valid.
 * - `mutation_during_pagination`: the data changes between two pages.
 * - `blank_ids`: transactions have no ids.
 * - `repeated_ids`: a page has the same transaction twice.
 * - `reused_ids`: a transaction has the id of another.
 */
export type SandboxBankFault = "outage" | "rate_limited" | "slow" | "accounts_outage" | "not_ready" | "cursor_lost" | "mutation_during_pagination" | "blank_ids" | "repeated_ids" | "reused_ids";

export type MeGetInput = Record<string, never> | undefined;

export type MeGetOutput = Me;

export interface KeysListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "key_01kk6m3w0pe5brx2y7vd4s9h8q"
   */
  after?: string | undefined;
}

export type KeysListOutput = OrganizationKey[];

export interface KeysCreateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The key's name, on one line. The audit trail shows it.
   *
   * @example "Accounting export"
   */
  name: string;
  /**
   * What the key may do in its organization: what a member may. With `write`, it also has two rights of an owner.
   *
   * - `read`: What a member without cards may read.
   * - `write`: What a member may read and change. As an owner may, it also manages webhook endpoints, and reads every event: of all purchases, cards, invitations and keys.
   *
   * @example "read"
   */
  access: "read" | "write";
  /**
   * From when on it is refused, in the future. Absent or null if never.
   *
   * @example new Date("2027-03-02T00:00:00.000Z")
   */
  expiresAt?: Date | null | undefined;
}

export type KeysCreateOutput = CreatedOrganizationKey;

export interface KeysRevokeInput {
  /**
   * The key's id, which is no secret.
   *
   * @example "key_01kk6m3w0pe5brx2y7vd4s9h8q"
   */
  id: string;
}

export type KeysRevokeOutput = void;

export interface EventsListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Only events of these types. If absent or empty, all.
   *
   * @example ["card_transaction.declined"]
   */
  types?: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked"> | undefined;
  /**
   * Only events of the subject with this id. If absent, all.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  subject?: string | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  after?: string | undefined;
}

export type EventsListOutput = Event[];

export interface EventsGetInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The event's id.
   *
   * @example "evt_01kk9v5s8he4mbt2rz6xq3c7nf"
   */
  id: string;
}

export type EventsGetOutput = Event;

export interface EventsFeedInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Where to continue: the `cursor` of the previous answer. If absent, the feed starts with its oldest event.
   *
   * @example "eyJvIjoib3JnXzAxa2pweDhuaDBlYnRiYnducWR4dmgwdHI4IiwiZSI6MX0"
   */
  cursor?: string | undefined;
  /**
   * Only events of these types. If absent or empty, all.
   *
   * @example ["card_transaction.declined"]
   */
  types?: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked"> | undefined;
  /**
   * The maximum number of events in the response, from 1 to 1000.
   *
   * @default 100
   * @example 100
   */
  limit?: number | undefined;
}

export type EventsFeedOutput = EventFeed;

export interface EventsStreamInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Only events of these types. If absent or empty, all.
   *
   * @example ["card_transaction.declined"]
   */
  types?: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked"> | undefined;
  /**
   * Where to continue: a cursor of the feed, or of the last message of a stream, whose `id` it is. The `id` of an event is none. If absent, the stream begins now. The header `Last-Event-ID` does the same.
   *
   * @example "eyJvIjoib3JnXzAxa2pweDhuaDBlYnRiYnducWR4dmgwdHI4IiwiZSI6MX0"
   */
  lastEventId?: string | undefined;
}

export type EventsStreamOutput = Event;

export interface WebhookEndpointsListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  after?: string | undefined;
}

export type WebhookEndpointsListOutput = WebhookEndpoint[];

export interface WebhookEndpointsCreateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Where events are sent: an https address that the internet can reach, without user name and password. A service in development also takes http and local addresses.
   *
   * @example "https://hooks.demo.example/purser"
   */
  url: string;
  /**
   * The types of events that are sent. Absent or empty for all.
   *
   * @example ["card_transaction.declined"]
   */
  types?: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked"> | undefined;
  /**
   * What the endpoint is for, in up to 500 characters. Null if there is nothing.
   *
   * @example "Accounting"
   */
  description?: string | null | undefined;
}

export type WebhookEndpointsCreateOutput = WebhookEndpointWithSecret;

export interface WebhookEndpointsUpdateInput {
  /**
   * The endpoint's id.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  id: string;
  /**
   * Where events are sent: an https address that the internet can reach, without user name and password. A service in development also takes http and local addresses.
   *
   * @example "https://hooks.demo.example/purser"
   */
  url?: string | undefined;
  /**
   * The types of events that are sent. Empty for all.
   *
   * @example ["card_transaction.declined"]
   */
  types?: Array<"organization.updated" | "organization.settings_updated" | "member.joined" | "member.role_updated" | "member.removed" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "bank_connection.connected" | "bank_connection.synced" | "bank_connection.sync_failed" | "bank_connection.needs_reauthorization" | "bank_connection.consent_expiring" | "bank_connection.disconnected" | "bank_account.updated" | "bank_transactions.changed" | "card.created" | "card.updated" | "card.status_changed" | "card.assigned" | "card.revealed" | "card_policy.created" | "card_policy.updated" | "card_transaction.approved" | "card_transaction.declined" | "card_transaction.incremented" | "card_transaction.reversed" | "card_transaction.settled" | "card_transaction.refunded" | "card_transaction.expired" | "subscription.created" | "subscription.updated" | "subscription.past_due" | "subscription.canceled" | "subscription.renewed" | "webhook_endpoint.disabled" | "api_key.created" | "api_key.revoked"> | undefined;
  /**
   * What the endpoint is for, in up to 500 characters. Null if there is nothing.
   *
   * @example "Accounting"
   */
  description?: string | null | undefined;
  /**
   * Whether events are sent to the endpoint.
   *
   * - `ENABLED`: every event of its types is sent.
   * - `DISABLED`: nothing is sent, and what happens meanwhile is not sent later.
   *
   * ENABLED starts with what happens from then on; DISABLED gives up what is not delivered yet.
   *
   * @example "ENABLED"
   */
  status?: "ENABLED" | "DISABLED" | undefined;
}

export type WebhookEndpointsUpdateOutput = WebhookEndpoint;

export interface WebhookEndpointsDeleteInput {
  /**
   * The endpoint's id.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  id: string;
}

export type WebhookEndpointsDeleteOutput = void;

export interface WebhookEndpointsRotateSecretInput {
  /**
   * The endpoint's id.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  id: string;
}

export type WebhookEndpointsRotateSecretOutput = WebhookEndpointWithSecret;

export interface WebhookEndpointsTestInput {
  /**
   * The endpoint's id.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  id: string;
}

export type WebhookEndpointsTestOutput = WebhookDelivery;

export interface WebhookEndpointsDeliveriesListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Only deliveries to this endpoint. If absent, all.
   *
   * @example "whe_01kkb3d2f0e8yq5n7wp1vr4hsk"
   */
  endpointId?: string | undefined;
  /**
   * Whether the event has reached the endpoint.
   *
   * - `PENDING`: it is being sent, or will be at `nextAttemptAt`.
   * - `DELIVERED`: the endpoint answered with a 2xx status.
   * - `FAILED`: it was given up: after the last attempt, or because the endpoint was disabled or deleted.
   *
   * If absent, all.
   *
   * @example "PENDING"
   */
  status?: "PENDING" | "DELIVERED" | "FAILED" | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "whd_01kkb4m6r0e9tz3c8xk2jn5qbw"
   */
  after?: string | undefined;
}

export type WebhookEndpointsDeliveriesListOutput = WebhookDelivery[];

export interface WebhookEndpointsDeliveriesGetInput {
  /**
   * The delivery's id.
   *
   * @example "whd_01kkb4m6r0e9tz3c8xk2jn5qbw"
   */
  id: string;
}

export type WebhookEndpointsDeliveriesGetOutput = WebhookDelivery;

export interface WebhookEndpointsDeliveriesRedeliverInput {
  /**
   * The delivery's id.
   *
   * @example "whd_01kkb4m6r0e9tz3c8xk2jn5qbw"
   */
  id: string;
}

export type WebhookEndpointsDeliveriesRedeliverOutput = WebhookDelivery;

export interface CardsListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Only cards with this status: `ACTIVE`, `PAUSED`, `FROZEN` or `CLOSED`. If absent, all.
   *
   * @example "ACTIVE"
   */
  status?: CardStatus | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  after?: string | undefined;
}

export type CardsListOutput = CardListItem[];

export interface CardsCreateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The cardholder: the id of a user, not of a membership. The user must be a member of the organization. It is `userId` in the list of members.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  assignedToId: string;
  /**
   * The bank account that funds the card. It determines the card's currency and country.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  fundingAccountId: string;
  /**
   * The policy that decides on the card's purchases.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  policyId: string;
  /**
   * A label for people, of 1 to 100 characters. Null if the card has none.
   *
   * @example "Travel"
   */
  nickname?: string | null | undefined;
  /**
   * What the card is for. A label that restricts nothing; the policy does.
   *
   * - `PERSONAL`: a person's own expenses.
   * - `BUSINESS`: expenses of the company, such as travel.
   * - `ONLINE`: purchases online.
   * - `SUBSCRIPTION`: recurring payments, such as software.
   *
   * @example "PERSONAL"
   */
  purpose: CardPurpose;
}

export type CardsCreateOutput = Card;

export interface CardsGetInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId: string;
}

export type CardsGetOutput = Card;

export interface CardsUpdateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId: string;
  /**
   * A label for people, of 1 to 100 characters. Null if the card has none.
   *
   * @example "Travel"
   */
  nickname?: string | null | undefined;
  /**
   * The policy that decides on the card's purchases.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  policyId?: string | undefined;
  /**
   * The cardholder: the id of a user, not of a membership. The user must be a member of the organization. It is `userId` in the list of members.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  assignedToId?: string | undefined;
}

export type CardsUpdateOutput = Card;

export interface CardsUpdateStatusInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId: string;
  /**
   * Whether a card can be used.
   *
   * - `ACTIVE`: purchases are decided by the card's policy.
   * - `PAUSED`: purchases are declined. The cardholder or an owner can resume the card.
   * - `FROZEN`: purchases are declined. Only an owner can lift it. A card freezes when its holder leaves the organization.
   * - `CLOSED`: purchases are declined for good. A closed card cannot be opened again.
   *
   * @example "ACTIVE"
   */
  status: CardStatus;
  /**
   * Why the status changes, for the audit trail. 1 to 500 characters.
   *
   * @example "Lost on a train"
   */
  reason?: string | undefined;
}

export type CardsUpdateStatusOutput = UpdatedCardStatus;

export interface CardsRevealInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId: string;
}

export type CardsRevealOutput = CardRevealLink;

export interface CardsCardholderGetInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
}

export type CardsCardholderGetOutput = CardholderState;

export interface CardsCardholderUpdateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /** The legal name, as on an identity document. Null erases it. */
  name?: {
    /**
     * The given names.
     *
     * @example "Demo"
     */
    first: string;
    /**
     * The family names.
     *
     * @example "Owner"
     */
    last: string;
  } | null | undefined;
  /**
   * The date of birth, in the form YYYY-MM-DD, not in the future. Null erases it.
   *
   * @example "1990-12-10"
   */
  dateOfBirth?: string | null | undefined;
  /**
   * The phone number in E.164 form: a plus sign, the country code and the number. Null erases it.
   *
   * @example "+442071234567"
   */
  phoneNumber?: string | null | undefined;
  /** The postal address. Null erases it. */
  address?: {
    /**
     * The first line: street and number.
     *
     * @example "1 Lime Street"
     */
    line1: string;
    /**
     * The second line, such as a floor.
     *
     * @example "Floor 3"
     */
    line2?: string | undefined;
    /**
     * The city or town.
     *
     * @example "London"
     */
    city: string;
    /**
     * The state or province. In the USA its code, such as NY.
     *
     * @example "NY"
     */
    state?: string | undefined;
    /**
     * The postal code.
     *
     * @example "EC3M 7AA"
     */
    postalCode: string;
    /**
     * The country: ISO 3166-1 alpha-2, upper case.
     *
     * @example "GB"
     */
    country: string;
  } | null | undefined;
  /**
   * That the caller accepts the issuer's terms for cardholders. Purser records the time and the caller's IP address.
   *
   * @example true
   */
  acceptsTerms?: true | undefined;
  /**
   * A US SSN or ITIN of nine digits, for issuers that verify identities. Null erases it.
   *
   * @example "900-70-0000"
   */
  governmentId?: string | null | undefined;
}

export type CardsCardholderUpdateOutput = CardholderState;

export type CardsMerchantCategoriesListInput = {
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "5812"
   */
  after?: string | undefined;
} | undefined;

export type CardsMerchantCategoriesListOutput = MerchantCategory[];

export interface CardsPoliciesListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  after?: string | undefined;
}

export type CardsPoliciesListOutput = CardPolicyListItem[];

export interface CardsPoliciesCreateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The policy's name, on one line.
   *
   * @example "Travel"
   */
  name: string;
  /**
   * What the policy is for, in up to 1000 characters. Null if there is none.
   *
   * @example "Up to £150 a day, at home and in other countries"
   */
  description?: string | null | undefined;
  /**
   * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
   *
   * @example 15000
   */
  spendingLimit?: number | null | undefined;
  /**
   * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
   *
   * @example "DAILY"
   */
  limitInterval?: SpendingLimitInterval | null | undefined;
  /**
   * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
   *
   * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
   */
  limits?: NewCardLimit[] | undefined;
  /**
   * Whether ATM withdrawals are allowed. True by default.
   *
   * @example false
   */
  allowAtm?: boolean | undefined;
  /**
   * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
   *
   * @example true
   */
  allowOnline?: boolean | undefined;
  /**
   * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
   *
   * @example true
   */
  allowInternational?: boolean | undefined;
  /**
   * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
   *
   * @example ["5812", "hotels_motels_and_resorts"]
   */
  merchantCategories?: string[] | undefined;
  /**
   * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
   *
   * @example ["betting_casino_gambling"]
   */
  blockedMerchantCategories?: string[] | undefined;
  /**
   * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
   *
   * @example ["Bakery Row", "174030075991"]
   */
  blockedMerchants?: string[] | undefined;
  /**
   * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
   *
   * @example ["Rail Europe"]
   */
  allowedMerchants?: string[] | undefined;
  /**
   * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  activeFrom?: Date | null | undefined;
  /**
   * When the policy ends: purchases at or after this time are declined. Null for no end.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  activeTo?: Date | null | undefined;
  /**
   * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
   *
   * @example [1, 2, 3, 4, 5]
   */
  daysOfWeek?: number[] | undefined;
}

export type CardsPoliciesCreateOutput = CardPolicy;

export interface CardsPoliciesUpdateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card policy's id.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  policyId: string;
  /**
   * The policy's name, on one line.
   *
   * @example "Travel"
   */
  name?: string | undefined;
  /**
   * What the policy is for, in up to 1000 characters. Null if there is none.
   *
   * @example "Up to £150 a day, at home and in other countries"
   */
  description?: string | null | undefined;
  /**
   * The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.
   *
   * @example 15000
   */
  spendingLimit?: number | null | undefined;
  /**
   * What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.
   *
   * @example "DAILY"
   */
  limitInterval?: SpendingLimitInterval | null | undefined;
  /**
   * All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.
   *
   * @example [{ amount: 15000, interval: "DAILY" }, { amount: 200000, interval: "PER_TRANSACTION" }]
   */
  limits?: NewCardLimit[] | undefined;
  /**
   * Whether ATM withdrawals are allowed. True by default.
   *
   * @example false
   */
  allowAtm?: boolean | undefined;
  /**
   * Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.
   *
   * @example true
   */
  allowOnline?: boolean | undefined;
  /**
   * Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.
   *
   * @example true
   */
  allowInternational?: boolean | undefined;
  /**
   * The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.
   *
   * @example ["5812", "hotels_motels_and_resorts"]
   */
  merchantCategories?: string[] | undefined;
  /**
   * Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.
   *
   * @example ["betting_casino_gambling"]
   */
  blockedMerchantCategories?: string[] | undefined;
  /**
   * Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.
   *
   * @example ["Bakery Row", "174030075991"]
   */
  blockedMerchants?: string[] | undefined;
  /**
   * The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.
   *
   * @example ["Rail Europe"]
   */
  allowedMerchants?: string[] | undefined;
  /**
   * When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  activeFrom?: Date | null | undefined;
  /**
   * When the policy ends: purchases at or after this time are declined. Null for no end.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  activeTo?: Date | null | undefined;
  /**
   * The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.
   *
   * @example [1, 2, 3, 4, 5]
   */
  daysOfWeek?: number[] | undefined;
}

export type CardsPoliciesUpdateOutput = CardPolicy;

export interface CardsPoliciesCheckInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card that pays, with what it has spent so far. Required without `policy`.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId?: string | undefined;
  /** A draft that decides instead of the card's policy. Required without `cardId`. */
  policy?: CardPolicyDraft | undefined;
  /**
   * The amount, in minor units of the card's currency. 0 is a verification of the card.
   *
   * @example 6200
   */
  amount: number;
  /** The merchant of the purchase. */
  merchant: {
    /**
     * The merchant's name, of 1 to 200 characters.
     *
     * @example "Restaurant De Haven"
     */
    name: string;
    /**
     * The network's id of the merchant. `blockedMerchants` may name it. Null if it is not known.
     *
     * @example "174030075991"
     */
    id?: string | null | undefined;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if it is not known. Without one, a policy with `merchantCategories` declines.
     *
     * @example "5812"
     */
    category?: string | null | undefined;
    /**
     * The merchant's country: ISO 3166-1 alpha-2, upper case. If absent or null, the purchase does not count as international.
     *
     * @example "NL"
     */
    country?: string | null | undefined;
  };
  /**
   * How the card is used. If it is unknown, use `online`, as the service does.
   *
   * - `in_store`: at a terminal of the merchant.
   * - `online`: without the card being present: on the web, by phone or by mail.
   * - `atm`: a withdrawal of cash.
   *
   * @example "in_store"
   */
  channel: CardChannel;
  /**
   * Whether the merchant accepts an approval of less than the amount. It then depends on the organization's setting `partialApprovals`. False by default.
   *
   * @example false
   */
  acceptsPartialApproval?: boolean | undefined;
  /**
   * When the purchase happens. By default now.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  at?: Date | undefined;
}

export type CardsPoliciesCheckOutput = CheckedPurchase;

export interface CardsPoliciesBacktestInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The stored policy to replay purchases under. Requires that `policy` is absent.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  policyId?: string | undefined;
  /** The draft to replay purchases under. Requires that `policyId` is absent. */
  policy?: CardPolicyDraft | undefined;
  /**
   * Only purchases from this time on. Limits count from here. By default the first purchase.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  from?: Date | undefined;
  /**
   * Only purchases up to this time, itself included. By default now.
   *
   * @example new Date("2026-03-31T23:59:59.999Z")
   */
  to?: Date | undefined;
  /**
   * Only purchases with this card. If absent, with all cards of the organization.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId?: string | undefined;
  /**
   * Only purchases with the cards that follow this stored policy now and are not CLOSED. Requires that `cardId` is absent.
   *
   * @example "pol_01kkxq00s0efev8rva9t2c2qrx"
   */
  cardsOfPolicyId?: string | undefined;
}

export type CardsPoliciesBacktestOutput = CardPolicyBacktest;

export interface CardsTransactionsListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * Only transactions with this card. If absent, with all.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId?: string | undefined;
  /**
   * Only transactions with this status: `PENDING`, `COMPLETED` or `DECLINED`. If absent, all.
   *
   * @example "PENDING"
   */
  status?: CardTransactionStatus | undefined;
  /**
   * Only items from this time on, itself included.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  from?: Date | undefined;
  /**
   * Only items up to this time, itself included.
   *
   * @example new Date("2026-03-31T23:59:59.999Z")
   */
  to?: Date | undefined;
  /**
   * Only transactions with exactly this `merchantCategory`. A code does not find its name, nor a name its code.
   *
   * @example "5812"
   */
  merchantCategory?: string | undefined;
  /**
   * Only transactions of this amount or more, in minor units of their currency.
   *
   * @example 1000
   */
  minAmount?: number | undefined;
  /**
   * Only transactions of this amount or less, in minor units of their currency.
   *
   * @example 20000
   */
  maxAmount?: number | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  after?: string | undefined;
}

export type CardsTransactionsListOutput = CardTransaction[];

export interface CardsTransactionsExplainInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The card transaction's id.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  transactionId: string;
}

export type CardsTransactionsExplainOutput = ExplainedCardDecision;

export interface CardsReportsSpendingInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The first day of the report. The first and the last millisecond of a day in UTC mean that day of the calendar, as a plain day does; any other time means the day on which it falls in the organization's time zone.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  from: Date;
  /**
   * The last day of the report, itself included; if it is in the future, today. A time means a day as in `from`. A report has at most 731 days.
   *
   * @example new Date("2026-03-31T23:59:59.999Z")
   */
  to: Date;
  /**
   * What the items of the report are.
   *
   * - `card`: an item is a card.
   * - `merchant`: an item is a merchant.
   * - `category`: an item is a merchant category.
   * - `day`: an item is a day.
   *
   * @example "card"
   */
  groupBy: "card" | "merchant" | "category" | "day";
}

export type CardsReportsSpendingOutput = CardSpendingItem[];

export type BankingInstitutionsListInput = {
  /**
   * Only banks of this provider. If absent, of all configured providers.
   *
   * @example "sandbox"
   */
  provider?: BankProviderName | undefined;
  /**
   * Words of the bank's name, up to 200 characters. If absent, all banks.
   *
   * @example "sandbox"
   */
  query?: string | undefined;
  /**
   * Only banks of this country: ISO 3166-1 alpha-2, in any case. If absent, of all.
   *
   * @example "GB"
   */
  country?: string | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "sandbox-bank"
   */
  after?: string | undefined;
} | undefined;

export type BankingInstitutionsListOutput = Institution[];

export interface BankingLinkCreateInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The provider through which the bank is read. By default that of the connection, otherwise `sandbox` where it is on, or else the only provider that is configured.
   *
   * @example "sandbox"
   */
  provider?: BankProviderName | undefined;
  /**
   * The bank: its id at the provider. If absent, that of the connection, or the person chooses the bank on the provider's page.
   *
   * @example "sandbox-bank"
   */
  providerId?: string | undefined;
  /**
   * The bank connection whose consent the person renews. If absent, the link gives a new consent.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId?: string | undefined;
  /**
   * Where the browser continues afterwards. Its origin must be trusted: that of the service, or one of `TRUSTED_ORIGINS`. By default a page of the service.
   *
   * @example "https://app.demo.example/settings"
   */
  redirectUrl?: string | undefined;
}

export type BankingLinkCreateOutput = BankLink;

export interface BankingConnectionsListInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  after?: string | undefined;
}

export type BankingConnectionsListOutput = BankConnection[];

export interface BankingConnectionsConnectInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The provider through which the bank is read: `sandbox`, `plaid` or `yapily`. The sandbox has fictional banks. A provider that is not configured is refused with `PROVIDER_NOT_CONFIGURED`.
   *
   * @example "sandbox"
   */
  provider: BankProviderName;
  /**
   * The bank: its id at the provider, as `banking.institutions.list` shows it.
   *
   * @example "sandbox-bank"
   */
  providerId: string;
  /**
   * The consent that the person gave, as the link's page returned it, or Plaid's public token. The sandbox takes any letters, digits, dashes and underscores. There `fail-revoked`, `fail-expired`, `fail-outage` and `fail-foreign` fail as their names say.
   *
   * @example "consent-7f3a9c"
   */
  consentId: string;
  /**
   * Any JSON object of your own. It is stored and not returned. At most 50 keys, 5 levels and 16 kB.
   *
   * @example { reference: "onboarding-2026-03" }
   */
  metadata?: Record<string, unknown> | undefined;
}

export type BankingConnectionsConnectOutput = BankConnection;

export interface BankingConnectionsDisconnectInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
}

export type BankingConnectionsDisconnectOutput = DisconnectedBankConnection;

export interface BankingConnectionsUpdateConsentInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * What may be read, at most what the bank has granted. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is no longer read. Where the bank sets no limit, as with a consent id of your own in the sandbox, a list without any of these three names limits nothing.
   *
   * @example ["accounts", "balances", "transactions"]
   */
  scopes: string[];
  /**
   * When the consent is to end: in the future, and not after what the bank has granted.
   *
   * @example new Date("2026-05-31T09:15:00.000Z")
   */
  expiresAt: Date;
}

export type BankingConnectionsUpdateConsentOutput = UpdatedBankConsent;

export interface BankingConnectionsHealthInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  after?: string | undefined;
}

export type BankingConnectionsHealthOutput = BankConnectionHealth[];

export interface BankingConnectionsReconfirmInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
}

export type BankingConnectionsReconfirmOutput = ReconfirmedBankConsent;

export interface BankingConnectionsSyncInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank connection's id.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
}

export type BankingConnectionsSyncOutput = SyncedBankConnection;

export interface BankingAccountsListInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * Only accounts of this bank connection. If absent, of all.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId?: string | undefined;
  /**
   * Only accounts that this account can be merged into with `banking.accounts.merge`.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  mergeableAccountId?: string | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  after?: string | undefined;
}

export type BankingAccountsListOutput = BankAccount[];

export interface BankingAccountsGetInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank account's id.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId: string;
}

export type BankingAccountsGetOutput = BankAccountDetails;

export interface BankingAccountsMergeInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The account that ends.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId: string;
  /**
   * The account that continues, with its id and its connection. It has the same currency.
   *
   * @example "bac_01kkfm1c20e2s9wq4mhz7b6t5n"
   */
  intoAccountId: string;
}

export type BankingAccountsMergeOutput = BankAccountDetails;

export interface BankingTransactionsListInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * Only transactions of this bank account. If absent, of all.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId?: string | undefined;
  /**
   * Only transactions of this bank connection's accounts. If absent, of all.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId?: string | undefined;
  /**
   * Only transactions with a `transactionDate` from this time on, itself included.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  from?: Date | undefined;
  /**
   * Only transactions with a `transactionDate` up to this time, itself included.
   *
   * @example new Date("2026-03-31T23:59:59.999Z")
   */
  to?: Date | undefined;
  /**
   * Only money in (`CREDIT`) or money out (`DEBIT`). If absent, both.
   *
   * @example "DEBIT"
   */
  type?: BankTransactionType | undefined;
  /**
   * Only transactions with exactly this `category`.
   *
   * @example "SOFTWARE"
   */
  category?: string | undefined;
  /**
   * Only transactions with this `status`.
   *
   * - `PENDING`: not posted yet. Amount, day and description may still change.
   * - `POSTED`: posted by the bank.
   * - `ALL`: posted and pending ones.
   *
   * @default "POSTED"
   * @example "PENDING"
   */
  status?: "PENDING" | "POSTED" | "ALL" | undefined;
  /**
   * Only transactions of which the description or the merchant name has, for each word of this text, a word that begins with it. Upper and lower case are the same, and so are letters with and without accents.
   *
   * @example "cloud host"
   */
  query?: string | undefined;
  /**
   * Only amounts from this one on, itself included, in minor units.
   *
   * @example 1000
   */
  minAmount?: number | undefined;
  /**
   * Only amounts up to this one, itself included, in minor units.
   *
   * @example 50000
   */
  maxAmount?: number | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "btx_01kkk4b3h0e09b8574sb5b1sxr"
   */
  after?: string | undefined;
}

export type BankingTransactionsListOutput = BankTransaction[];

export interface BankingTransactionsGetInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank transaction's id. A pending transaction keeps it when it is posted.
   *
   * @example "btx_01kkk4b3h0e09b8574sb5b1sxr"
   */
  transactionId: string;
}

export type BankingTransactionsGetOutput = BankTransaction;

export interface BankingTransactionsUpdateInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The bank transaction's id. A pending transaction keeps it when it is posted.
   *
   * @example "btx_01kkk4b3h0e09b8574sb5b1sxr"
   */
  transactionId: string;
  /**
   * The category to show instead of the bank's, in 1 to 255 characters. Null shows the bank's again. If absent, it stays.
   *
   * @example "MARKETING"
   */
  category?: string | null | undefined;
  /**
   * The note, in 1 to 1000 characters. Null removes it. If absent, it stays.
   *
   * @example "Invoice 2026-031, approved by the owner"
   */
  note?: string | null | undefined;
}

export type BankingTransactionsUpdateOutput = BankTransaction;

export interface BankingReportsBalancesInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * Only this bank account. If absent, all of the team.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId?: string | undefined;
  /**
   * The first day of the report. The first and the last millisecond of a day in UTC mean that day of the calendar, as a plain day does; any other time means the day on which it falls in the organization's time zone.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  from: Date;
  /**
   * The last day of the report, itself included; if it is in the future, today. A time means a day as in `from`. A report has at most 731 days.
   *
   * @example new Date("2026-03-31T23:59:59.999Z")
   */
  to: Date;
}

export type BankingReportsBalancesOutput = BankBalances[];

export interface BankingReportsCashflowInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * Only this bank account. If absent, all of the team.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId?: string | undefined;
  /**
   * The first day of the report. The first and the last millisecond of a day in UTC mean that day of the calendar, as a plain day does; any other time means the day on which it falls in the organization's time zone.
   *
   * @example new Date("2026-03-01T00:00:00.000Z")
   */
  from: Date;
  /**
   * The last day of the report, itself included; if it is in the future, today. A time means a day as in `from`. A report has at most 731 days.
   *
   * @example new Date("2026-03-31T23:59:59.999Z")
   */
  to: Date;
  /**
   * The length of a period.
   *
   * - `day`: a calendar day.
   * - `week`: a week from Monday.
   * - `month`: a calendar month.
   *
   * @example "day"
   */
  interval: "day" | "week" | "month";
  /**
   * `category` splits each period by the category of the transactions.
   *
   * @example "category"
   */
  groupBy?: "category" | undefined;
}

export type BankingReportsCashflowOutput = BankCashflow[];

export interface BankingSyncsListInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * Only syncs of this bank connection. If absent, of all.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId?: string | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "bsy_01km4rrm90ebcsrbhpx56v9z1z"
   */
  after?: string | undefined;
}

export type BankingSyncsListOutput = BankSync[];

export interface BankingQuarantineListInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "bqu_01kkpn7d90e5mbk3p42cfdccf4"
   */
  after?: string | undefined;
}

export type BankingQuarantineListOutput = QuarantinedBankData[];

export interface BankingQuarantineResolveInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The id of the entry in the quarantine.
   *
   * @example "bqu_01kkpn7d90e5mbk3p42cfdccf4"
   */
  id: string;
  /**
   * What to do with the transaction. Data that cannot be read can only be rejected.
   *
   * - `accept`: takes the transaction into the list as the bank reports it; a missing one comes back as it was.
   * - `reject`: leaves it out, also when the bank reports the same again.
   *
   * @example "accept"
   */
  action: "accept" | "reject";
}

export type BankingQuarantineResolveOutput = void;

export interface BillingCheckoutInput {
  /**
   * The plan: its `id` in `billing.plans.list`.
   *
   * @example "local_team"
   */
  planId: string;
  /**
   * The variant of the plan: its `id` there.
   *
   * @example "local_team_monthly"
   */
  variantId: string;
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * Where the browser continues afterwards. Its origin must be trusted: that of the service, or one of `TRUSTED_ORIGINS`. By default a page of the service.
   *
   * @example "https://app.demo.example/settings"
   */
  redirectUrl?: string | undefined;
}

export type BillingCheckoutOutput = string;

export interface BillingPortalInput {
  /**
   * The subscription: its `id` in `organizations.subscription.get`.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  subscriptionId: string;
  /**
   * Where the browser continues afterwards. Its origin must be trusted: that of the service, or one of `TRUSTED_ORIGINS`. By default a page of the service.
   *
   * @example "https://app.demo.example/settings"
   */
  redirectUrl?: string | undefined;
}

export type BillingPortalOutput = string;

export interface BillingCancelInput {
  /**
   * The subscription: its `id` in `organizations.subscription.get`.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  id: string;
}

export type BillingCancelOutput = void;

export interface BillingResumeInput {
  /**
   * The subscription: its `id` in `organizations.subscription.get`.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  id: string;
}

export type BillingResumeOutput = ResumedSubscription;

export interface BillingSyncInput {
  /**
   * The subscription's id, of 1 to 255 characters. An existing subscription with it is overwritten. If no payment provider knows it, the subscription is manual.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  id: string;
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * The customer's id at the payment provider.
   *
   * @example "cus_R7nQx2LkdIwHu7"
   */
  customerId: string;
  /**
   * The status of a subscription. ACTIVE, PAST_DUE and UNPAID are live.
   *
   * - `ACTIVE`: it is paid, or in its trial. It stays ACTIVE after a cancellation until its period ends.
   * - `CANCELED`: it has ended and cannot be resumed.
   * - `PAST_DUE`: a payment failed, and the provider tries again.
   * - `UNPAID`: all attempts to be paid failed, or the subscription is paused.
   * - `INCOMPLETE`: the first payment has not succeeded yet.
   *
   * @example "ACTIVE"
   */
  status: SubscriptionStatus;
  /**
   * The plan: its id at the payment provider. `billing.plans.list` has its name.
   *
   * @example "local_team"
   */
  planId: string;
  /**
   * The variant of the plan: its price's id at the payment provider. `billing.plans.list` has its price and interval.
   *
   * @example "local_team_monthly"
   */
  variantId: string;
  /**
   * When the period that is paid, or is to be paid, starts.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  currentPeriodStart: Date;
  /**
   * When the period ends, not before it starts. A canceled manual subscription ends then.
   *
   * @example new Date("2026-04-02T09:15:00.000Z")
   */
  currentPeriodEnd: Date;
  /**
   * When the cancellation was requested. Null if there is none.
   *
   * @example null
   */
  canceledAt: Date | null;
  /**
   * Whether the subscription ends at `currentPeriodEnd`. Until then, resuming it withdraws the cancellation.
   *
   * @example false
   */
  cancelAtPeriodEnd: boolean;
}

export type BillingSyncOutput = void;

export type BillingPlansListInput = {
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "local_team"
   */
  after?: string | undefined;
} | undefined;

export type BillingPlansListOutput = BillingPlan[];

export type BillingEventsListInput = {
  /**
   * Only events of this payment provider: `local`, `stripe`, `paddle`, `polar` or `lemonsqueezy`. If absent, of all.
   *
   * @example "stripe"
   */
  provider?: PaymentProviderName | undefined;
  /**
   * Only events with this status: `PENDING`, `APPLIED`, `IGNORED` or `DEAD`. If absent, all.
   *
   * @example "PENDING"
   */
  status?: BillingEventStatus | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "stripe:evt_1QxN2rLkdIwHu7ix"
   */
  after?: string | undefined;
} | undefined;

export type BillingEventsListOutput = BillingEvent[];

export interface BillingEventsReplayInput {
  /**
   * The provider and its id of the event, as `provider:id`.
   *
   * @example "stripe:evt_1QxN2rLkdIwHu7ix"
   */
  id: string;
}

export type BillingEventsReplayOutput = BillingEvent;

export type OrganizationsListInput = {
  /**
   * The user whose organizations are listed. By default the caller; only administrators may name another user.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId?: string | undefined;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  after?: string | undefined;
} | undefined;

export type OrganizationsListOutput = OrganizationListItem[];

export interface OrganizationsGetInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
}

export type OrganizationsGetOutput = Organization;

export interface OrganizationsCreateInput {
  /**
   * A name of 1 to 200 characters on one line. Spaces around it are removed.
   *
   * @example "Fernhill Studio"
   */
  name: string;
}

export type OrganizationsCreateOutput = CreatedOrganization;

export interface OrganizationsUpdateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
  /**
   * A name of 1 to 200 characters on one line. Spaces around it are removed.
   *
   * @example "Fernhill Studio"
   */
  name?: string | undefined;
  /**
   * The address of the organization's picture, http or https. The service never fetches it. Null if there is none.
   *
   * @example "https://fernhill.example/logo.png"
   */
  avatarUrl?: string | null | undefined;
}

export type OrganizationsUpdateOutput = Organization;

export interface OrganizationsDeleteInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
}

export type OrganizationsDeleteOutput = void;

export interface OrganizationsMembersListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  after?: string | undefined;
}

export type OrganizationsMembersListOutput = MemberListItem[];

export interface OrganizationsMembersRemoveInput {
  /**
   * The membership's id, not the user's.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  membershipId: string;
}

export type OrganizationsMembersRemoveOutput = void;

export interface OrganizationsMembersUpdateRoleInput {
  /**
   * The membership's id, not the user's.
   *
   * @example "mem_01kjte4z90e0qv0j9wdrehbw60"
   */
  id: string;
  /**
   * What a member may do.
   *
   * - `OWNER`: manages the organization, its members, bank connections, cards and subscription.
   * - `MEMBER`: reads the organization and its bank data, and uses the cards assigned to them.
   *
   * @example "OWNER"
   */
  role: Role;
}

export type OrganizationsMembersUpdateRoleOutput = void;

export interface OrganizationsInvitationsListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
   */
  after?: string | undefined;
}

export type OrganizationsInvitationsListOutput = Invitation[];

export interface OrganizationsInvitationsGetInput {
  /**
   * The invitation's id. The invited person finds it in the e-mail.
   *
   * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
   */
  id: string;
}

export type OrganizationsInvitationsGetOutput = InvitationWithOrganization | null;

export interface OrganizationsInvitationsCreateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
  /**
   * The address to send the invitation to. Case does not matter. An earlier invitation to it is replaced.
   *
   * @example "new@demo.example"
   */
  email: string;
  /**
   * The role that the person gets on accepting: `OWNER` or `MEMBER`.
   *
   * @example "OWNER"
   */
  role: Role;
}

export type OrganizationsInvitationsCreateOutput = void;

export interface OrganizationsInvitationsAcceptInput {
  /**
   * The invitation's id. The invited person finds it in the e-mail.
   *
   * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
   */
  id: string;
}

export type OrganizationsInvitationsAcceptOutput = AcceptedInvitation;

export interface OrganizationsInvitationsRevokeInput {
  /**
   * The invitation's id. The invited person finds it in the e-mail.
   *
   * @example "inv_01kjxz1910edjrtj5cf1q51ty4"
   */
  invitationId: string;
}

export type OrganizationsInvitationsRevokeOutput = void;

export interface OrganizationsSubscriptionGetInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId: string;
}

export type OrganizationsSubscriptionGetOutput = CurrentSubscription | null;

export interface OrganizationsSettingsGetInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
}

export type OrganizationsSettingsGetOutput = OrganizationSettings;

export interface OrganizationsSettingsUpdateInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
  /**
   * The IANA time zone in which the organization's days, weeks and months start, for example for spending limits. UTC by default.
   *
   * @example "Europe/London"
   */
  timeZone?: string | undefined;
  /**
   * Whether a purchase that exceeds what is left of a daily, weekly or monthly limit is approved for what is left, where the merchant accepts less than it requested. Off by default.
   *
   * @example false
   */
  partialApprovals?: boolean | undefined;
}

export type OrganizationsSettingsUpdateOutput = OrganizationSettings;

export interface OrganizationsAuditListInput {
  /**
   * The organization's id.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  id: string;
  /**
   * The maximum number of items in the response, from 1 to 1000.
   *
   * @default 1000
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.
   *
   * @example "aud_01kk8hp690e3h9v1k252mzvp1r"
   */
  after?: string | undefined;
}

export type OrganizationsAuditListOutput = AuditEntry[];

export interface SandboxBankingAddTransactionInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * An account of the connection.
   *
   * @example "bac_01kkfkess0e08ashdsnfph8k3k"
   */
  accountId: string;
  /**
   * In minor units of the account's currency, at least 1. `type` is the direction.
   *
   * @example 4900
   */
  amount: number;
  /**
   * The direction of the money.
   *
   * - `CREDIT`: money into the account.
   * - `DEBIT`: money out of the account.
   *
   * @example "DEBIT"
   */
  type: BankTransactionType;
  /**
   * What the bank writes about the transaction, of 1 to 200 characters.
   *
   * @default "SANDBOX TRANSACTION"
   * @example "CLOUDSTACK HOSTING 4821"
   */
  description?: string | undefined;
  /**
   * The bank's category of the transaction. Null for none.
   *
   * @default null
   * @example "SOFTWARE"
   */
  category?: string | null | undefined;
  /**
   * The bank's day of the transaction. Its time of day in UTC is ignored. By default today.
   *
   * @example new Date("2026-03-02T00:00:00.000Z")
   */
  date?: Date | undefined;
  /**
   * Whether the transaction is pending: not posted yet, and not listed.
   *
   * @default false
   * @example false
   */
  pending?: boolean | undefined;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingAddTransactionOutput = SandboxTransaction;

export interface SandboxBankingPostTransactionInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * The bank's id of the transaction, or the `btx_` id of a listed one.
   *
   * @example "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790"
   */
  bankTransactionId: string;
  /**
   * The posted amount, in minor units of the account's currency. By default the pending one.
   *
   * @example 4900
   */
  amount?: number | undefined;
  /**
   * The bank's day of the transaction. Its time of day in UTC is ignored. By default today.
   *
   * @example new Date("2026-03-02T00:00:00.000Z")
   */
  date?: Date | undefined;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingPostTransactionOutput = SandboxTransaction;

export interface SandboxBankingChangeTransactionInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * The bank's id of the transaction, or the `btx_` id of a listed one.
   *
   * @example "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790"
   */
  bankTransactionId: string;
  /**
   * What the bank writes about the transaction, of 1 to 200 characters.
   *
   * @example "CLOUDSTACK HOSTING 4821"
   */
  description?: string | undefined;
  /**
   * The bank's category of the transaction. Null for none.
   *
   * @example "SOFTWARE"
   */
  category?: string | null | undefined;
  /**
   * The bank's day of the transaction. If absent, it does not change.
   *
   * @example new Date("2026-03-02T00:00:00.000Z")
   */
  date?: Date | undefined;
  /**
   * In minor units of the account's currency, at least 1. `type` is the direction.
   *
   * @example 4900
   */
  amount?: number | undefined;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingChangeTransactionOutput = void;

export interface SandboxBankingRemoveTransactionInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * The bank's id of the transaction, or the `btx_` id of a listed one.
   *
   * @example "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790"
   */
  bankTransactionId: string;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingRemoveTransactionOutput = void;

export interface SandboxBankingRevokeConsentInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingRevokeConsentOutput = void;

export interface SandboxBankingExpireConsentInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingExpireConsentOutput = void;

export interface SandboxBankingRequireReauthorizationInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingRequireReauthorizationOutput = void;

export interface SandboxBankingRepairConsentInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.
   *
   * @default true
   * @example true
   */
  notify?: boolean | undefined;
}

export type SandboxBankingRepairConsentOutput = void;

export interface SandboxBankingSetFaultInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
  /**
   * What goes wrong at the bank.
   *
   * - `outage`: no call is answered.
   * - `rate_limited`: every call is refused because there were too many.
   * - `slow`: every call takes longer.
   * - `accounts_outage`: accounts cannot be read, but transactions can.
   * - `not_ready`: the history is not ready yet.
   * - `cursor_lost`: the place in the change feed is no longer valid.
   * - `mutation_during_pagination`: the data changes between two pages.
   * - `blank_ids`: transactions have no ids.
   * - `repeated_ids`: a page has the same transaction twice.
   * - `reused_ids`: a transaction has the id of another.
   *
   * @example "outage"
   */
  fault: SandboxBankFault;
  /**
   * How often the fault happens, from 1 to 1000. If absent, until it is cleared.
   *
   * @example 1
   */
  times?: number | undefined;
  /**
   * How many seconds the bank asks to wait, from 1 to 3600. Only with `rate_limited`.
   *
   * @example 60
   */
  retryAfterSeconds?: number | undefined;
  /**
   * How many milliseconds each call takes longer, from 1 to 10000. Only with `slow`.
   *
   * @example 2000
   */
  milliseconds?: number | undefined;
}

export type SandboxBankingSetFaultOutput = void;

export interface SandboxBankingClearFaultsInput {
  /**
   * The organization's id. A team is an organization.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  teamId: string;
  /**
   * A bank connection with the sandbox.
   *
   * @example "bcn_01kkc2jg10eep82n113m7fb0nj"
   */
  connectionId: string;
}

export type SandboxBankingClearFaultsOutput = void;

export interface SandboxCardsAuthorizeInput {
  /**
   * The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId?: string | undefined;
  /**
   * The card's id.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId: string;
  /**
   * What the merchant requests, in minor units of `currency`, at least 1.
   *
   * @example 6200
   */
  amount: number;
  /**
   * The currency of the purchase: ISO 4217, upper case. By default the card's; another is declined.
   *
   * @example "GBP"
   */
  currency?: string | undefined;
  /** The merchant of the purchase. */
  merchant: {
    /**
     * The merchant's name, of 1 to 200 characters.
     *
     * @example "Restaurant De Haven"
     */
    name: string;
    /**
     * The network's id of the merchant. `blockedMerchants` may name it. Null if it is not known.
     *
     * @example "174030075991"
     */
    id?: string | null | undefined;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if it is not known. Without one, a policy with `merchantCategories` declines.
     *
     * @example "5812"
     */
    category?: string | null | undefined;
    /**
     * The merchant's country: ISO 3166-1 alpha-2, upper case. If absent or null, the purchase does not count as international.
     *
     * @example "NL"
     */
    country?: string | null | undefined;
  };
  /**
   * How the card is used. If it is unknown, use `online`, as the service does.
   *
   * - `in_store`: at a terminal of the merchant.
   * - `online`: without the card being present: on the web, by phone or by mail.
   * - `atm`: a withdrawal of cash.
   *
   * @example "in_store"
   */
  channel: CardChannel;
  /**
   * When the purchase happens, in the past or the future. By default now.
   *
   * @example new Date("2026-03-18T19:48:36.000Z")
   */
  at?: Date | undefined;
  /**
   * The network's id of the message. A repeated id returns the first transaction.
   *
   * @example "message-1"
   */
  networkId?: string | undefined;
  /**
   * Whether the merchant accepts an approval of less than the amount. False by default.
   *
   * @example false
   */
  acceptsPartialApproval?: boolean | undefined;
}

export type SandboxCardsAuthorizeOutput = CardTransaction;

export interface SandboxCardsIncrementInput {
  /**
   * The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId?: string | undefined;
  /**
   * The card transaction's id.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  transactionId: string;
  /**
   * The additional amount to hold, in minor units of the card's currency, at least 1.
   *
   * @example 800
   */
  amount: number;
  /**
   * Whether the merchant accepts an approval of less than the amount. False by default.
   *
   * @example false
   */
  acceptsPartialApproval?: boolean | undefined;
}

export type SandboxCardsIncrementOutput = CardTransaction;

export interface SandboxCardsReverseInput {
  /**
   * The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId?: string | undefined;
  /**
   * The card transaction's id.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  transactionId: string;
  /**
   * How much of the hold to release, in minor units of the card's currency. By default all of it.
   *
   * @example 1200
   */
  amount?: number | undefined;
}

export type SandboxCardsReverseOutput = CardTransaction;

export interface SandboxCardsExpireInput {
  /**
   * The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId?: string | undefined;
  /**
   * The card transaction's id.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  transactionId: string;
}

export type SandboxCardsExpireOutput = CardTransaction;

export interface SandboxCardsClearInput {
  /**
   * The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId?: string | undefined;
  /**
   * The purchase. Requires that `cardId` is absent.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  transactionId?: string | undefined;
  /**
   * The card, for a transaction without a purchase. Requires `amount` and `merchant`.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId?: string | undefined;
  /**
   * In minor units of the card's currency, at least 1. By default all of the purchase. Required with `cardId`.
   *
   * @example 6200
   */
  amount?: number | undefined;
  /** The merchant. Required with `cardId`, not allowed with `transactionId`. */
  merchant?: {
    /**
     * The merchant's name, of 1 to 200 characters.
     *
     * @example "Restaurant De Haven"
     */
    name: string;
    /**
     * The network's id of the merchant. `blockedMerchants` may name it. Null if it is not known.
     *
     * @example "174030075991"
     */
    id?: string | null | undefined;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if it is not known. Without one, a policy with `merchantCategories` declines.
     *
     * @example "5812"
     */
    category?: string | null | undefined;
    /**
     * The merchant's country: ISO 3166-1 alpha-2, upper case. If absent or null, the purchase does not count as international.
     *
     * @example "NL"
     */
    country?: string | null | undefined;
  } | undefined;
  /**
   * Whether no other clearing follows. Then the rest of the hold is released. True by default, and always with `cardId`.
   *
   * @example true
   */
  final?: boolean | undefined;
}

export type SandboxCardsClearOutput = CardTransaction;

export interface SandboxCardsRefundInput {
  /**
   * The organization. The card or the transaction determines it, so it is optional. If present, they must belong to it.
   *
   * @example "org_01kjpx8nh0ebtbbwnqdxvh0tr8"
   */
  organizationId?: string | undefined;
  /**
   * The purchase. Requires that `cardId` is absent.
   *
   * @example "ctx_01km17wah0e1yrppt2vm9zg0fr"
   */
  transactionId?: string | undefined;
  /**
   * The card, for a transaction without a purchase. Requires `amount` and `merchant`.
   *
   * @example "card_01kkt63q10e7696qmkhq2zqbyk"
   */
  cardId?: string | undefined;
  /**
   * In minor units of the card's currency, at least 1. By default all of the purchase. Required with `cardId`.
   *
   * @example 6200
   */
  amount?: number | undefined;
  /** The merchant. Required with `cardId`, not allowed with `transactionId`. */
  merchant?: {
    /**
     * The merchant's name, of 1 to 200 characters.
     *
     * @example "Restaurant De Haven"
     */
    name: string;
    /**
     * The network's id of the merchant. `blockedMerchants` may name it. Null if it is not known.
     *
     * @example "174030075991"
     */
    id?: string | null | undefined;
    /**
     * The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants. Null if it is not known. Without one, a policy with `merchantCategories` declines.
     *
     * @example "5812"
     */
    category?: string | null | undefined;
    /**
     * The merchant's country: ISO 3166-1 alpha-2, upper case. If absent or null, the purchase does not count as international.
     *
     * @example "NL"
     */
    country?: string | null | undefined;
  } | undefined;
}

export type SandboxCardsRefundOutput = CardTransaction;

export interface SandboxBillingAdvanceInput {
  /**
   * A subscription with the provider `local`.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  subscriptionId: string;
  /**
   * The subscription's new present time: not before its present time, and within five years.
   *
   * @example new Date("2026-05-01T00:00:00.000Z")
   */
  to: Date;
}

export type SandboxBillingAdvanceOutput = Subscription;

export interface SandboxBillingReplaceCardInput {
  /**
   * A subscription with the provider `local`.
   *
   * @example "sub_01kk1fxjs0e138rqp6es5wk8n9"
   */
  subscriptionId: string;
  /**
   * Whether payments with the new card succeed: `succeeds` or `fails`.
   *
   * @example "succeeds"
   */
  card: "succeeds" | "fails";
}

export type SandboxBillingReplaceCardOutput = Subscription;

/** The codes with which `me.get` may reject, besides those of every method. */
export type MeGetProblemCode = "FORBIDDEN";

/** The codes with which `keys.list` may reject, besides those of every method. */
export type KeysListProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `keys.create` may reject, besides those of every method. */
export type KeysCreateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "EMAIL_NOT_VERIFIED" | "TOO_MANY_KEYS";

/** The codes with which `keys.revoke` may reject, besides those of every method. */
export type KeysRevokeProblemCode = "API_KEY_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `events.list` may reject, besides those of every method. */
export type EventsListProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `events.get` may reject, besides those of every method. */
export type EventsGetProblemCode = "ORGANIZATION_NOT_FOUND" | "EVENT_NOT_FOUND";

/** The codes with which `events.feed` may reject, besides those of every method. */
export type EventsFeedProblemCode = "ORGANIZATION_NOT_FOUND" | "CURSOR_EXPIRED";

/** The codes with which `events.stream` may reject, besides those of every method. */
export type EventsStreamProblemCode = "ORGANIZATION_NOT_FOUND" | "CURSOR_EXPIRED";

/** The codes with which `webhookEndpoints.list` may reject, besides those of every method. */
export type WebhookEndpointsListProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `webhookEndpoints.create` may reject, besides those of every method. */
export type WebhookEndpointsCreateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "EMAIL_NOT_VERIFIED" | "TOO_MANY_ENDPOINTS";

/** The codes with which `webhookEndpoints.update` may reject, besides those of every method. */
export type WebhookEndpointsUpdateProblemCode = "WEBHOOK_ENDPOINT_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `webhookEndpoints.delete` may reject, besides those of every method. */
export type WebhookEndpointsDeleteProblemCode = "WEBHOOK_ENDPOINT_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `webhookEndpoints.rotateSecret` may reject, besides those of every method. */
export type WebhookEndpointsRotateSecretProblemCode = "WEBHOOK_ENDPOINT_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `webhookEndpoints.test` may reject, besides those of every method. */
export type WebhookEndpointsTestProblemCode = "WEBHOOK_ENDPOINT_NOT_FOUND" | "FORBIDDEN" | "WEBHOOK_ENDPOINT_DISABLED";

/** The codes with which `webhookEndpoints.deliveries.list` may reject, besides those of every method. */
export type WebhookEndpointsDeliveriesListProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "WEBHOOK_ENDPOINT_NOT_FOUND";

/** The codes with which `webhookEndpoints.deliveries.get` may reject, besides those of every method. */
export type WebhookEndpointsDeliveriesGetProblemCode = "WEBHOOK_DELIVERY_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `webhookEndpoints.deliveries.redeliver` may reject, besides those of every method. */
export type WebhookEndpointsDeliveriesRedeliverProblemCode = "WEBHOOK_DELIVERY_NOT_FOUND" | "FORBIDDEN" | "WEBHOOK_ENDPOINT_NOT_FOUND" | "WEBHOOK_ENDPOINT_DISABLED";

/** The codes with which `cards.list` may reject, besides those of every method. */
export type CardsListProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `cards.create` may reject, besides those of every method. */
export type CardsCreateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "MEMBERSHIP_NOT_FOUND" | "CARD_POLICY_NOT_FOUND" | "BANK_ACCOUNT_NOT_FOUND" | "CONNECTION_DISCONNECTED" | "CARDHOLDER_DETAILS_REQUIRED" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `cards.get` may reject, besides those of every method. */
export type CardsGetProblemCode = "ORGANIZATION_NOT_FOUND" | "CARD_NOT_FOUND";

/** The codes with which `cards.update` may reject, besides those of every method. */
export type CardsUpdateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CARD_NOT_FOUND" | "CARD_POLICY_NOT_FOUND" | "MEMBERSHIP_NOT_FOUND" | "CARD_CLOSED" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `cards.updateStatus` may reject, besides those of every method. */
export type CardsUpdateStatusProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CARD_NOT_FOUND" | "CARD_CLOSED" | "ASSIGNEE_NOT_MEMBER";

/** The codes with which `cards.reveal` may reject, besides those of every method. */
export type CardsRevealProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CARD_NOT_FOUND" | "CARD_CLOSED" | "CARD_FROZEN" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `cards.cardholder.get` may reject, besides those of every method. */
export type CardsCardholderGetProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `cards.cardholder.update` may reject, besides those of every method. */
export type CardsCardholderUpdateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `cards.policies.list` may reject, besides those of every method. */
export type CardsPoliciesListProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `cards.policies.create` may reject, besides those of every method. */
export type CardsPoliciesCreateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `cards.policies.update` may reject, besides those of every method. */
export type CardsPoliciesUpdateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CARD_POLICY_NOT_FOUND";

/** The codes with which `cards.policies.check` may reject, besides those of every method. */
export type CardsPoliciesCheckProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CARD_NOT_FOUND";

/** The codes with which `cards.policies.backtest` may reject, besides those of every method. */
export type CardsPoliciesBacktestProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CARD_POLICY_NOT_FOUND" | "CARD_NOT_FOUND";

/** The codes with which `cards.transactions.list` may reject, besides those of every method. */
export type CardsTransactionsListProblemCode = "ORGANIZATION_NOT_FOUND" | "CARD_NOT_FOUND";

/** The codes with which `cards.transactions.explain` may reject, besides those of every method. */
export type CardsTransactionsExplainProblemCode = "ORGANIZATION_NOT_FOUND" | "CARD_TRANSACTION_NOT_FOUND";

/** The codes with which `cards.reports.spending` may reject, besides those of every method. */
export type CardsReportsSpendingProblemCode = "ORGANIZATION_NOT_FOUND" | "SUM_TOO_LARGE";

/** The codes with which `banking.institutions.list` may reject, besides those of every method. */
export type BankingInstitutionsListProblemCode = "PROVIDER_NOT_CONFIGURED" | "PROVIDER_ERROR";

/** The codes with which `banking.link.create` may reject, besides those of every method. */
export type BankingLinkCreateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "INSTITUTION_NOT_FOUND" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `banking.connections.list` may reject, besides those of every method. */
export type BankingConnectionsListProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `banking.connections.connect` may reject, besides those of every method. */
export type BankingConnectionsConnectProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "INSTITUTION_NOT_FOUND" | "CONSENT_NOT_FOUND" | "REAUTHORIZATION_REQUIRED" | "PROVIDER_NOT_CONFIGURED" | "PROVIDER_ERROR";

/** The codes with which `banking.connections.disconnect` may reject, besides those of every method. */
export type BankingConnectionsDisconnectProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND";

/** The codes with which `banking.connections.updateConsent` may reject, besides those of every method. */
export type BankingConnectionsUpdateConsentProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "REAUTHORIZATION_REQUIRED" | "PROVIDER_NOT_CONFIGURED" | "PROVIDER_ERROR";

/** The codes with which `banking.connections.health` may reject, besides those of every method. */
export type BankingConnectionsHealthProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `banking.connections.reconfirm` may reject, besides those of every method. */
export type BankingConnectionsReconfirmProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "CONNECTION_DISCONNECTED" | "CONSENT_EXPIRED" | "REAUTHORIZATION_REQUIRED" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `banking.connections.sync` may reject, besides those of every method. */
export type BankingConnectionsSyncProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "CONNECTION_DISCONNECTED" | "CONSENT_EXPIRED" | "REAUTHORIZATION_REQUIRED" | "PROVIDER_NOT_CONFIGURED" | "PROVIDER_ERROR";

/** The codes with which `banking.accounts.list` may reject, besides those of every method. */
export type BankingAccountsListProblemCode = "ORGANIZATION_NOT_FOUND" | "CONNECTION_NOT_FOUND" | "BANK_ACCOUNT_NOT_FOUND";

/** The codes with which `banking.accounts.get` may reject, besides those of every method. */
export type BankingAccountsGetProblemCode = "ORGANIZATION_NOT_FOUND" | "BANK_ACCOUNT_NOT_FOUND";

/** The codes with which `banking.accounts.merge` may reject, besides those of every method. */
export type BankingAccountsMergeProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "BANK_ACCOUNT_NOT_FOUND" | "ACCOUNTS_CANNOT_MERGE";

/** The codes with which `banking.transactions.list` may reject, besides those of every method. */
export type BankingTransactionsListProblemCode = "ORGANIZATION_NOT_FOUND" | "BANK_ACCOUNT_NOT_FOUND" | "CONNECTION_NOT_FOUND";

/** The codes with which `banking.transactions.get` may reject, besides those of every method. */
export type BankingTransactionsGetProblemCode = "ORGANIZATION_NOT_FOUND" | "BANK_TRANSACTION_NOT_FOUND";

/** The codes with which `banking.transactions.update` may reject, besides those of every method. */
export type BankingTransactionsUpdateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "BANK_TRANSACTION_NOT_FOUND";

/** The codes with which `banking.reports.balances` may reject, besides those of every method. */
export type BankingReportsBalancesProblemCode = "ORGANIZATION_NOT_FOUND" | "BANK_ACCOUNT_NOT_FOUND" | "SUM_TOO_LARGE";

/** The codes with which `banking.reports.cashflow` may reject, besides those of every method. */
export type BankingReportsCashflowProblemCode = "ORGANIZATION_NOT_FOUND" | "BANK_ACCOUNT_NOT_FOUND" | "SUM_TOO_LARGE";

/** The codes with which `banking.syncs.list` may reject, besides those of every method. */
export type BankingSyncsListProblemCode = "ORGANIZATION_NOT_FOUND" | "CONNECTION_NOT_FOUND";

/** The codes with which `banking.quarantine.list` may reject, besides those of every method. */
export type BankingQuarantineListProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `banking.quarantine.resolve` may reject, besides those of every method. */
export type BankingQuarantineResolveProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "QUARANTINE_ENTRY_NOT_FOUND";

/** The codes with which `billing.checkout` may reject, besides those of every method. */
export type BillingCheckoutProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "PLAN_NOT_FOUND" | "ALREADY_SUBSCRIBED" | "CHECKOUT_SUPERSEDED" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `billing.portal` may reject, besides those of every method. */
export type BillingPortalProblemCode = "SUBSCRIPTION_NOT_FOUND" | "FORBIDDEN" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `billing.cancel` may reject, besides those of every method. */
export type BillingCancelProblemCode = "SUBSCRIPTION_NOT_FOUND" | "FORBIDDEN" | "SUBSCRIPTION_ENDED" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `billing.resume` may reject, besides those of every method. */
export type BillingResumeProblemCode = "SUBSCRIPTION_NOT_FOUND" | "FORBIDDEN" | "SUBSCRIPTION_ENDED" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "PROVIDER_ERROR";

/** The codes with which `billing.sync` may reject, besides those of every method. */
export type BillingSyncProblemCode = "FORBIDDEN" | "ORGANIZATION_NOT_FOUND" | "SUBSCRIPTION_OF_ANOTHER_TEAM" | "PROVIDER_ERROR";

/** The codes with which `billing.events.list` may reject, besides those of every method. */
export type BillingEventsListProblemCode = "FORBIDDEN";

/** The codes with which `billing.events.replay` may reject, besides those of every method. */
export type BillingEventsReplayProblemCode = "FORBIDDEN" | "WEBHOOK_EVENT_NOT_FOUND";

/** The codes with which `organizations.list` may reject, besides those of every method. */
export type OrganizationsListProblemCode = "FORBIDDEN";

/** The codes with which `organizations.get` may reject, besides those of every method. */
export type OrganizationsGetProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `organizations.create` may reject, besides those of every method. */
export type OrganizationsCreateProblemCode = "FORBIDDEN";

/** The codes with which `organizations.update` may reject, besides those of every method. */
export type OrganizationsUpdateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `organizations.delete` may reject, besides those of every method. */
export type OrganizationsDeleteProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "ORGANIZATION_IN_USE" | "PROVIDER_ERROR";

/** The codes with which `organizations.members.list` may reject, besides those of every method. */
export type OrganizationsMembersListProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `organizations.members.remove` may reject, besides those of every method. */
export type OrganizationsMembersRemoveProblemCode = "MEMBERSHIP_NOT_FOUND" | "FORBIDDEN" | "OWNER_CANNOT_LEAVE" | "CREATOR_PROTECTED";

/** The codes with which `organizations.members.updateRole` may reject, besides those of every method. */
export type OrganizationsMembersUpdateRoleProblemCode = "MEMBERSHIP_NOT_FOUND" | "FORBIDDEN" | "CREATOR_PROTECTED" | "LAST_OWNER";

/** The codes with which `organizations.invitations.list` may reject, besides those of every method. */
export type OrganizationsInvitationsListProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `organizations.invitations.create` may reject, besides those of every method. */
export type OrganizationsInvitationsCreateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "EMAIL_NOT_VERIFIED" | "ALREADY_MEMBER";

/** The codes with which `organizations.invitations.accept` may reject, besides those of every method. */
export type OrganizationsInvitationsAcceptProblemCode = "INVITATION_NOT_FOUND" | "FORBIDDEN" | "EMAIL_NOT_VERIFIED" | "INVITATION_EXPIRED" | "ALREADY_MEMBER";

/** The codes with which `organizations.invitations.revoke` may reject, besides those of every method. */
export type OrganizationsInvitationsRevokeProblemCode = "INVITATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `organizations.subscription.get` may reject, besides those of every method. */
export type OrganizationsSubscriptionGetProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `organizations.settings.get` may reject, besides those of every method. */
export type OrganizationsSettingsGetProblemCode = "ORGANIZATION_NOT_FOUND";

/** The codes with which `organizations.settings.update` may reject, besides those of every method. */
export type OrganizationsSettingsUpdateProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `organizations.audit.list` may reject, besides those of every method. */
export type OrganizationsAuditListProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN";

/** The codes with which `sandbox.banking.addTransaction` may reject, besides those of every method. */
export type SandboxBankingAddTransactionProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER" | "BANK_ACCOUNT_NOT_FOUND";

/** The codes with which `sandbox.banking.postTransaction` may reject, besides those of every method. */
export type SandboxBankingPostTransactionProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER" | "BANK_TRANSACTION_NOT_FOUND";

/** The codes with which `sandbox.banking.changeTransaction` may reject, besides those of every method. */
export type SandboxBankingChangeTransactionProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER" | "BANK_TRANSACTION_NOT_FOUND";

/** The codes with which `sandbox.banking.removeTransaction` may reject, besides those of every method. */
export type SandboxBankingRemoveTransactionProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER" | "BANK_TRANSACTION_NOT_FOUND";

/** The codes with which `sandbox.banking.revokeConsent` may reject, besides those of every method. */
export type SandboxBankingRevokeConsentProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.banking.expireConsent` may reject, besides those of every method. */
export type SandboxBankingExpireConsentProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.banking.requireReauthorization` may reject, besides those of every method. */
export type SandboxBankingRequireReauthorizationProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.banking.repairConsent` may reject, besides those of every method. */
export type SandboxBankingRepairConsentProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.banking.setFault` may reject, besides those of every method. */
export type SandboxBankingSetFaultProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.banking.clearFaults` may reject, besides those of every method. */
export type SandboxBankingClearFaultsProblemCode = "ORGANIZATION_NOT_FOUND" | "FORBIDDEN" | "CONNECTION_NOT_FOUND" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.cards.authorize` may reject, besides those of every method. */
export type SandboxCardsAuthorizeProblemCode = "FORBIDDEN" | "NOT_SUPPORTED_BY_PROVIDER" | "CARD_NOT_FOUND";

/** The codes with which `sandbox.cards.increment` may reject, besides those of every method. */
export type SandboxCardsIncrementProblemCode = "FORBIDDEN" | "NOT_SUPPORTED_BY_PROVIDER" | "CARD_TRANSACTION_NOT_FOUND" | "TRANSACTION_FINAL" | "CARD_CLOSED" | "CARD_FROZEN" | "CARD_PAUSED" | "CARD_EXPIRED" | "CURRENCY_NOT_SUPPORTED" | "POLICY_NOT_STARTED" | "POLICY_EXPIRED" | "DAY_NOT_ALLOWED" | "ATM_NOT_ALLOWED" | "ONLINE_NOT_ALLOWED" | "INTERNATIONAL_NOT_ALLOWED" | "MERCHANT_CATEGORY_NOT_ALLOWED" | "MERCHANT_CATEGORY_BLOCKED" | "MERCHANT_BLOCKED" | "MERCHANT_NOT_ALLOWED" | "TRANSACTION_LIMIT_EXCEEDED" | "DAILY_LIMIT_EXCEEDED" | "WEEKLY_LIMIT_EXCEEDED" | "MONTHLY_LIMIT_EXCEEDED" | "YEARLY_LIMIT_EXCEEDED" | "ALL_TIME_LIMIT_EXCEEDED";

/** The codes with which `sandbox.cards.reverse` may reject, besides those of every method. */
export type SandboxCardsReverseProblemCode = "FORBIDDEN" | "NOT_SUPPORTED_BY_PROVIDER" | "CARD_TRANSACTION_NOT_FOUND" | "TRANSACTION_FINAL" | "AMOUNT_EXCEEDS_HOLD";

/** The codes with which `sandbox.cards.expire` may reject, besides those of every method. */
export type SandboxCardsExpireProblemCode = "FORBIDDEN" | "NOT_SUPPORTED_BY_PROVIDER" | "CARD_TRANSACTION_NOT_FOUND" | "TRANSACTION_FINAL";

/** The codes with which `sandbox.cards.clear` may reject, besides those of every method. */
export type SandboxCardsClearProblemCode = "FORBIDDEN" | "NOT_SUPPORTED_BY_PROVIDER" | "CARD_TRANSACTION_NOT_FOUND" | "CARD_NOT_FOUND" | "TRANSACTION_FINAL";

/** The codes with which `sandbox.cards.refund` may reject, besides those of every method. */
export type SandboxCardsRefundProblemCode = "FORBIDDEN" | "NOT_SUPPORTED_BY_PROVIDER" | "CARD_TRANSACTION_NOT_FOUND" | "CARD_NOT_FOUND" | "TRANSACTION_FINAL" | "TRANSACTION_NOT_SETTLED" | "AMOUNT_EXCEEDS_CLEARED";

/** The codes with which `sandbox.billing.advance` may reject, besides those of every method. */
export type SandboxBillingAdvanceProblemCode = "FORBIDDEN" | "SUBSCRIPTION_NOT_FOUND" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER";

/** The codes with which `sandbox.billing.replaceCard` may reject, besides those of every method. */
export type SandboxBillingReplaceCardProblemCode = "FORBIDDEN" | "SUBSCRIPTION_NOT_FOUND" | "PROVIDER_NOT_CONFIGURED" | "NOT_SUPPORTED_BY_PROVIDER" | "SUBSCRIPTION_ENDED";

/**
 * Every procedure of Purser, as a method.
 *
 * Methods reject with a `PurserError`. Each method documents its own codes. Every method can also reject with `VALIDATION_FAILED`, `UNAUTHENTICATED`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE` and the client's own codes, and mutations with `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_IN_PROGRESS`.
 */
export interface PurserClient {
  me: {
    /**
     * Returns the caller and their memberships.
     *
     * For every signed-in user, and for no key of an organization, which belongs to no user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The caller, and the organizations that they are a member of.
     *
     * @example
     * await purser.me.get();
     */
    get: PurserQuery<MeGetInput | undefined, Me>;
  };
  keys: {
    /**
     * Lists the API keys of an organization without their secrets, newest first.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns A page of the keys, newest first. Revoked and expired ones are included.
     *
     * @example
     * await purser.keys.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    list: PurserList<KeysListInput, OrganizationKey>;
    /**
     * Creates an API key of an organization. It acts as a member of that organization, and keeps working when its creator leaves. A repeat with the same Idempotency-Key is refused, because the secret is not stored.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
     * - `TOO_MANY_KEYS`: The organization has 100 API keys that are valid.
     *
     * @returns The new key with its secret, which no other response contains.
     *
     * @example
     * await purser.keys.create({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   name: "Accounting export",
     *   access: "read",
     * });
     */
    create: PurserMutation<KeysCreateInput, CreatedOrganizationKey>;
    /**
     * Revokes an API key of an organization. It is refused from then on, and stays in the list.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `API_KEY_NOT_FOUND`: There is no such API key.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @example
     * await purser.keys.revoke({ id: "key_01kk6m3w0pe5brx2y7vd4s9h8q" });
     */
    revoke: PurserMutation<KeysRevokeInput, void>;
  };
  events: {
    /**
     * Lists what happened in an organization, newest first.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     *
     * @returns A page of the events, newest first. It may be shorter than `limit` although there is a next page, because members do not see all events.
     *
     * @example
     * await purser.events.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    list: PurserList<EventsListInput, Event>;
    /**
     * Returns an event of an organization.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `EVENT_NOT_FOUND`: There is no such event. It may be older than events are kept.
     *
     * @returns The event.
     *
     * @example
     * await purser.events.get({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   id: "evt_01kk9v5s8he4mbt2rz6xq3c7nf",
     * });
     */
    get: PurserQuery<EventsGetInput, Event>;
    /**
     * Reads the feed of what happened in an organization, oldest first, without gaps. A client that reads it cursor by cursor gets each event exactly once, in the same order.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CURSOR_EXPIRED`: The cursor is older than the events that are kept.
     *
     * @returns The events after the cursor, and the cursor of the next call.
     *
     * @example
     * await purser.events.feed({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    feed: PurserQuery<EventsFeedInput, EventFeed>;
    /**
     * Streams what happens in an organization, over REST as Server-Sent Events: the events that the feed has after `lastEventId`, and then each one as soon as it happens. The caller's access is checked repeatedly. When it is lost, the stream ends.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CURSOR_EXPIRED`: The cursor is older than the events that are kept.
     *
     * @returns Events without end. Over REST, a message has the event's type as `event`, its cursor as `id`, and the event as `data`. A comment follows every 15 seconds. An `event: error` with a problem document ends a stream that cannot go on. Unless the problem is `retryable`, the caller has lost access. Reconnect with the last `id`, not before the time in `retry`.
     *
     * @example
     * for await (const event of purser.events.stream({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" }))
     *   console.log(event.type);
     */
    stream: PurserStream<EventsStreamInput, Event>;
  };
  webhookEndpoints: {
    /**
     * Lists the webhook endpoints of an organization without their secrets, newest first.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns A page of the endpoints, newest first.
     *
     * @example
     * await purser.webhookEndpoints.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    list: PurserList<WebhookEndpointsListInput, WebhookEndpoint>;
    /**
     * Creates a webhook endpoint: from now on, the events of the organization are sent to its address. A repeat with the same Idempotency-Key is refused, because the secret is not shown again.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
     * - `TOO_MANY_ENDPOINTS`: The organization has 20 webhook endpoints.
     *
     * @returns The new endpoint with its secret, which no other response contains.
     *
     * @example
     * await purser.webhookEndpoints.create({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   url: "https://hooks.demo.example/purser",
     * });
     */
    create: PurserMutation<WebhookEndpointsCreateInput, WebhookEndpointWithSecret>;
    /**
     * Changes a webhook endpoint, disables it, or enables it again.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The endpoint with its changes.
     *
     * @example
     * await purser.webhookEndpoints.update({
     *   id: "whe_01kkb3d2f0e8yq5n7wp1vr4hsk",
     *   url: "https://hooks.demo.example/purser",
     * });
     */
    update: PurserMutation<WebhookEndpointsUpdateInput, WebhookEndpoint>;
    /**
     * Deletes a webhook endpoint. What it has not received is not sent. Its deliveries stay listed.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @example
     * await purser.webhookEndpoints.delete({ id: "whe_01kkb3d2f0e8yq5n7wp1vr4hsk" });
     */
    delete: PurserMutation<WebhookEndpointsDeleteInput, void>;
    /**
     * Replaces the secret of a webhook endpoint. For 24 hours, deliveries are signed with both. A repeat with the same Idempotency-Key is refused, because the secret is not shown again.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The endpoint with its new secret, which no other response contains.
     *
     * @example
     * await purser.webhookEndpoints.rotateSecret({ id: "whe_01kkb3d2f0e8yq5n7wp1vr4hsk" });
     */
    rotateSecret: PurserMutation<WebhookEndpointsRotateSecretInput, WebhookEndpointWithSecret>;
    /**
     * Sends a test event to this webhook endpoint alone. Its type is `webhook_endpoint.test`, which no feed has.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `WEBHOOK_ENDPOINT_DISABLED`: The webhook endpoint is disabled, so nothing is sent to it.
     *
     * @returns The delivery of the test event. The list of deliveries shows its outcome.
     *
     * @example
     * await purser.webhookEndpoints.test({ id: "whe_01kkb3d2f0e8yq5n7wp1vr4hsk" });
     */
    test: PurserMutation<WebhookEndpointsTestInput, WebhookDelivery>;
    deliveries: {
      /**
       * Lists the deliveries of events to webhook endpoints, with their attempts, newest first.
       *
       * For owners of the organization, and for its keys with the access `write`.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
       *
       * @returns A page of the deliveries, newest first. They are kept as long as their events.
       *
       * @example
       * await purser.webhookEndpoints.deliveries.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<WebhookEndpointsDeliveriesListInput, WebhookDelivery>;
      /**
       * Returns a delivery of an event to a webhook endpoint, with its attempts.
       *
       * For owners of the organization, and for its keys with the access `write`.
       *
       * Errors:
       * - `WEBHOOK_DELIVERY_NOT_FOUND`: There is no such delivery of a webhook.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns The delivery.
       *
       * @example
       * await purser.webhookEndpoints.deliveries.get({ id: "whd_01kkb4m6r0e9tz3c8xk2jn5qbw" });
       */
      get: PurserQuery<WebhookEndpointsDeliveriesGetInput, WebhookDelivery>;
      /**
       * Sends an event to its endpoint again, whether it was delivered or not. If that fails, the attempts start over.
       *
       * For owners of the organization, and for its keys with the access `write`.
       *
       * Errors:
       * - `WEBHOOK_DELIVERY_NOT_FOUND`: There is no such delivery of a webhook.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
       * - `WEBHOOK_ENDPOINT_DISABLED`: The webhook endpoint is disabled, so nothing is sent to it.
       *
       * @returns The delivery, which is pending again.
       *
       * @example
       * await purser.webhookEndpoints.deliveries.redeliver({ id: "whd_01kkb4m6r0e9tz3c8xk2jn5qbw" });
       */
      redeliver: PurserMutation<WebhookEndpointsDeliveriesRedeliverInput, WebhookDelivery>;
    };
  };
  cards: {
    /**
     * Lists the cards of an organization, newest first. Members see the cards assigned to them.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     *
     * @returns A page of the cards, newest first.
     *
     * @example
     * await purser.cards.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    list: PurserList<CardsListInput, CardListItem>;
    /**
     * Issues a card to a member. The card follows a policy, and has the currency and country of its funding account.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
     * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
     * - `CARDHOLDER_DETAILS_REQUIRED`: The card issuer requires more details of the cardholder.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The issued card, which is ACTIVE.
     *
     * @example
     * await purser.cards.create({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   assignedToId: "user_01kk50swh0e8atbt5dsgwe4b7x",
     *   fundingAccountId: "bac_01kkfkess0e08ashdsnfph8k3k",
     *   policyId: "pol_01kkxq00s0efev8rva9t2c2qrx",
     *   purpose: "PERSONAL",
     * });
     */
    create: PurserMutation<CardsCreateInput, Card>;
    /**
     * Returns a card.
     *
     * For owners of the organization, and for the holder of the card.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CARD_NOT_FOUND`: There is no such card.
     *
     * @returns The card.
     *
     * @example
     * await purser.cards.get({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   cardId: "card_01kkt63q10e7696qmkhq2zqbyk",
     * });
     */
    get: PurserQuery<CardsGetInput, Card>;
    /**
     * Updates the nickname, policy or holder of a card. Absent fields are unchanged; a null nickname clears it. A new holder does not see earlier purchases. Stripe binds a card to its first holder.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     *
     * @returns The card after the change.
     *
     * @example
     * await purser.cards.update({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   cardId: "card_01kkt63q10e7696qmkhq2zqbyk",
     *   nickname: "Travel",
     * });
     */
    update: PurserMutation<CardsUpdateInput, Card>;
    /**
     * Updates the status of a card. It applies to the next purchase. Owners set any status; cardholders pause, resume and close their own card. CLOSED is final.
     *
     * For owners of the organization, and for the holder of the card.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `ASSIGNEE_NOT_MEMBER`: The cardholder is no longer a member of the organization.
     *
     * @returns The card's status after the change.
     *
     * @example
     * await purser.cards.updateStatus({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   cardId: "card_01kkt63q10e7696qmkhq2zqbyk",
     *   status: "ACTIVE",
     * });
     */
    updateStatus: PurserMutation<CardsUpdateStatusInput, UpdatedCardStatus>;
    /**
     * Creates a link to a page that shows the number, expiry and CVC of an ACTIVE or PAUSED card once, within 60 seconds. A repeat with the same Idempotency-Key is refused, because the link is not stored.
     *
     * For the holder of the card. Owners cannot call it for a card of another member.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `CARD_FROZEN`: This card is frozen.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     *
     * @returns The link.
     *
     * @example
     * await purser.cards.reveal({
     *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   cardId: "card_01kkt63q10e7696qmkhq2zqbyk",
     * });
     */
    reveal: PurserMutation<CardsRevealInput, CardRevealLink>;
    cardholder: {
      /**
       * Returns which of the caller's details as a cardholder are on record, and which a card issuer of this service requires.
       *
       * For members of the organization, and for no key of it, which belongs to no user.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns Which details are on record and which are missing, and none of the details.
       *
       * @example
       * await purser.cards.cardholder.get({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      get: PurserQuery<CardsCardholderGetInput, CardholderState>;
      /**
       * Updates the caller's own details as a cardholder: sealed, sent to card issuers that require them, never returned. Absent fields are unchanged; null erases a field.
       *
       * For members of the organization, and for no key of it, which belongs to no user.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns Which details are on record and which are missing, and none of the details.
       *
       * @example
       * await purser.cards.cardholder.update({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   name: { first: "Demo", last: "Owner" },
       * });
       */
      update: PurserMutation<CardsCardholderUpdateInput, CardholderState>;
    };
    merchantCategories: {
      /**
       * Lists the categories of merchants that card policies can allow or block: code, name and kind of business.
       *
       * Open to everyone, without authentication. A credential that is sent nevertheless must be valid.
       *
       * @returns The categories, by code. All of them fit a page.
       *
       * @example
       * await purser.cards.merchantCategories.list();
       */
      list: PurserList<CardsMerchantCategoriesListInput | undefined, MerchantCategory>;
    };
    policies: {
      /**
       * Lists the card policies of an organization, newest first, each with the number and the currencies of its open cards.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the policies, newest first.
       *
       * @example
       * await purser.cards.policies.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<CardsPoliciesListInput, CardPolicyListItem>;
      /**
       * Creates a card policy. It allows everything that it does not restrict.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns The new policy, with its defaults filled in.
       *
       * @example
       * await purser.cards.policies.create({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8", name: "Travel" });
       */
      create: PurserMutation<CardsPoliciesCreateInput, CardPolicy>;
      /**
       * Updates a card policy. The change applies to the next purchase with any of its cards. Absent fields are unchanged; null clears a nullable field.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       *
       * @returns The policy after the change.
       *
       * @example
       * await purser.cards.policies.update({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   policyId: "pol_01kkxq00s0efev8rva9t2c2qrx",
       *   name: "Travel",
       * });
       */
      update: PurserMutation<CardsPoliciesUpdateInput, CardPolicy>;
      /**
       * Decides on a hypothetical purchase, now or at another time: with a card, under a draft policy, or with a card as if it followed the draft. Returns the reason for a decline, and what to change in the policy so that the purchase passes.
       *
       * For owners of the organization, and for the holder of the card.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns The decision and its basis. Nothing is stored.
       *
       * @example
       * await purser.cards.policies.check({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   amount: 6200,
       *   merchant: { name: "Restaurant De Haven" },
       *   channel: "in_store",
       *   cardId: "card_01kkt63q10e7696qmkhq2zqbyk",
       * });
       */
      check: PurserQuery<CardsPoliciesCheckInput, CheckedPurchase>;
      /**
       * Replays approved purchases under a policy or a draft, and reports which it would have declined. Limits count from the start of the range.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns How many purchases the policy would have declined, why, and the newest of them. Nothing is stored.
       *
       * @example
       * await purser.cards.policies.backtest({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   policy: { name: "Travel" },
       * });
       */
      backtest: PurserQuery<CardsPoliciesBacktestInput, CardPolicyBacktest>;
    };
    transactions: {
      /**
       * Lists the card transactions of an organization, newest first. Members see those of the cards assigned to them. With `Accept: text/csv`, all of them as CSV.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns A page of the card transactions, newest first.
       *
       * @example
       * await purser.cards.transactions.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<CardsTransactionsListInput, CardTransaction>;
      /**
       * Explains the decision on a card transaction: the reason for a decline, and the limit with its remaining amount. The reason is the first rule that declines, in the order in which the reasons are listed. Others may decline too: `cards.policies.check` with the card and the purchase, whose amount is `requestedAmount`, returns in `passesWith` everything that would have to change in the policy.
       *
       * For owners of the organization, and for the holder of the card.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       *
       * @returns The decision with its basis, and what became of the transaction.
       *
       * @example
       * await purser.cards.transactions.explain({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   transactionId: "ctx_01km17wah0e1yrppt2vm9zg0fr",
       * });
       */
      explain: PurserQuery<CardsTransactionsExplainInput, ExplainedCardDecision>;
    };
    reports: {
      /**
       * Reports what was spent with an organization's cards, by card, merchant, category or day. Members see the spending of the cards assigned to them.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `SUM_TOO_LARGE`: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.
       *
       * @returns The cards, merchants or categories with transactions, those with the most spending first, each in each of its currencies; or every day in order, in each currency of the cards, with zeros where nothing was spent.
       *
       * @example
       * await purser.cards.reports.spending({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   from: new Date("2026-03-01T00:00:00.000Z"),
       *   to: new Date("2026-03-31T23:59:59.999Z"),
       *   groupBy: "card",
       * });
       */
      spending: PurserQuery<CardsReportsSpendingInput, CardSpendingItem[]>;
    };
  };
  banking: {
    institutions: {
      /**
       * Searches the banks of all configured providers, or of one, best match first.
       *
       * For every signed-in user, and for every key of an organization.
       *
       * Errors:
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns A page of the banks, best match first.
       *
       * @example
       * await purser.banking.institutions.list();
       */
      list: PurserList<BankingInstitutionsListInput | undefined, Institution>;
    };
    link: {
      /**
       * Creates a link to a page at the provider where a person gives or renews a consent for this team. The page redirects to `redirectUrl` with `teamId`, `provider`, `providerId` and `consentId`, the input of `connect`, or with `error`: `access_denied`, `server_error`, or `authorization_pending` where the bank has yet to confirm the consent, such as after another owner of the account agrees; the service then connects it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The address of the page, and until when it can be opened.
       *
       * @example
       * await purser.banking.link.create({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8", providerId: "sandbox-bank" });
       */
      create: PurserMutation<BankingLinkCreateInput, BankLink>;
    };
    connections: {
      /**
       * Lists the bank connections of a team with their consents, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the bank connections, newest first, each with its consents.
       *
       * @example
       * await purser.banking.connections.list({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<BankingConnectionsListInput, BankConnection>;
      /**
       * Connects a team to a bank with a consent. Returns once the accounts are stored; transactions follow in the background.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `CONSENT_NOT_FOUND`: There is no such consent for this team and institution.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The connection, ACTIVE and with its consent in force. A repeated connect returns the same connection.
       *
       * @example
       * await purser.banking.connections.connect({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   provider: "sandbox",
       *   providerId: "sandbox-bank",
       *   consentId: "consent-7f3a9c",
       * });
       */
      connect: PurserMutation<BankingConnectionsConnectInput, BankConnection>;
      /**
       * Disconnects a bank connection: revokes its consents, also at the provider, and erases its tokens. Accounts and transactions stay.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       *
       * @returns The connection, DISCONNECTED and with its consents revoked.
       *
       * @example
       * await purser.banking.connections.disconnect({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      disconnect: PurserMutation<BankingConnectionsDisconnectInput, DisconnectedBankConnection>;
      /**
       * Sets scopes and expiry of a connection's newest consent, within the limits of the bank's grant. Reconnects a disconnected connection if the provider supports it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The consent after the change.
       *
       * @example
       * await purser.banking.connections.updateConsent({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       *   scopes: ["accounts", "balances", "transactions"],
       *   expiresAt: new Date("2026-05-31T09:15:00.000Z"),
       * });
       */
      updateConsent: PurserMutation<BankingConnectionsUpdateConsentInput, UpdatedBankConsent>;
      /**
       * Returns the health of each bank connection of a team: its status, the reason for a failure, what to do about it, and the next deadline.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the health of the connections, newest connection first.
       *
       * @example
       * await purser.banking.connections.health({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      health: PurserList<BankingConnectionsHealthInput, BankConnectionHealth>;
      /**
       * Confirms the consent of a connection without a visit to the bank, if the provider supports it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired. Renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The consent, and by when it has to be confirmed the next time.
       *
       * @example
       * await purser.banking.connections.reconfirm({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      reconfirm: PurserMutation<BankingConnectionsReconfirmInput, ReconfirmedBankConsent>;
      /**
       * Syncs accounts and transactions with the bank. Waits up to 25 seconds for the result; `updatedAt` is the end of the last successful sync.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired. Renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The connection with the end of its last successful sync.
       *
       * @example
       * await purser.banking.connections.sync({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      sync: PurserMutation<BankingConnectionsSyncInput, SyncedBankConnection>;
    };
    accounts: {
      /**
       * Lists the bank accounts of a team with their balances, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       *
       * @returns A page of the bank accounts, newest first.
       *
       * @example
       * await purser.banking.accounts.list({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<BankingAccountsListInput, BankAccount>;
      /**
       * Returns a bank account with its ten newest transactions and its transaction count.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       *
       * @returns The bank account with its ten newest transactions.
       *
       * @example
       * await purser.banking.accounts.get({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   accountId: "bac_01kkfkess0e08ashdsnfph8k3k",
       * });
       */
      get: PurserQuery<BankingAccountsGetInput, BankAccountDetails>;
      /**
       * Merges a bank account into another one that is the same account, for example after it was linked again without its number. `intoAccountId` continues with its own connection and balances. It gets the transactions of `accountId`, without duplicates, and the cards that `accountId` funds. `accountId` ends. A moved transaction stays until the bank of `intoAccountId` lists the same amount on the same day: then it is that one. A merge cannot be undone.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `ACCOUNTS_CANNOT_MERGE`: These bank accounts cannot be the same account.
       *
       * @returns The account that continues.
       *
       * @example
       * await purser.banking.accounts.merge({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   accountId: "bac_01kkfkess0e08ashdsnfph8k3k",
       *   intoAccountId: "bac_01kkfm1c20e2s9wq4mhz7b6t5n",
       * });
       */
      merge: PurserMutation<BankingAccountsMergeInput, BankAccountDetails>;
    };
    transactions: {
      /**
       * Lists the transactions of a team's bank accounts, newest first. With `Accept: text/csv`, all of them as CSV.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       *
       * @returns A page of the transactions, newest first. Without `status`, only booked ones.
       *
       * @example
       * await purser.banking.transactions.list({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<BankingTransactionsListInput, BankTransaction>;
      /**
       * Returns a bank transaction, booked or pending.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @returns The transaction.
       *
       * @example
       * await purser.banking.transactions.get({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   transactionId: "btx_01kkk4b3h0e09b8574sb5b1sxr",
       * });
       */
      get: PurserQuery<BankingTransactionsGetInput, BankTransaction>;
      /**
       * Sets the category and the note of a bank transaction. The bank never overwrites them. They stay when a pending transaction is posted, when its account is linked again, and when accounts are merged.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @returns The transaction.
       *
       * @example
       * await purser.banking.transactions.update({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   transactionId: "btx_01kkk4b3h0e09b8574sb5b1sxr",
       *   category: "MARKETING",
       * });
       */
      update: PurserMutation<BankingTransactionsUpdateInput, BankTransaction>;
    };
    reports: {
      /**
       * Reports the closing balance of each of a team's bank accounts on each day.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `SUM_TOO_LARGE`: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.
       *
       * @returns The accounts, newest first, each with its balances, oldest first.
       *
       * @example
       * await purser.banking.reports.balances({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   from: new Date("2026-03-01T00:00:00.000Z"),
       *   to: new Date("2026-03-31T23:59:59.999Z"),
       * });
       */
      balances: PurserQuery<BankingReportsBalancesInput, BankBalances[]>;
      /**
       * Reports the money in and out of a team's bank accounts by day, week or month. A transfer between two of these accounts counts twice: as money out of the one, and as money in for the other. With `groupBy` you can skip a category of transfers, which is not exact: a bank also puts payments of other people in it, and a transfer to savings or investments in another. Accounts of all types count, so a refund or a payment to a credit card is money in. Currencies are not converted.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `SUM_TOO_LARGE`: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.
       *
       * @returns The periods of each currency and, with `groupBy`, of each category that has money in the report, oldest period first. A currency without money has zeros, with `groupBy` under `category` null.
       *
       * @example
       * await purser.banking.reports.cashflow({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   from: new Date("2026-03-01T00:00:00.000Z"),
       *   to: new Date("2026-03-31T23:59:59.999Z"),
       *   interval: "day",
       * });
       */
      cashflow: PurserQuery<BankingReportsCashflowInput, BankCashflow[]>;
    };
    syncs: {
      /**
       * Lists the syncs of a team's bank connections with their outcomes, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       *
       * @returns A page of the syncs, newest first.
       *
       * @example
       * await purser.banking.syncs.list({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<BankingSyncsListInput, BankSync>;
    };
    quarantine: {
      /**
       * Lists the bank data that needs a decision, newest first: transactions that contradict the ledger, booked transactions that the bank no longer lists, and data that cannot be read.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the entries that are not resolved, newest first.
       *
       * @example
       * await purser.banking.quarantine.list({ teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<BankingQuarantineListInput, QuarantinedBankData>;
      /**
       * Resolves an entry of the quarantine: `accept` takes its transaction into the list, `reject` leaves it out. The decision holds until the bank reports something else.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `QUARANTINE_ENTRY_NOT_FOUND`: There is no such entry in the quarantine, or it is resolved.
       *
       * @example
       * await purser.banking.quarantine.resolve({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   id: "bqu_01kkpn7d90e5mbk3p42cfdccf4",
       *   action: "accept",
       * });
       */
      resolve: PurserMutation<BankingQuarantineResolveInput, void>;
    };
  };
  billing: {
    /**
     * Starts a checkout and returns the URL of the provider's payment page. The same request returns the same page while it is open. Afterwards the provider returns the browser to `redirectUrl`, with `checkout` (`completed` or `open`) and `checkoutId`. The subscription appears when the provider has reported the payment, usually within seconds: wait for the event `subscription.created`, or read `organizations.subscription.get` again.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PLAN_NOT_FOUND`: There is no such plan, or not with this variant.
     * - `ALREADY_SUBSCRIBED`: This team already has a subscription.
     * - `CHECKOUT_SUPERSEDED`: Another checkout for this team has replaced this one.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The address of the provider's payment page, as a JSON string. Redirect the browser to it.
     *
     * @example
     * await purser.billing.checkout({
     *   planId: "local_team",
     *   variantId: "local_team_monthly",
     *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     * });
     */
    checkout: PurserMutation<BillingCheckoutInput, string>;
    /**
     * Returns the URL of the provider's customer portal for a subscription.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The address of the customer portal, as a JSON string. It lets its bearer in, so treat it as a secret.
     *
     * @example
     * await purser.billing.portal({ subscriptionId: "sub_01kk1fxjs0e138rqp6es5wk8n9" });
     */
    portal: PurserMutation<BillingPortalInput, string>;
    /**
     * Cancels a subscription at the end of its current period or trial. It keeps its status until `currentPeriodEnd`, which `organizations.subscription.get` returns, and is CANCELED afterwards. One that is paused, or whose first payment is due, may end at once.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @example
     * await purser.billing.cancel({ id: "sub_01kk1fxjs0e138rqp6es5wk8n9" });
     */
    cancel: PurserMutation<BillingCancelInput, void>;
    /**
     * Withdraws a cancellation before the end of the period.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The subscription's status after the change.
     *
     * @example
     * await purser.billing.resume({ id: "sub_01kk1fxjs0e138rqp6es5wk8n9" });
     */
    resume: PurserMutation<BillingResumeInput, ResumedSubscription>;
    /**
     * Stores a subscription that an administrator enters. If a payment provider knows the id, its state overrides the entry at the next synchronization; otherwise the subscription is manual.
     *
     * For administrators of the service.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `SUBSCRIPTION_OF_ANOTHER_TEAM`: This id belongs to a subscription of another team.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @example
     * await purser.billing.sync({
     *   id: "sub_01kk1fxjs0e138rqp6es5wk8n9",
     *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
     *   customerId: "cus_R7nQx2LkdIwHu7",
     *   status: "ACTIVE",
     *   planId: "local_team",
     *   variantId: "local_team_monthly",
     *   currentPeriodStart: new Date("2026-03-02T09:15:00.000Z"),
     *   currentPeriodEnd: new Date("2026-04-02T09:15:00.000Z"),
     *   canceledAt: null,
     *   cancelAtPeriodEnd: false,
     * });
     */
    sync: PurserMutation<BillingSyncInput, void>;
    plans: {
      /**
       * Lists the plans that all payment providers have on sale.
       *
       * Open to everyone, without authentication. A credential that is sent nevertheless must be valid.
       *
       * @returns A page of the plans of all payment providers.
       *
       * @example
       * await purser.billing.plans.list();
       */
      list: PurserList<BillingPlansListInput | undefined, BillingPlan>;
    };
    events: {
      /**
       * Lists the webhook events of payment providers with their processing status, newest first.
       *
       * For administrators of the service.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the events, newest first.
       *
       * @example
       * await purser.billing.events.list();
       */
      list: PurserList<BillingEventsListInput | undefined, BillingEvent>;
      /**
       * Processes a webhook event again, in any status.
       *
       * For administrators of the service.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_EVENT_NOT_FOUND`: There is no such webhook event.
       *
       * @returns The event, PENDING until it is processed.
       *
       * @example
       * await purser.billing.events.replay({ id: "stripe:evt_1QxN2rLkdIwHu7ix" });
       */
      replay: PurserMutation<BillingEventsReplayInput, BillingEvent>;
    };
  };
  organizations: {
    /**
     * Lists the organizations of a user with their members, newest first. Administrators can list those of any user.
     *
     * For every signed-in user, and for no key of an organization, which belongs to no user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns A page of the organizations, newest first, each with all its members.
     *
     * @example
     * await purser.organizations.list();
     */
    list: PurserList<OrganizationsListInput | undefined, OrganizationListItem>;
    /**
     * Returns an organization.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     *
     * @returns The organization.
     *
     * @example
     * await purser.organizations.get({ id: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    get: PurserQuery<OrganizationsGetInput, Organization>;
    /**
     * Creates an organization. The caller becomes its creator and first owner.
     *
     * For every signed-in user, and for no key of an organization, which belongs to no user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The new organization, with the caller's membership as its owner.
     *
     * @example
     * await purser.organizations.create({ name: "Fernhill Studio" });
     */
    create: PurserMutation<OrganizationsCreateInput, CreatedOrganization>;
    /**
     * Updates the name or the avatar of an organization. An absent field does not change; a null avatarUrl clears it.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The organization after the change.
     *
     * @example
     * await purser.organizations.update({ id: "org_01kjpx8nh0ebtbbwnqdxvh0tr8", name: "Fernhill Studio" });
     */
    update: PurserMutation<OrganizationsUpdateInput, Organization>;
    /**
     * Deletes an organization for all its members. Its ledgers and audit trail are kept.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_IN_USE`: The organization still has cards, bank connections or a subscription.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @example
     * await purser.organizations.delete({ id: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
     */
    delete: PurserMutation<OrganizationsDeleteInput, void>;
    members: {
      /**
       * Lists the members of an organization, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the members, newest first, each with their user.
       *
       * @example
       * await purser.organizations.members.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<OrganizationsMembersListInput, MemberListItem>;
      /**
       * Removes a member. Owners can remove other members; a member can only leave.
       *
       * For owners of the organization, and for members about themselves.
       *
       * Errors:
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `OWNER_CANNOT_LEAVE`: An owner cannot remove themselves.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       *
       * @example
       * await purser.organizations.members.remove({ membershipId: "mem_01kjte4z90e0qv0j9wdrehbw60" });
       */
      remove: PurserMutation<OrganizationsMembersRemoveInput, void>;
      /**
       * Changes the role of a member.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       * - `LAST_OWNER`: An organization needs an owner. Make another member an owner first.
       *
       * @example
       * await purser.organizations.members.updateRole({ id: "mem_01kjte4z90e0qv0j9wdrehbw60", role: "OWNER" });
       */
      updateRole: PurserMutation<OrganizationsMembersUpdateRoleInput, void>;
    };
    invitations: {
      /**
       * Lists the open and expired invitations of an organization, newest first.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the invitations, newest first. Accepted and revoked ones are gone.
       *
       * @example
       * await purser.organizations.invitations.list({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<OrganizationsInvitationsListInput, Invitation>;
      /**
       * Returns an invitation to the invited person and to owners. Other callers get null.
       *
       * For every signed-in user, and for every key of an organization.
       *
       * @returns The invitation with the name of its organization, or null if there is none for the caller.
       *
       * @example
       * await purser.organizations.invitations.get({ id: "inv_01kjxz1910edjrtj5cf1q51ty4" });
       */
      get: PurserQuery<OrganizationsInvitationsGetInput, InvitationWithOrganization | null>;
      /**
       * Sends an invitation that is valid for 7 days. It replaces an earlier invitation to the same address.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `ALREADY_MEMBER`: This person is already a member.
       *
       * @example
       * await purser.organizations.invitations.create({
       *   organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   email: "new@demo.example",
       *   role: "OWNER",
       * });
       */
      create: PurserMutation<OrganizationsInvitationsCreateInput, void>;
      /**
       * Accepts an invitation. The caller becomes a member with the invited role.
       *
       * For the user whose e-mail address is invited.
       *
       * Errors:
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `INVITATION_EXPIRED`: This invitation has expired. Request a new one.
       * - `ALREADY_MEMBER`: This person is already a member.
       *
       * @returns The name of the organization that the caller is now a member of.
       *
       * @example
       * await purser.organizations.invitations.accept({ id: "inv_01kjxz1910edjrtj5cf1q51ty4" });
       */
      accept: PurserMutation<OrganizationsInvitationsAcceptInput, AcceptedInvitation>;
      /**
       * Revokes an invitation.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @example
       * await purser.organizations.invitations.revoke({ invitationId: "inv_01kjxz1910edjrtj5cf1q51ty4" });
       */
      revoke: PurserMutation<OrganizationsInvitationsRevokeInput, void>;
    };
    subscription: {
      /**
       * Returns the live subscription of an organization, otherwise the latest one, otherwise null.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns The subscription, with the others that are live, or null if the organization has never had one.
       *
       * @example
       * await purser.organizations.subscription.get({ organizationId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      get: PurserQuery<OrganizationsSubscriptionGetInput, CurrentSubscription | null>;
    };
    settings: {
      /**
       * Returns the settings of an organization.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns The settings.
       *
       * @example
       * await purser.organizations.settings.get({ id: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      get: PurserQuery<OrganizationsSettingsGetInput, OrganizationSettings>;
      /**
       * Updates the settings of an organization. The time zone determines when its days, weeks and months start. With partialApprovals, a purchase beyond a limit is approved for what is left of it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns The settings after the change.
       *
       * @example
       * await purser.organizations.settings.update({ id: "org_01kjpx8nh0ebtbbwnqdxvh0tr8", timeZone: "Europe/London" });
       */
      update: PurserMutation<OrganizationsSettingsUpdateInput, OrganizationSettings>;
    };
    audit: {
      /**
       * Lists the audit trail of an organization, newest first.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the audit entries, newest first.
       *
       * @example
       * await purser.organizations.audit.list({ id: "org_01kjpx8nh0ebtbbwnqdxvh0tr8" });
       */
      list: PurserList<OrganizationsAuditListInput, AuditEntry>;
    };
  };
  sandbox: {
    banking: {
      /**
       * Adds a posted or pending transaction at the bank. Returns the bank's id of the transaction.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       *
       * @returns The bank's id of the new transaction.
       *
       * @example
       * await purser.sandbox.banking.addTransaction({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       *   accountId: "bac_01kkfkess0e08ashdsnfph8k3k",
       *   amount: 4900,
       *   type: "DEBIT",
       * });
       */
      addTransaction: PurserMutation<SandboxBankingAddTransactionInput, SandboxTransaction>;
      /**
       * Posts a pending transaction under a new id. Returns the new id.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @returns The bank's new id of the transaction.
       *
       * @example
       * await purser.sandbox.banking.postTransaction({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       *   bankTransactionId: "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790",
       * });
       */
      postTransaction: PurserMutation<SandboxBankingPostTransactionInput, SandboxTransaction>;
      /**
       * Changes a transaction at the bank. Absent fields stay unchanged.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @example
       * await purser.sandbox.banking.changeTransaction({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       *   bankTransactionId: "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790",
       *   description: "CLOUDSTACK HOSTING 4821",
       * });
       */
      changeTransaction: PurserMutation<SandboxBankingChangeTransactionInput, void>;
      /**
       * Removes a transaction at the bank.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @example
       * await purser.sandbox.banking.removeTransaction({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       *   bankTransactionId: "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790",
       * });
       */
      removeTransaction: PurserMutation<SandboxBankingRemoveTransactionInput, void>;
      /**
       * Revokes the newest consent at the bank, as the customer can at any time.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @example
       * await purser.sandbox.banking.revokeConsent({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      revokeConsent: PurserMutation<SandboxBankingRevokeConsentInput, void>;
      /**
       * Expires the newest consent at the bank immediately.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @example
       * await purser.sandbox.banking.expireConsent({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      expireConsent: PurserMutation<SandboxBankingExpireConsentInput, void>;
      /**
       * Makes the bank require a confirmation of the newest consent.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @example
       * await purser.sandbox.banking.requireReauthorization({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      requireReauthorization: PurserMutation<SandboxBankingRequireReauthorizationInput, void>;
      /**
       * Confirms the newest consent at the bank. A revoked or expired consent stays ended.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @example
       * await purser.sandbox.banking.repairConsent({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      repairConsent: PurserMutation<SandboxBankingRepairConsentInput, void>;
      /**
       * Sets a fault at the bank, for a number of times or until it is cleared.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @example
       * await purser.sandbox.banking.setFault({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       *   fault: "outage",
       * });
       */
      setFault: PurserMutation<SandboxBankingSetFaultInput, void>;
      /**
       * Clears all faults at the bank.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @example
       * await purser.sandbox.banking.clearFaults({
       *   teamId: "org_01kjpx8nh0ebtbbwnqdxvh0tr8",
       *   connectionId: "bcn_01kkc2jg10eep82n113m7fb0nj",
       * });
       */
      clearFaults: PurserMutation<SandboxBankingClearFaultsInput, void>;
    };
    cards: {
      /**
       * Simulates an authorization request for a purchase with a card. Returns the transaction, whether it is approved or declined.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns The card transaction, PENDING if approved and DECLINED if not.
       *
       * @example
       * await purser.sandbox.cards.authorize({
       *   cardId: "card_01kkt63q10e7696qmkhq2zqbyk",
       *   amount: 6200,
       *   merchant: { name: "Restaurant De Haven" },
       *   channel: "in_store",
       * });
       */
      authorize: PurserMutation<SandboxCardsAuthorizeInput, CardTransaction>;
      /**
       * Simulates a request to hold more for a purchase. If it is declined, the error code is the decline reason.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `CARD_CLOSED`: This card is closed. Closing is final.
       * - `CARD_FROZEN`: This card is frozen.
       * - `CARD_PAUSED`: This card is paused.
       * - `CARD_EXPIRED`: This card has expired.
       * - `CURRENCY_NOT_SUPPORTED`: This card does not support this currency.
       * - `POLICY_NOT_STARTED`: The card's policy has not started yet.
       * - `POLICY_EXPIRED`: The card's policy has ended.
       * - `DAY_NOT_ALLOWED`: The card's policy does not allow this day of the week.
       * - `ATM_NOT_ALLOWED`: The card's policy does not allow ATM withdrawals.
       * - `ONLINE_NOT_ALLOWED`: The card's policy does not allow purchases online.
       * - `INTERNATIONAL_NOT_ALLOWED`: The card's policy does not allow international purchases.
       * - `MERCHANT_CATEGORY_NOT_ALLOWED`: The card's policy does not allow this category of merchants.
       * - `MERCHANT_CATEGORY_BLOCKED`: The card's policy blocks this merchant category.
       * - `MERCHANT_BLOCKED`: The card's policy blocks this merchant.
       * - `MERCHANT_NOT_ALLOWED`: The card's policy does not allow this merchant.
       * - `TRANSACTION_LIMIT_EXCEEDED`: The amount exceeds the card policy's limit per purchase.
       * - `DAILY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's daily limit.
       * - `WEEKLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's weekly limit.
       * - `MONTHLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's monthly limit.
       * - `YEARLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's yearly limit.
       * - `ALL_TIME_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's limit for all time.
       *
       * @returns The card transaction with the larger hold.
       *
       * @example
       * await purser.sandbox.cards.increment({ transactionId: "ctx_01km17wah0e1yrppt2vm9zg0fr", amount: 800 });
       */
      increment: PurserMutation<SandboxCardsIncrementInput, CardTransaction>;
      /**
       * Simulates a reversal, which releases a part of a hold or all of it. A fully reversed purchase is DECLINED.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `AMOUNT_EXCEEDS_HOLD`: The amount exceeds the hold.
       *
       * @returns The card transaction with the smaller hold, or DECLINED without one.
       *
       * @example
       * await purser.sandbox.cards.reverse({ transactionId: "ctx_01km17wah0e1yrppt2vm9zg0fr" });
       */
      reverse: PurserMutation<SandboxCardsReverseInput, CardTransaction>;
      /**
       * Expires a hold now instead of at its expiry date.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       *
       * @returns The card transaction, DECLINED.
       *
       * @example
       * await purser.sandbox.cards.expire({ transactionId: "ctx_01km17wah0e1yrppt2vm9zg0fr" });
       */
      expire: PurserMutation<SandboxCardsExpireInput, CardTransaction>;
      /**
       * Simulates a clearing: of a purchase, or with a card alone for a clearing without an authorization.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       *
       * @returns The card transaction, COMPLETED after its final clearing.
       *
       * @example
       * await purser.sandbox.cards.clear({ transactionId: "ctx_01km17wah0e1yrppt2vm9zg0fr" });
       */
      clear: PurserMutation<SandboxCardsClearInput, CardTransaction>;
      /**
       * Simulates a refund of a purchase, or with a card alone a refund without one. The refund is a separate transaction.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `TRANSACTION_NOT_SETTLED`: This card transaction is not settled yet. Reverse it instead.
       * - `AMOUNT_EXCEEDS_CLEARED`: The amount exceeds what was cleared and not refunded yet.
       *
       * @returns The card transaction of the refund, COMPLETED and with a negative amount.
       *
       * @example
       * await purser.sandbox.cards.refund({ transactionId: "ctx_01km17wah0e1yrppt2vm9zg0fr" });
       */
      refund: PurserMutation<SandboxCardsRefundInput, CardTransaction>;
    };
    billing: {
      /**
       * Moves the clock of one subscription forward. Trials end, periods renew, and failed payments are retried. Returns the resulting subscription.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @returns The subscription after the change.
       *
       * @example
       * await purser.sandbox.billing.advance({
       *   subscriptionId: "sub_01kk1fxjs0e138rqp6es5wk8n9",
       *   to: new Date("2026-05-01T00:00:00.000Z"),
       * });
       */
      advance: PurserMutation<SandboxBillingAdvanceInput, Subscription>;
      /**
       * Replaces the test card of a subscription. A card that succeeds pays an open invoice at once. A card that fails is declined at every renewal.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `SUBSCRIPTION_ENDED`: This subscription has ended.
       *
       * @returns The subscription after the change.
       *
       * @example
       * await purser.sandbox.billing.replaceCard({ subscriptionId: "sub_01kk1fxjs0e138rqp6es5wk8n9", card: "succeeds" });
       */
      replaceCard: PurserMutation<SandboxBillingReplaceCardInput, Subscription>;
    };
  };
}
