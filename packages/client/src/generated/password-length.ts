// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

/** How many characters a new password has. */
export const passwordLength = { minimum: 8, maximum: 128 } as const;
