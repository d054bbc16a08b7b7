import { cardReveals, cards, idempotencyKeys } from "@purser/db";
import { platformJobs } from "@purser/platform/jobs";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  handlerOf,
  outcomeOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CardStatus } from "../ports.ts";
import { sandboxIssuer } from "../sandbox/issuer.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { type FlakyIssuer, flakyIssuer } from "../testing/flaky-issuer.ts";
import { checkReveal, findCardComponent, openReveal } from "./service.ts";

const minute = 60_000;
let issuer: FlakyIssuer;
let purser: TestPurser;
let holder: Person;
let colleague: Person;
let fixture: CardFixture;
let card: TestCard;

beforeAll(async () => {
  issuer = flakyIssuer();
  purser = await createTestPurser({ issuers: issuer.issuers });
  [holder, colleague] = [await purser.person(), await purser.person()];
  fixture = await createCardFixture(purser, { members: [holder, colleague] });
});
afterAll(() => purser.close());
beforeEach(async () => {
  Object.assign(issuer, { failure: "none", displaysCards: true });
  card = await fixture.card({}, holder.userId);
});

const theCard = () => ({ organizationId: card.organizationId, cardId: card.id });
const reveal = (person = holder, request = {}) => purser.as(person, request).cards.reveal(theCard());
const setStatus = (status: CardStatus) =>
  purser.as(fixture.owner).cards.updateStatus({ ...theCard(), status });
const tokenOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);
const newToken = async () => tokenOf(await reveal());
const check = async (token: string) => (await checkReveal(purser.platform, token)).outcome;
const open = async (token: string) => (await openReveal(purser.platform, token, null)).outcome;
const rows = () => purser.db.select().from(cardReveals).where(eq(cardReveals.cardId, card.id));
const trail = async () => {
  const { organizationId: id } = card;
  const entries = await purser.as(fixture.owner).organizations.audit.list({ id });
  return entries.filter(({ subject, action }) => subject === card.id && action.startsWith("cards.reveal"));
};

describe("cards.reveal", () => {
  it("returns a link that lives 60 seconds, and stores a hash of its secret only", async () => {
    const now = purser.clock.now();
    const { url, expiresAt } = await reveal();
    expect(expiresAt).toEqual(new Date(now.getTime() + minute));
    const { baseUrl } = purser.platform.settings;
    const [page, token] = url.split("#");
    // The address is the same for every card. The rest stays in the browser.
    expect(page).toBe(`${baseUrl}/cards/reveal/sandbox`);
    expect(token).toMatch(new RegExp(`^${card.organizationId}\\.[\\w-]{43}$`));
    const [row] = await rows();
    expect(row).toMatchObject({ userId: holder.userId, createdAt: now, expiresAt, openedAt: null });
    expect(JSON.stringify(row)).not.toContain(token!.split(".")[1]);
  });

  it("is for the holder alone: 403 for another owner, 404 for another member, whatever the status", async () => {
    for (const status of ["ACTIVE", "CLOSED"] as const) {
      await setStatus(status);
      // The owner is not to ask an owner.
      const refused = await reveal(fixture.owner).catch(problemOf);
      expect(refused).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringMatching(/^Only the holder/),
      });
      expect(await refusalOf(reveal(colleague))).toBe("CARD_NOT_FOUND");
    }
    card = await fixture.card();
    expect(await reveal(fixture.owner)).toMatchObject({ url: expect.any(String) });
    expect(await refusalOf(reveal(holder))).toBe("CARD_NOT_FOUND");
  });

  it("shows only an ACTIVE or PAUSED card", async () => {
    await setStatus("PAUSED");
    expect(await open(await newToken())).toBe("shown");
    await setStatus("FROZEN");
    expect(await refusalOf(reveal())).toBe("CARD_FROZEN");
    await setStatus("CLOSED");
    expect(await refusalOf(reveal())).toBe("CARD_CLOSED");
    expect(await rows()).toHaveLength(1);
  });

  it("refuses the card of an issuer that is not set up to show numbers", async () => {
    const canReveal = async () => {
      const { organizationId } = theCard();
      const listed = await purser.as(holder).cards.list({ organizationId });
      return listed.find(({ id }) => id === card.id)!.canReveal;
    };
    expect(await canReveal()).toBe(true);
    issuer.displaysCards = false;
    expect(await canReveal()).toBe(false);
    expect(await refusalOf(reveal())).toBe("NOT_SUPPORTED_BY_PROVIDER");
    expect(await findCardComponent(purser.platform, "sandbox")).toBeNull();
    expect(await trail()).toEqual([]);
  });

  it("refuses an idempotent repeat, because the link is not stored", async () => {
    const request = { idempotencyKey: "once" };
    const { url } = await reveal(holder, request);
    const repeat = await reveal(holder, request).catch((error: unknown) => problemOf(error));
    expect(repeat).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", status: 409 });
    const calls = Array.from({ length: 5 }, () => reveal(holder, { idempotencyKey: "race" }));
    const outcomes = await Promise.all(calls.map(outcomeOf));
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 4 }, () => "IDEMPOTENCY_KEY_REUSED"), "ok"]);
    expect(await rows()).toHaveLength(2);
    const stored = await purser.db.select().from(idempotencyKeys);
    expect(JSON.stringify(stored)).not.toContain(tokenOf({ url }));
  });

  it("writes the request and the opening to the audit trail, without the link", async () => {
    const requestedAt = purser.clock.now();
    const link = await reveal();
    purser.clock.advance(1000);
    expect(await open(tokenOf(link))).toBe("shown");
    expect(await trail()).toEqual([
      expect.objectContaining({
        action: "cards.reveal.opened",
        // The page has no session, so nobody is claimed to have opened it.
        actor: null,
        at: purser.clock.now(),
        details: { requestedBy: holder.userId, requestedAt: requestedAt.toISOString() },
      }),
      expect.objectContaining({
        action: "cards.reveal",
        actor: expect.objectContaining({ id: holder.userId }),
        at: requestedAt,
        details: { expiresAt: link.expiresAt.toISOString() },
      }),
    ]);
    expect(JSON.stringify(await trail())).not.toContain(tokenOf(link));
  });
});

