import { busy, byId, call, signedInUser, showProblem } from "./api.js";

const query = new URLSearchParams(location.search);
const consent = Object.fromEntries(
  ["teamId", "provider", "providerId", "consentId"].map((name) => [name, query.get(name)]),
);
const back = encodeURIComponent(location.pathname + location.search);
for (const link of document.querySelectorAll("[data-returns]")) link.search = `?next=${back}`;

const error = query.get("error");
if (error === "authorization_pending") show("pending");
else if (error === "server_error") show("failed");
else if (error !== null) show("refused");
else if (Object.values(consent).includes(null)) show("broken");
else {
  const user = await signedInUser();
  if (user !== undefined) show(user === null ? "signed-out" : "offer");
}

// A button, because opening a link that someone sent must not connect a bank.
byId("connect").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const response = await call("POST", "/api/banking/connect", consent);
    if (!response.ok) return showProblem(response);
    await showAccounts(response.body.id);
  }),
);

async function showAccounts(connectionId) {
  const team = encodeURIComponent(consent.teamId);
  const response = await call("GET", `/api/banking/accounts?teamId=${team}`);
  if (!response.ok) return showProblem(response);
  const accounts = response.body.filter((account) => account.connectionId === connectionId);
  byId("accounts").replaceChildren(...accounts.map(row));
  byId("heading").textContent = "Connected";
  show("connected");
  byId("heading").focus();
}

function row({ accountName, balance, currency }) {
  const cells = [accountName, money(balance, currency)].map((text) => {
    const cell = document.createElement("td");
    cell.textContent = text;
    return cell;
  });
  const element = document.createElement("tr");
  element.append(...cells);
  return element;
}

/** Formats an amount in minor units of its currency. The page knows how many decimals the service counts in it. */
function money(minorUnits, currency) {
  const decimals = JSON.parse(byId("accounts").dataset.decimals)[currency] ?? 2;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency, ...digits });
  return format.format(minorUnits / 10 ** decimals);
}

function show(id) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== id;
  byId("loading").hidden = true;
}
