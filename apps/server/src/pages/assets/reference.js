/** The API reference without this script lacks only its search, its copy buttons, and the reader's own identifiers. */
import { byId, call } from "./api.js";

let index;
const loadIndex = async () => (await (index ??= call("GET", "/docs/index.json"))).body;

addSearch();
addCopyButtons();
await showOwnIds();

/** Finds operations by words of their name, method, path and summary. */
function addSearch() {
  byId("search").hidden = false;
  byId("filter").addEventListener("input", async ({ target }) => {
    const { operations } = await loadIndex();
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : operations.filter((operation) => matches(operation, words));
    byId("areas").hidden = words.length > 0;
    byId("matches").replaceChildren(...found.map(toLink));
    const count = `${found.length} ${found.length === 1 ? "operation" : "operations"}`;
    byId("found").textContent = words.length === 0 ? "" : count;
  });
}

function matches({ operationId, method, path, summary }, words) {
  const text = `${operationId} ${method} ${path} ${summary}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function toLink({ operationId, area, summary }) {
  const link = document.createElement("a");
  link.href = `/docs/${area}#${operationId}`;
  link.textContent = operationId;
  link.title = summary;
  const item = document.createElement("li");
  item.append(link);
  return item;
}

function addCopyButtons() {
  for (const button of document.querySelectorAll("button.copy")) {
    // Browsers offer the clipboard only to pages with TLS and to localhost.
    button.hidden = navigator.clipboard === undefined;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.nextElementSibling.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }
}

/** Replaces the identifiers of the examples by those of the signed-in reader, as far as the reader has such things. */
async function showOwnIds() {
  const note = byId("own-ids");
  const code = [...document.querySelectorAll(".samples pre:not([aria-label^=Response]) code")];
  if (note === null || code.length === 0) return;
  const { ok, body: me } = await call("GET", "/api/me");
  const [membership] = ok ? me.memberships : [];
  if (membership === undefined) return;
  const { exampleIds: examples } = await loadIndex();
  const isShown = (kind) => code.some(({ textContent }) => textContent.includes(examples[kind]));
  const own = { org: membership.organizationId, user: me.id, mem: membership.id };
  const lists = listsOf(membership.organizationId);
  await Promise.all(
    Object.keys(lists)
      .filter(isShown)
      .map(async (kind) => {
        const { body } = await call("GET", lists[kind]);
        own[kind] = (Array.isArray(body) ? body[0] : body)?.id;
      }),
  );
  for (const element of code) {
    for (const [kind, id] of Object.entries(own)) {
      if (id) element.textContent = element.textContent.replaceAll(examples[kind], id);
    }
  }
  note.textContent = `The samples show identifiers of ${membership.organizationName}.`;
  note.hidden = false;
}

/** Where the first thing of each kind is read. */
function listsOf(organization) {
  const team = `?teamId=${organization}&limit=1`;
  const own = `?organizationId=${organization}&limit=1`;
  return {
    bcn: `/api/banking/connections${team}`,
    bac: `/api/banking/accounts${team}`,
    btx: `/api/banking/transactions${team}`,
    bqu: `/api/banking/quarantine${team}`,
    bsy: `/api/banking/syncs${team}`,
    card: `/api/cards${own}`,
    pol: `/api/cards/policies${own}`,
    ctx: `/api/cards/transactions${own}`,
    evt: `/api/events${own}`,
    whd: `/api/webhook-deliveries${own}`,
    inv: `/api/organizations/${organization}/invitations?limit=1`,
    sub: `/api/organizations/${organization}/subscription`,
  };
}
