import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Issued } from "./setup.ts";

interface Statement {
  text: string;
  parameters: unknown[];
}

/** Runs only the statements of the engine's decisions for single purchases, as the baseline. */
export interface RawDecisions {
  decide(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Replays the statements that the engine has sent for one purchase, with the same driver, for other purchases. They
 * wait for a locked card, as the engine does after it has skipped one.
 */
export async function rawDecisions(issued: Issued, cardIds: string[]): Promise<RawDecisions> {
  const { purser, referenceOf } = issued;
  const cardId = issued.cardIds[0]!;
  const { statements, written } = await statementsOf(issued, cardId);
  const { databaseUrl, databasePoolSize: max } = purser.platform.settings;
  // The recorded parameters are already serialized, JSON included.
  const json = { to: 114, from: [114], serialize: String, parse: (text: string) => text };
  const sql = postgres(databaseUrl!, { max, connection: { TimeZone: "UTC" }, types: { json } });
  let count = 0;
  return {
    async decide() {
      count += 1;
      const otherCardId = cardIds[count % cardIds.length]!;
      const suffix = `${Date.now().toString(32)}${String(count).padStart(10, "0")}`;
      const others: [string, string][] = [
        [written.networkId, randomUUID()],
        [written.transactionId, `ctx_${suffix}`],
        [written.eventId, `cev_${suffix}`],
        [written.feedId, `evt_${suffix}`],
        [referenceOf(cardId), referenceOf(otherCardId)],
        [cardId, otherCardId],
      ];
      const rename = (text: string) => others.reduce((made, [from, to]) => made.replaceAll(from, to), text);
      for (const { text, parameters } of statements) {
        const renamed = parameters.map((one) => (typeof one === "string" ? rename(one) : one));
        const rows = await sql.unsafe(text.replace("SKIP LOCKED", ""), renamed as never[], { prepare: true });
        if (rows.length !== 1) throw new Error("The statement had no effect");
      }
    },
    close: () => sql.end(),
  };
}

/**
 * Makes the engine decide one purchase. Returns its statements, and the ids that it generates for the rows it writes.
 */
async function statementsOf({ purser, owner }: Issued, cardId: string) {
  const sent: Statement[] = [];
  const { options } = purser.platform.decisionDb.$client;
  options.debug = (_connection, text, parameters) => void sent.push({ text, parameters });
  const networkId = randomUUID();
  const purchase = { cardId, amount: 1250, merchant: { name: "Corner Coffee" }, channel: "online" } as const;
  const { id: transactionId } = await purser.as(owner).sandbox.cards.authorize({ ...purchase, networkId });
  options.debug = false;
  const statements = sent.filter(({ text }) => text.includes('"card_counters"'));
  if (statements.length !== 2) throw new Error(`A decision takes ${statements.length} statements, not two`);
  const stored = statements[1]!.parameters.join("\n");
  const [eventId, feedId] = ["cev", "evt"].map((prefix) => new RegExp(`\\b${prefix}_\\w+`).exec(stored)![0]);
  return { statements, written: { networkId, transactionId, eventId: eventId!, feedId: feedId! } };
}
