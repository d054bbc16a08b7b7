import { randomUUID } from "node:crypto";
import type { Answer, Ask } from "../client.ts";
import type { LoadContext } from "../world.ts";

/** Changes something once, however often it has to be asked for, and remembers what was answered. */
export async function mutate<Output>(world: LoadContext, unkeyed: Omit<Ask, "key">): Promise<Output> {
  return (await mutateFor(world, unkeyed)).body as Output;
}

/** The same, with all of the answer. */
export async function mutateFor({ client, ledger }: LoadContext, unkeyed: Omit<Ask, "key">): Promise<Answer> {
  const ask = { ...unkeyed, key: randomUUID() };
  const answer = await client.ask(ask);
  if (answer.status >= 400)
    throw new Error(`${ask.method} ${ask.path} was refused with ${JSON.stringify(answer.body)}`);
  ledger.answered.push({ ask, answer });
  return answer;
}
