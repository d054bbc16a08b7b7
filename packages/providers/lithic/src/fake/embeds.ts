import type { ServerResponse } from "node:http";
import type { Clock } from "@purser/core";
import type { Lithic } from "lithic";
import { type LithicReply, refused } from "./replies.ts";
import type { LithicEmbedSessionRequest } from "./vendor-contract.ts";

/** The sessions in which browsers load the frames of a card. */
export interface EmbedSessions {
  sessions: Map<string, { card: Lithic.Card; expiration: number; targetOrigin: string; shown: Set<string> }>;
  clock: Clock;
}

/** `POST /v1/cards/{card_token}/embed`. Lithic takes https origins; this fake also takes a test's on localhost. */
export function createEmbedSession(
  { sessions, clock }: EmbedSessions,
  card: Lithic.Card,
  { type, target_origin: targetOrigin, expiration }: LithicEmbedSessionRequest,
): LithicReply {
  const now = clock.now().getTime() / 1000;
  const isInTime = expiration > now && expiration <= now + 600;
  const isOrigin = URL.canParse(targetOrigin) && new URL(targetOrigin).origin === targetOrigin;
  const isSecure =
    isOrigin && (targetOrigin.startsWith("https:") || targetOrigin.startsWith("http://localhost"));
  if (type !== "CARD_EMBED" || !isInTime || !isSecure) return refused(400, "The embed session is not valid");
  const session = `session-${sessions.size + 1}-${card.token}`;
  sessions.set(session, { card, expiration, targetOrigin, shown: new Set() });
  return { status: 200, body: { session } };
}

const details: Readonly<Record<string, (card: Lithic.Card) => string | undefined>> = {
  PAN: ({ pan }) => pan,
  CVV: ({ cvv }) => cvv,
  EXP_MONTH: ({ exp_month: month }) => month,
  EXP_YEAR: ({ exp_year: year }) => year,
};

/** `GET /v1/embed`, which a browser requests without an API key. Each detail is shown once in a session. */
export function respondEmbed(sessions: EmbedSessions, url: string, response: ServerResponse): void {
  const page = showEmbed(sessions, new URL(url, "http://fake").searchParams);
  response.writeHead(page === null ? 401 : 200, { "content-type": "text/html" }).end(page);
}

function showEmbed({ sessions, clock }: EmbedSessions, query: URLSearchParams): string | null {
  const session = sessions.get(query.get("session") ?? "");
  const type = query.get("type") ?? "";
  const isOver = session === undefined || session.expiration * 1000 <= clock.now().getTime();
  if (isOver || session.shown.has(type)) return null;
  session.shown.add(type);
  const styles = Buffer.from(query.get("styles") ?? "", "base64").toString() || "{}";
  const declarations = Object.entries(JSON.parse(styles) as Record<string, string>);
  const css = declarations.map(([name, value]) => `${name}: ${value}`).join("; ");
  return `<!doctype html><html lang="en"><title>${type}</title>
    <body style="margin: 0; ${css}">${details[type]?.(session.card)}</html>`;
}
