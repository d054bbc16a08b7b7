import { randomId } from "@mantine/hooks";
import { isProblem } from "@purser/client";
import { isRefusal } from "./failed-query.ts";

/** What a call of the client takes, to be the same change each time. */
export interface ChangeAttempt {
  idempotencyKey: string;
}

/**
 * Runs a change, so that a person who tries again makes it once. Without an answer, the client cannot know whether the
 * service has made it. So the next attempt with the same input has the same key, until the service has answered.
 */
export function createChangeAttempts() {
  let unanswered: (ChangeAttempt & { input: string }) | undefined;
  return async <Output>(
    input: unknown,
    change: (attempt: ChangeAttempt) => Promise<Output>,
  ): Promise<Output> => {
    const written = JSON.stringify([input]);
    const own = unanswered?.input === written ? unanswered : { input: written, idempotencyKey: randomId("") };
    unanswered = own;
    const end = () => {
      if (unanswered === own) unanswered = undefined;
    };
    try {
      const output = await change({ idempotencyKey: own.idempotencyKey });
      end();
      return output;
    } catch (error) {
      if (isRefusal(error)) end();
      throw error;
    }
  };
}

/**
 * The output of a change that answers with a secret; undefined if an attempt whose answer was lost has made it. The service
 * does not keep a secret to answer with it again, and refuses the key instead.
 */
export async function undefinedIfApplied<Output>(change: Promise<Output>): Promise<Output | undefined> {
  try {
    return await change;
  } catch (error) {
    if (isProblem(error, "IDEMPOTENCY_KEY_REUSED")) return undefined;
    throw error;
  }
}
