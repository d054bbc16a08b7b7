/** The exit codes of every command. */
export const ExitCode = { ok: 0, failed: 1, usage: 2, notFound: 3, interrupted: 130 } as const;

/** The named thing does not exist. */
export class NotFound extends Error {}

/** The command received SIGINT or SIGTERM. */
export class CommandInterrupted extends Error {}
