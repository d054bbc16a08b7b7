import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Issued } from "./setup.ts";

interface Statement {
  text: string;
  parameters: unknown[];
}

/** Decisions as the engine makes them of purchases that come one by one, but for all that is around their statements. */
export interface RawDecisions {
  decide(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Sends the statements that the engine has sent for one purchase again, by the same driver, for others. Where the card
 * is locked they wait for it, as the engine does when it has passed a card over.
 */
export async function rawDecisions(issued: Issued, cardIds: string[]): Promise<RawDecisions> {
  const { purser, referenceOf } = issued;
  const cardId = issued.cardIds[0]!;
  const { statements, written } = await statementsOf(issued, cardId);
  const { databaseUrl, databasePoolSize: max } = purser.platform.settings;
  // The parameters are as they were sent, so JSON is text already.
  const json = { to: 114, from: [114], serialize: String, parse: (text: string) => text };
  const sql = postgres(databaseUrl!, { max, connection: { TimeZone: "UTC" }, types: { json } });
  let count = 0;
  return {
    async decide() {
      count += 1;
      const otherCardId = cardIds[count % cardIds.length]!;
      const place = `${Date.now().toString(32)}${String(count).padStart(10, "0")}`;
      const others: [string, string][] = [
        [written.networkId, randomUUID()],
        [written.transactionId, `ctx_${place}`],
        [written.eventId, `cev_${place}`],
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

/** Has the engine decide on a purchase, and gives what it sends, and the names that it gives to what it writes. */
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
  const [, eventId] = /"id":"(cev_\w+)"/.exec(statements[1]!.parameters.join("\n")) ?? [];
  return { statements, written: { networkId, transactionId, eventId: eventId! } };
}