describe("a link to a card's number", () => {
  it("opens once, under any race, and reports afterwards that it was opened", async () => {
    const token = await newToken();
    expect(await checkReveal(purser.platform, token)).toEqual({
      outcome: "ready",
      lastFour: "1234",
      reference: card.reference,
    });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => open(token)));
    expect(outcomes.toSorted()).toEqual([...Array<string>(9).fill("opened"), "shown"]);
    expect(await check(token)).toBe("opened");
    expect(await trail()).toHaveLength(2);
  });

  it("hands on the grant of the issuer, and the expiry", async () => {
    expect(await openReveal(purser.platform, await newToken(), null)).toEqual({
      outcome: "shown",
      grant: { kind: "lithic-embeds", session: `${card.reference} for http://localhost:3000, null` },
      expiryMonth: 12,
      expiryYear: 2030,
    });
  });

  it("ends after 60 seconds", async () => {
    const token = await newToken();
    purser.clock.advance(minute - 1);
    expect(await check(token)).toBe("ready");
    purser.clock.advance(1);
    expect([await check(token), await open(token)]).toEqual(["ended", "ended"]);
  });

  it("does not exist with another secret, in another organization, or in another form", async () => {
    const token = await newToken();
    const [, secret] = token.split(".");
    const other = await createCardFixture(purser);
    const wrong = [
      `${card.organizationId}.${secret!.replace(/.$/, (last) => (last === "A" ? "B" : "A"))}`,
      `${other.organizationId}.${secret}`,
      `${purser.unknownId("org")}.${secret}`,
      secret!,
      `${token}.`,
      "",
      "org_.x",
    ];
    for (const one of wrong)
      expect([one, await check(one), await open(one)]).toEqual([one, "ended", "ended"]);
    expect(await open(token)).toBe("shown");
  });

  it("ends when the card is frozen or closed, gets another holder, or the holder leaves", async () => {
    const frozen = await newToken();
    await setStatus("FROZEN");
    expect(await open(frozen)).toBe("ended");
    await setStatus("ACTIVE");
    const closed = await newToken();
    await setStatus("CLOSED");
    expect(await open(closed)).toBe("ended");

    card = await fixture.card({}, holder.userId);
    const reassigned = await newToken();
    await purser.as(fixture.owner).cards.update({ ...theCard(), assignedToId: colleague.userId });
    expect([await check(reassigned), await open(reassigned)]).toEqual(["ended", "ended"]);

    const leaver = await purser.person();
    fixture = await createCardFixture(purser, { members: [holder, colleague, leaver] });
    card = await fixture.card({}, leaver.userId);
    const left = tokenOf(await reveal(leaver));
    const { organizationId } = fixture;
    const { members } = purser.as(leaver).organizations;
    const own = (await members.list({ organizationId })).find(({ user }) => user?.id === leaver.userId)!;
    await members.remove({ membershipId: own.id });
    // Whatever the status of the card.
    await purser.db.update(cards).set({ status: "ACTIVE" }).where(eq(cards.id, card.id));
    expect(await open(left)).toBe("ended");
    expect((await trail()).map(({ action }) => action)).toEqual(["cards.reveal"]);
  });

  it("is used up even if the issuer fails", async () => {
    const token = await newToken();
    issuer.failure = "outage";
    expect(await refusalOf(openReveal(purser.platform, token, null))).toBe("PROVIDER_ERROR");
    issuer.failure = "none";
    expect(await open(token)).toBe("opened");
  });

  it("is not used up by a nonce that its issuer's component does not make", async () => {
    const token = await newToken();
    expect(await refusalOf(openReveal(purser.platform, token, "nonce"))).toBe("VALIDATION_FAILED");
    expect(await open(token)).toBe("shown");
  });

  it("is deleted a day after it ended", async () => {
    await newToken();
    const purge = () =>
      handlerOf(purser.handlers, platformJobs.purge)(null, { id: "", attempt: 1, last: true });
    purser.clock.advance(24 * 60 * minute);
    await purge();
    expect(await rows()).toHaveLength(1);
    purser.clock.advance(minute + 1);
    await purge();
    expect(await rows()).toEqual([]);
  });
});

describe("the test number of the sandbox", () => {
  it("has a valid check digit, ends in the card's last four, and stays the same", async () => {
    const { display } = sandboxIssuer(purser.platform);
    const page = { origin: "http://localhost:3000", nonce: null };
    for (let index = 0; index < 50; index += 1) {
      const shown = { reference: `sbx_${index}`, lastFour: String(index * 199).padStart(4, "0") };
      const grant = await display!.grant(shown, page);
      expect(await display!.grant(shown, page)).toEqual(grant);
      const { number, cvc } = grant as { number: string; cvc: string };
      expect(number).toMatch(new RegExp(`^424242\\d{6}${shown.lastFour}$`));
      expect(cvc).toMatch(/^\d{3}$/);
      const digits = number.split("").map(Number);
      const sum = digits.reduce((total, digit, place) => {
        const value = place % 2 === 0 ? digit * 2 : digit;
        return total + (value > 9 ? value - 9 : value);
      }, 0);
      expect(sum % 10).toBe(0);
    }
  });
});
