// The import rules of the house. A rule's name says what is wrong, its comment what to do instead.

/** Folders of packages/router/src that are no area: what every area stands on, and the test harness. */
const foundation = "identity|platform|testing";
const router = "^packages/router/src";
const area = `${router}/(?!(?:${foundation}|service)/)([^/]+)/`;
const tests = "\\.test(-d)?\\.ts$";
/** What tests share, in any package; the one of the router is exported for consumers. */
const harness = "/(testing|test)/";
/** Who may speak SQL: stores, what every area stands on, and the choke point of access. */
const stores = [
  `${router}/.+/store(\\.ts$|/)`,
  `${router}/(${foundation})/`,
  `${router}/organizations/membership\\.ts$`,
];
const vendors =
  "node_modules/(plaid|stripe|lithic|openapi-fetch|@paddle/paddle-node-sdk|@polar-sh/sdk|@lemonsqueezy/lemonsqueezy\\.js)/";

/** Folders of adapters: one per vendor, and those of the built-in sandboxes. */
const adapters = "/(providers|issuers)/";

const npm = (name) => `node_modules/${name}/`;
/** A type is gone at run time: it may come from where values may not. */
const atRunTime = { dependencyTypesNot: ["type-only"] };

const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: typeof from === "string" ? { path: from } : from,
  to: typeof to === "string" ? { path: to } : to,
});

const packages = [
  rule(
    "core-stands-alone",
    "core is pure: nothing of ours, no library but zod, of Node only its randomness.",
    { path: "^packages/core/", pathNot: tests },
    { pathNot: ["^packages/core/", npm("zod"), "^crypto$"] },
  ),
  rule(
    "db-knows-core-only",
    "db imports core and nothing else of ours. Its tests may use the harness.",
    { path: "^packages/db/", pathNot: tests },
    {
      path: "^(packages|apps)/",
      pathNot: "^packages/(core|db)/",
    },
  ),
  rule(
    "router-knows-core-and-db-only",
    "The router imports core and db, no application.",
    "^packages/router/",
    {
      path: "^(packages|apps)/",
      pathNot: "^packages/(core|db|router)/",
    },
  ),
  rule(
    "client-stands-alone",
    "What is published runs anywhere: of ours it has the wire format, and tRPC's client is bundled in.",
    { path: "^packages/client/src/", pathNot: tests },
    { pathNot: ["^packages/client/src/", "^packages/core/src/wire\\.ts$", npm("@trpc/(client|server)")] },
  ),
  rule(
    "nothing-imports-an-application",
    "An application is composed of packages and is no part of one. Only the benchmark measures it from inside.",
    {
      path: "^(packages|\\.config)/",
    },
    "^apps/",
  ),
  rule(
    "applications-do-not-import-each-other",
    "What two applications share belongs into a package.",
    "^apps/([^/]+)/",
    {
      path: "^apps/",
      pathNot: "^apps/$1/",
    },
  ),
  rule(
    "by-name-not-by-path",
    "Another package is imported by its name (@purser/…), so that only what it exports is reached.",
    { path: "^(packages|apps)/([^/]+)/", pathNot: harness },
    { path: "^(packages|apps)/", pathNot: "^$1/$2/", dependencyTypes: ["local"] },
  ),
  rule(
    "http-belongs-to-the-server",
    "Packages know procedures and web standards, no HTTP framework.",
    {
      path: "^packages/(core|db|router|client)/src/",
      pathNot: tests,
    },
    npm("(hono|@hono/[^/]+)"),
  ),
];

