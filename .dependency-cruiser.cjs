// The import rules. A rule's name says what is wrong, its comment what to do instead.
// Which library a package may know is decided by its package.json: see .config/manifests.test.ts.

const npm = (name) => `node_modules/${name}/`;
/** What other packages may import of a vendor. It is loaded with every service, also where the vendor is not configured. */
const providers = "/(provider|checkout-page)\\.ts$";
const eagerPartsOfVendors = "/(provider|settings|checkout-page)\\.ts$";
/** A type is gone at run time: it may come from where values may not. */
const atRunTime = { dependencyTypesNot: ["type-only"] };

/** What tests share: scenes, fakes, and stand-ins for vendors. */
const harness = "/(testing|test|fake)/";
const tests = `\\.test(-d)?\\.ts$|${harness}|^packages/testing/`;

/**
 * The packages that each package may import, types included, from the bottom up. Tests may also import the harness,
 * which is above everything.
 */
const foundation = ["core", "db", "platform"];
const areas = ["identity", "organizations", "banking", "cards", "billing", "events"];
const house = {
  core: [],
  db: ["core"],
  platform: ["core", "db"],
  identity: foundation,
  organizations: [...foundation, "identity"],
  banking: [...foundation, "organizations"],
  cards: [...foundation, "identity", "organizations", "banking"],
  billing: [...foundation, "organizations"],
  events: [...foundation, "organizations", "banking", "cards", "billing"],
  router: [...foundation, ...areas],
  service: [...foundation, ...areas, "providers/[^/]+", "router"],
  client: ["core"],
  "vendor-contract": [],
};

const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: typeof from === "string" ? { path: from } : from,
  to: typeof to === "string" ? { path: to } : to,
});

const packages = [
  ...Object.entries(house).map(([name, below]) =>
    rule(
      `${name}-points-down`,
      "A package imports packages below it and no other package of this repository, types included.",
      { path: `^packages/${name}/src/`, pathNot: tests },
      { path: "^(packages|apps|bench)/", pathNot: [name, ...below].map((other) => `^packages/${other}/`) },
    ),
  ),
  rule(
    "vendors-point-down",
    "A vendor's package imports the ports of the areas that it serves, the platform and core.",
    { path: "^packages/providers/([^/]+)/src/", pathNot: tests },
    {
      path: "^(packages|apps|bench)/",
      pathNot: ["^packages/(core|platform|banking|cards|billing)/", "^packages/providers/$1/"],
    },
  ),
  rule(
    "core-stands-alone",
    "core is pure: no library but zod, of Node only its randomness.",
    { path: "^packages/core/src/", pathNot: tests },
    { pathNot: ["^packages/core/", npm("zod"), "^crypto$"] },
  ),
  rule(
    "client-stands-alone",
    "What is published runs anywhere: of ours it has the wire format, and of tRPC types alone.",
    { path: "^packages/client/src/", pathNot: tests },
    { pathNot: ["^packages/client/src/", "^packages/core/src/wire\\.ts$", npm("@trpc/server")] },
  ),
  rule(
    "nothing-imports-an-application",
    "An application is composed of packages and is no part of one. Only the benchmark measures it from inside.",
    "^(packages|\\.config)/",
    "^apps/",
  ),
  rule(
    "console-knows-the-client-alone",
    "The console is the proof that the published client serves a front end. What it lacks belongs there.",
    { path: "^apps/console/", pathNot: tests },
    { path: "^(packages/|@purser/)", pathNot: "^(packages|@purser)/client" },
  ),
  rule(
    "applications-do-not-import-each-other",
    "What two applications share belongs in a package.",
    "^apps/([^/]+)/",
    { path: "^apps/", pathNot: "^apps/$1/" },
  ),
  rule(
    "by-name-not-by-path",
    "Import another package by its name (@purser/…), so that only what it exports is reachable.",
    { path: "^(packages/providers/[^/]+|(?:packages|apps)/[^/]+)/", pathNot: harness },
    { path: "^(packages|apps)/", pathNot: "^$1/", dependencyTypes: ["local"] },
  ),
  rule(
    "vendors-are-loaded-lazily",
    "Of a vendor's package import its provider, which loads the adapter and its SDK on first use.",
    { path: "^(packages/(service|router)|apps/[^/]+)/src/", pathNot: tests },
    { path: "^packages/providers/", pathNot: providers },
  ),
  rule(
    "providers-stay-light",
    "A provider and its settings are loaded with every service, so they load adapter and SDK with import() alone.",
    { path: `^packages/providers/.+${eagerPartsOfVendors}` },
    {
      path: ["node_modules/", "^packages/providers/"],
      pathNot: [npm("zod"), eagerPartsOfVendors],
      dynamic: false,
      ...atRunTime,
    },
  ),
  rule(
    "sandbox-is-loaded-lazily",
    "Outside its folder an area does not import its sandbox: the service loads it where it is on.",
    { path: "^packages/(banking|cards|billing)/src/", pathNot: ["/sandbox/", tests] },
    { path: "^packages/(banking|cards|billing)/src/sandbox/" },
  ),
];

