/** What a shell is told; the help of the program lists them. */
export const ExitCode = { ok: 0, failed: 1, usage: 2, notFound: 3, interrupted: 130 } as const;

/** What was named is not there. */
export class NotFound extends Error {}

/** The person pressed Ctrl-C, or the system asks for the end. */
export class Interrupted extends Error {}
