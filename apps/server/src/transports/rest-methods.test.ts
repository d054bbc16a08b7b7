import { restRoutes, routerOf } from "@purser/router";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"];

it("a REST address refuses every other method, and allows exactly those that it has", async () => {
  const routes = restRoutes(routerOf(service.purser.platform.settings));
  const own = Map.groupBy(routes, ({ path }) => path.replaceAll(/:\w+/g, "id"));
  const allowed = [...own].map(([path, theirs]) => {
    const names = theirs.map(({ method }) => method as string);
    return [path, names.includes("GET") ? [...names, "HEAD"] : names] as const;
  });
  const wrong: string[] = [];
  for (const [path, names] of allowed) {
    for (const method of methods.filter((other) => !names.includes(other))) {
      const response = await service.app.request(path, { method });
      const told = response.headers.get("allow")?.split(", ").toSorted().join(", ");
      if (response.status !== 405 || told !== names.toSorted().join(", "))
        wrong.push(`${method} ${path}: ${response.status} ${told}, not ${names.join(", ")}`);
    }
  }
  expect(wrong).toEqual([]);
});
