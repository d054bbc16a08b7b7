import type { BankingPlatform } from "./banking/index.ts";
import type { BillingPlatform } from "./billing/index.ts";
import type { CardsPlatform } from "./cards/index.ts";
import type { IdentityPlatform } from "./identity/index.ts";
import type { OrganizationsPlatform } from "./organizations/index.ts";
import type { RequestState } from "./platform/context.ts";

/** The platform with every area's part. */
export type ServicePlatform = IdentityPlatform &
  OrganizationsPlatform &
  BankingPlatform &
  CardsPlatform &
  BillingPlatform;

/** The context of every procedure. */
export type Context = ServicePlatform & RequestState;
