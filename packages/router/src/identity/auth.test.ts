import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { day } from "../testing/index.ts";
import { type TestAuth, createTestAuth, password, tokenIn } from "./test-client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });

describe("auth.signUp", () => {
  it("gives a bearer token that tells who calls", async () => {
    const { bearer: token, userId } = await test.signUp("Ann@Example.com");
    expect(await test.auth.resolveCaller(bearer(token))).toEqual({
      userId,
      name: "Sam",
      email: "ann@example.com",
      emailVerified: false,
      isAdministrator: false,
      credential: "bearer",
    });
    expect(userId).toMatch(/^user_[0-9a-z]{26}$/);
  });

  it("gives a cookie, too", async () => {
    const { client, userId } = await test.signUp("bea@example.com");
    const caller = await test.auth.resolveCaller(new Headers({ cookie: client.cookie() }));
    expect(caller).toMatchObject({ userId, credential: "cookie" });
    const session = await client.get("/get-session");
    expect(session.body["user"]).toMatchObject({ id: userId });
  });
});
