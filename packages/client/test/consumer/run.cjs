const { createPurserClient } = require("@purser/client");
const { transformer } = require("@purser/client/trpc");

console.log(typeof createPurserClient, transformer.serialize(new Date(0)).slice(1));
