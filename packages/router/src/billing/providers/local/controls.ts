import { testCard } from "./rules/cards.ts";
import { type LocalParts, putCard } from "./subscriptions.ts";

export { advanceSubscription } from "./subscriptions.ts";

/** Pays with a test card from now on that behaves so. Throws `not_found` and `ended`. */
export async function replaceCard(
  parts: LocalParts,
  id: string,
  behavior: "succeeds" | "fails",
): Promise<void> {
  await putCard(parts, id, testCard(behavior, parts.clock.now()));
}
