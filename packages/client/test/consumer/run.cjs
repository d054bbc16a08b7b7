const { PurserError, createPurserClient } = require("@purser/client");
const { createPurserAuth } = require("@purser/client/auth");
const { createPurserQueries } = require("@purser/client/tanstack");
const { transformer } = require("@purser/client/trpc");

async function run() {
  const fetch = () => Promise.reject(new Error("Not online"));
  const baseUrl = "https://purser.example";
  const error = await createPurserAuth({ baseUrl, fetch, retries: 0 })
    .signOut()
    .catch((reason) => reason);
  const { queryKey } = createPurserQueries(createPurserClient({ baseUrl })).me.get.queryOptions();
  const date = transformer.serialize(new Date(0)).slice(1);
  console.log(typeof createPurserClient, date, error instanceof PurserError, typeof fetch, queryKey.join());
}

void run();
