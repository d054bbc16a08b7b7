// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

/** The decline reasons of holds that ended without money. */
export const endedHoldReasons: readonly string[] = ["authorization_reversed","authorization_expired"];
