import type { Platform } from "@purser/platform";
import type { IdentityHooks } from "./hooks.ts";

/** The platform with what identity needs from above it. */
export type IdentityPlatform = Platform & { identityHooks: IdentityHooks };
