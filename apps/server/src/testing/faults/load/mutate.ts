import { randomUUID } from "node:crypto";
import type { Answer, Ask } from "../client.ts";
import type { LoadContext } from "../world.ts";

/** Runs a mutation with retries under one idempotency key, and records the response. */
export async function mutate<Output>(world: LoadContext, unkeyed: Omit<Ask, "key">): Promise<Output> {
  return (await mutateFor(world, unkeyed)).body as Output;
}

/** Like `mutate`, but returns the whole response. */
export async function mutateFor({ client, ledger }: LoadContext, unkeyed: Omit<Ask, "key">): Promise<Answer> {
  const ask = { ...unkeyed, key: randomUUID() };
  const answer = await client.ask(ask);
  if (answer.status >= 400)
    throw new Error(`${ask.method} ${ask.path} was refused with ${JSON.stringify(answer.body)}`);
  ledger.answered.push({ ask, answer });
  return answer;
}
