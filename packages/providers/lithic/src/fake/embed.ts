import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@purser/core";
import type { Lithic } from "lithic";
import { refused } from "./replies.ts";
import { type LithicEmbedRequest, lithicContract } from "./vendor-contract.ts";

interface EmbedParts {
  request: IncomingMessage;
  cards: ReadonlyMap<string, Lithic.Card>;
  apiKey: string;
  clock: Clock;
}

/** Serves the page with a card's number, if the address is signed with the API key and has not expired. */
export function respondEmbed(parts: EmbedParts, response: ServerResponse): void {
  const { searchParams } = new URL(parts.request.url ?? "", "http://fake");
  const query = Object.fromEntries(searchParams) as { embed_request: string; hmac: string };
  const card = cardOf(parts, query);
  if (card === undefined) {
    const { status, body } = refused(403, "The embed request is not valid");
    return void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  const { pan, cvv, exp_month: month, exp_year: year } = card;
  const page = `<!doctype html><html lang="en"><title>Card</title>
    <p id="pan">${pan}</p><p id="expiry">${month}/${year}</p><p id="cvv">${cvv}</p></html>`;
  lithicContract.exchange({ call: "GET /v1/embed/card", query, status: 200, response: page });
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
}

function cardOf(
  { cards, apiKey, clock }: EmbedParts,
  { embed_request: encoded, hmac }: { embed_request: string; hmac: string },
): Lithic.Card | undefined {
  const json = Buffer.from(encoded, "base64").toString();
  if (createHmac("sha256", apiKey).update(json).digest("base64") !== hmac) return undefined;
  const { token, expiration } = JSON.parse(json) as LithicEmbedRequest;
  return new Date(expiration) > clock.now() ? cards.get(token) : undefined;
}