/** The adapter is better-auth's store. */
const outsideStores = {
  path: "^packages/(identity|organizations|banking|cards|billing|events|router)/src/",
  pathNot: ["/(store(\\.ts$|/)|better-auth-adapter\\.ts$)", tests],
};

const slices = [
  rule(
    "contract-is-only-schemas",
    "A contract is made of zod, core's fields and other contracts: client and documentation are generated from it.",
    "^packages/.+/contract\\.ts$",
    { pathNot: [npm("zod"), "^packages/core/src/index\\.ts$", "/contract\\.ts$"] },
  ),
  rule(
    "rules-are-pure",
    "Rules decide from their arguments: no I/O, no clock, no database. Types may come from anywhere.",
    { path: "^packages/.+/rules(\\.ts$|/)", pathNot: tests },
    {
      pathNot: [npm("zod"), "^packages/core/src/index\\.ts$", "/contract\\.ts$", "/rules(\\.ts$|/)"],
      ...atRunTime,
    },
  ),
  rule(
    "sql-belongs-to-stores",
    "In an area only store.ts speaks SQL.",
    outsideStores,
    npm("(drizzle-orm|postgres)"),
  ),
  rule(
    "tables-belong-to-stores",
    "In an area only store.ts imports values of @purser/db. Elsewhere import its types.",
    outsideStores,
    { path: "^packages/db/", ...atRunTime },
  ),
  rule(
    "store-is-below-services",
    "A store reads and writes; it neither decides nor calls upward.",
    "^packages/.+/store(\\.ts$|/)",
    { path: "/(service|mail|ports|rules)(\\.ts$|/)", ...atRunTime },
  ),
  rule(
    "router-only-routes",
    "A procedure names who may call it, its contracts and one use case. Everything else belongs to the area.",
    { path: "^packages/router/src/([^/]+)/", pathNot: ["^packages/router/src/openapi/", tests] },
    {
      pathNot: [
        npm("zod"),
        "^packages/(core|organizations|banking|cards|billing|events)/",
        "^packages/router/src/(trpc|resource|stream)\\.ts$",
        "^packages/router/src/$1/",
      ],
    },
  ),
  rule(
    "pg-boss-belongs-to-the-queue",
    "Enqueue through the outbox and define jobs with defineJob.",
    { path: "^packages/platform/src/", pathNot: ["/(jobs|outbox)/", tests] },
    npm("pg-boss"),
  ),
  rule(
    "nodemailer-belongs-to-mail",
    "Enqueue mail in the outbox: a job hands it to the MailPort.",
    { path: "^packages/platform/src/", pathNot: ["/mail/", tests] },
    npm("nodemailer"),
  ),
];

const order = [
  rule(
    "declared-dependencies-only",
    "Name it in the package.json of the package that imports it.",
    "^(packages|apps)/",
    // The test runner is the whole workspace's, declared at its root.
    // Nor is the published client found before it is built.
    {
      dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"],
      pathNot: [npm("vitest"), "^@purser/client"],
    },
  ),
  rule("unresolvable", "There is no such module.", {}, { couldNotResolve: true, pathNot: "^@purser/client" }),
  rule(
    "sources-without-development-dependencies",
    "What runs in production is a dependency, not a devDependency.",
    { path: "^(packages/(?!client/|testing/)|apps/).+/src/", pathNot: tests },
    { dependencyTypes: ["npm-dev"], ...atRunTime },
  ),
  rule(
    "no-tests-in-sources",
    "Sources import neither tests nor the test harness.",
    { path: "^(packages|apps)/.+/src/", pathNot: tests },
    [tests, npm("(vitest|fast-check)")].join("|"),
  ),
  rule(
    "no-circular",
    "Modules that need each other are one module, or need a third. Types count.",
    {},
    { circular: true },
  ),
];

module.exports = {
  forbidden: [...packages, ...slices, ...order],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: {
      // The consumer runs in an empty folder with the packed client, the peers in a folder with their own dependencies.
      path: ["^(packages|apps)/.+/dist/", "^packages/client/test/consumer/", "^bench/peers/servers/"],
    },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json"],
    },
    skipAnalysisNotInRules: true,
  },
};
