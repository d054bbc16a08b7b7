import type { BankingPlatform } from "@purser/banking";
import type { BillingPlatform } from "@purser/billing";
import type { CardsPlatform } from "@purser/cards";
import type { EventsPlatform } from "@purser/events";
import type { IdentityPlatform } from "@purser/identity";
import type { OrganizationsPlatform } from "@purser/organizations";
import type { RequestState } from "@purser/platform";

/** The platform with every area's part. */
export type ServicePlatform = IdentityPlatform &
  OrganizationsPlatform &
  BankingPlatform &
  CardsPlatform &
  BillingPlatform &
  EventsPlatform;

/** The context of every procedure. */
export type Context = ServicePlatform & RequestState;
