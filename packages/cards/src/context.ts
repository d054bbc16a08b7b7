import type { MemberContext } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import type { Issuers } from "./ports.ts";

/** The platform with the card issuers that this service is configured for. */
export type CardsPlatform = Platform & {
  issuers: Issuers;
  /** After how many milliseconds a decision is late. Default: what networks allow. */
  decisionTimeoutMs?: number | undefined;
};

/** The context of a cards procedure inside an organization. */
export type CardsContext = MemberContext & CardsPlatform;
