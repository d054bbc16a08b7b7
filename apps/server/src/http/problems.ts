import type { Logger, Problem } from "@purser/core";
import { procedureProblem } from "@purser/router";

/** Maps an error to a problem, and logs the cause that the caller must not see. */
export function reportedProblem(error: unknown, requestId: string, logger: Logger): Problem {
  const problem = procedureProblem(error);
  if (problem.code === "INTERNAL")
    logger.error({ requestId, err: problem.cause ?? error }, "Unforeseen failure");
  // A limit refuses without a cause. Its metric counts that, and a line for each would fill the log in an attack.
  if (problem.code === "UNAVAILABLE" && !(problem === error && problem.cause === undefined))
    logger.warn({ requestId, err: problem.cause ?? error }, "Unavailable");
  return problem;
}