const slices = [
  rule(
    "contract-is-only-schemas",
    "A contract is made of zod, of core's fields and of other contracts: client and documentation are made from it.",
    `${router}/.+/contract\\.ts$`,
    { pathNot: [npm("zod"), "^packages/core/src/index\\.ts$", "/contract\\.ts$"] },
  ),
  rule(
    "rules-are-pure",
    "Rules decide from what they are given: no I/O, no clock, no database. Types may come from anywhere.",
    { path: `${router}/.+/rules(\\.ts$|/)`, pathNot: tests },
    {
      pathNot: [npm("zod"), "^packages/core/src/index\\.ts$", "/contract\\.ts$", "/rules(\\.ts$|/)"],
      ...atRunTime,
    },
  ),
  rule(
    "sql-belongs-to-stores",
    "Only store.ts, what every area stands on, and the harness speak SQL.",
    { path: `${router}/`, pathNot: [...stores, tests] },
    { path: npm("(drizzle-orm|postgres)") },
  ),
  rule(
    "tables-belong-to-stores",
    "Only a store imports values of @purser/db; elsewhere its types will do. open.ts opens the pools.",
    { path: `${router}/`, pathNot: [...stores, tests, `${router}/open\\.ts$`] },
    { path: "^packages/db/", ...atRunTime },
  ),
  rule(
    "store-is-below-services",
    "A store reads and writes; it neither decides nor calls upwards.",
    `${router}/.+/store(\\.ts$|/)`,
    { path: `${router}/.+/(router|service|mail|ports|rules)(\\.ts$|/)`, ...atRunTime },
  ),
  rule(
    "areas-are-below-the-router",
    "Areas and platform know nothing of procedures, types included: a context type is in platform/context.ts or in the area's context.ts.",
    {
      path: `${router}/(?!service/)[^/]+/`,
      pathNot: [`${router}/.+/(router|resource)\\.ts$`, harness, tests],
    },
    {
      path: [
        `${router}/(trpc|context|meta|problems|resource|rest|rest-input|openapi|open)\\.ts$`,
        `${router}/.*router\\.ts$`,
      ],
    },
  ),
  rule(
    "router-only-routes",
    "A router names who may, the contracts and one use case. The organization of what the input names comes from a resource, by a look-up that the area exports.",
    `${router}/.+/router\\.ts$`,
    {
      path: `${router}/`,
      pathNot: [
        `${router}/trpc\\.ts$`,
        `${router}/.*resource\\.ts$`,
        `${router}/[^/]+/index\\.ts$`,
        "/contract\\.ts$",
        "/service(\\.ts$|/)",
      ],
    },
  ),
  rule(
    "area-through-its-index",
    "Another area is reached only through its index.ts and its context.ts; contracts may build on contracts.",
    { path: area, pathNot: tests },
    {
      path: area,
      pathNot: [`${router}/$1/`, `${router}/[^/]+/(index|context)\\.ts$`, "/contract\\.ts$", adapters],
    },
  ),
  rule(
    "area-from-outside-through-its-index",
    "Beside the tree of procedures and the demo data only trpc.ts looks into an area, for the membership that it checks.",
    {
      path: [`${router}/[^/]+\\.ts$`, `${router}/(identity|platform|service)/`],
      pathNot: [`${router}/(router|demo|demo-cards)\\.ts$`, tests],
    },
    {
      path: area,
      pathNot: [`${router}/[^/]+/index\\.ts$`, `${router}/organizations/(membership|hooks)\\.ts$`, adapters],
    },
  ),
  rule(
    "platform-is-below-areas",
    "What every area stands on knows none of them.",
    {
      path: `${router}/platform/`,
      pathNot: tests,
    },
    { path: [area, `${router}/(identity/|router\\.ts$)`], ...atRunTime },
  ),
];

const libraries = [
  rule(
    "vendor-belongs-to-its-adapter",
    "A vendor's SDK is imported by its adapter in providers/ or issuers/ and by nobody else. What two areas' adapters share is in platform/providers/.",
    { pathNot: [adapters, tests] },
    vendors,
  ),
  rule(
    "adapters-are-registered-by-the-service",
    "No area imports an adapter or its sandbox: service/ loads them. The sandbox's own controls belong to it.",
    { path: `${router}/`, pathNot: [adapters, `${router}/(service|sandbox)/`, harness, tests] },
    { path: adapters },
  ),
  rule(
    "adapters-are-loaded-lazily",
    "An adapter is loaded when it is configured: with import() alone. Its settings.ts loads no SDK.",
    {
      path: `${router}/`,
      pathNot: [adapters, harness, tests],
    },
    { path: adapters, pathNot: "/settings\\.ts$", dynamic: false, ...atRunTime },
  ),
  rule(
    "adapter-settings-stay-light",
    "Every start reads the settings of all adapters: they import no other part of an adapter, and no SDK.",
    `${adapters}.+/settings\\.ts$`,
    { pathNot: [`${router}/platform/settings/`, "^packages/core/src/"], ...atRunTime },
  ),
  rule(
    "better-auth-belongs-to-identity",
    "Who is calling is asked in identity/.",
    {
      pathNot: [`${router}/identity/`, tests],
    },
    npm("(better-auth|@better-auth/[^/]+)"),
  ),
  rule(
    "pg-boss-belongs-to-platform",
    "Jobs are queued through platform/.",
    {
      pathNot: [`${router}/platform/`, tests],
    },
    npm("pg-boss"),
  ),
  rule(
    "nodemailer-belongs-to-mail",
    "Mail is sent through the outbox.",
    {
      pathNot: [`${router}/platform/mail/`, tests],
    },
    npm("nodemailer"),
  ),
  rule(
    "declared-dependencies-only",
    "Name it in the package.json of the package that imports it.",
    "^(packages|apps)/",
    // The test runner is the whole workspace's, declared at its root.
    { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"], pathNot: npm("vitest") },
  ),
  rule("unresolvable", "There is no such module.", {}, { couldNotResolve: true }),
  rule(
    "sources-without-development-dependencies",
    "What runs in production is a dependency, not a devDependency.",
    { path: "^(packages/(core|db|router)|apps/[^/]+)/src/", pathNot: [tests, harness] },
    { dependencyTypes: ["npm-dev"], ...atRunTime },
  ),
];

const order = [
  rule(
    "no-tests-in-sources",
    "Sources import neither tests nor the test harness.",
    {
      path: "^(packages|apps)/[^/]+/src/",
      // A vendor's stand-in is a part of the tests, beside the adapter that it is made for.
      pathNot: [tests, harness, "/fake/"],
    },
    [tests, harness, npm("(vitest|fast-check)")].join("|"),
  ),
  rule(
    "no-cycles",
    "Modules that need each other are one module, or need a third.",
    {},
    {
      circular: true,
      viaOnly: atRunTime,
    },
  ),
];

module.exports = {
  forbidden: [...packages, ...slices, ...libraries, ...order],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(packages|apps)/[^/]+/dist/" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
    skipAnalysisNotInRules: true,
  },
};
