import {
  busy,
  byId,
  call,
  codeIn,
  isGuest,
  onSubmit,
  showNotice,
  showProblem,
  showUnavailable,
} from "./api.js";

async function showAccount({ email, twoFactorEnabled, memberships }) {
  byId("who").textContent = email;
  showFactor(twoFactorEnabled ? "factor-on" : "factor-off");
  const owned = memberships.filter(({ role }) => role === "OWNER");
  byId("organization-keys").hidden = owned.length === 0;
  byId("organization").replaceChildren(
    ...owned.map(({ organizationId, organizationName }) => new Option(organizationName, organizationId)),
  );
  byId("signed-in").hidden = false;
  await Promise.all([listSessions(), listKeys(), owned.length > 0 && listOrganizationKeys()]);
}

/** Reports in the section that the user works in. */
const failed = (id, response) => showProblem(response, byId(id));
const succeeded = (id, sentence) => showNotice(sentence, true, byId(id));

onSubmit(byId("change-password"), async ({ password: currentPassword, newPassword }) => {
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  const response = await call("POST", "/api/auth/change-password", body);
  if (!response.ok) return failed("password", response);
  byId("change-password").reset();
  succeeded("password", "Your new password is saved.");
  await listSessions();
});

onSubmit(byId("enable-factor"), async ({ password }) => {
  const response = await call("POST", "/api/auth/two-factor/enable", { password });
  if (!response.ok) return failed("second-factor", response);
  const { totpURI, backupCodes } = response.body;
  byId("factor-link").href = totpURI;
  byId("factor-secret").textContent = new URL(totpURI).searchParams.get("secret");
  byId("backup-codes").replaceChildren(...backupCodes.map((code) => element("li", code)));
  showFactor("factor-setup");
  byId("second-factor-title").focus();
});

onSubmit(byId("confirm-factor"), async (fields) => {
  const response = await call("POST", "/api/auth/two-factor/verify-totp", { code: codeIn(fields) });
  if (!response.ok) return failed("second-factor", response);
  // Otherwise the secrets would stay in the page.
  for (const id of ["factor-secret", "backup-codes"]) byId(id).replaceChildren();
  byId("factor-link").removeAttribute("href");
  showFactor("factor-on");
  succeeded("second-factor", "Two-factor sign-in is on.");
  await listSessions();
});

onSubmit(byId("disable-factor"), async ({ password }) => {
  const response = await call("POST", "/api/auth/two-factor/disable", { password });
  if (!response.ok) return failed("second-factor", response);
  showFactor("factor-off");
  succeeded("second-factor", "Two-factor sign-in is off.");
  await listSessions();
});

function showFactor(id) {
  for (const state of ["factor-off", "factor-setup", "factor-on"]) byId(state).hidden = state !== id;
  for (const form of ["enable-factor", "confirm-factor", "disable-factor"]) byId(form).reset();
  byId("second-factor").querySelector(".notice").hidden = true;
}

async function listSessions() {
  const [current, sessions] = await Promise.all([
    call("GET", "/api/auth/get-session"),
    call("GET", "/api/auth/list-sessions"),
  ]);
  if (!current.ok || !sessions.ok) return failed("sessions", current.ok ? sessions : current);
  const { token } = current.body.session;
  byId("end-others").hidden = sessions.body.length < 2;
  byId("session-list").replaceChildren(
    ...sessions.body.map((session) => {
      const about = `${session.ipAddress ?? "Unknown address"} · since ${day(session.createdAt)}`;
      const name = programOf(session.userAgent ?? "");
      if (session.token === token) return item(name, `This session · ${about}`);
      const end = async () => {
        const response = await call("POST", "/api/auth/revoke-session", { token: session.token });
        return response.ok ? listSessions() : failed("sessions", response);
      };
      return item(name, about, { text: "Sign out", of: name, act: end });
    }),
  );
}

byId("end-others").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const response = await call("POST", "/api/auth/revoke-other-sessions", {});
    if (!response.ok) return failed("sessions", response);
    succeeded("sessions", "You are signed in here only.");
    await listSessions();
  }),
);

async function listKeys() {
  const response = await call("GET", "/api/auth/api-key/list");
  if (!response.ok) return failed("keys", response);
  byId("key-list").replaceChildren(
    ...response.body.apiKeys.map(({ id: keyId, name, start, createdAt, expiresAt }) => {
      const remove = async () => {
        const removed = await call("POST", "/api/auth/api-key/delete", { keyId });
        return removed.ok ? listKeys() : failed("keys", removed);
      };
      const title = name ?? "A key without a name";
      return item(title, aboutKey({ start, createdAt, expiresAt }), {
        text: "Revoke",
        of: title,
        act: remove,
      });
    }),
  );
}

onSubmit(byId("create-key"), async ({ name, days }) => {
  const expiresIn = days === "" ? null : Number(days) * 86_400;
  const response = await call("POST", "/api/auth/api-key/create", { name, expiresIn });
  if (!response.ok) return failed("keys", response);
  await created("create-key", "shown-key", response.body.key);
  await listKeys();
});

const chosenOrganization = () => byId("organization").value;

byId("organization").addEventListener("change", () => void listOrganizationKeys());

async function listOrganizationKeys() {
  byId("shown-organization-key").hidden = true;
  const response = await call("GET", `/api/keys?organizationId=${chosenOrganization()}`);
  if (!response.ok) return failed("organization-keys", response);
  byId("organization-key-list").replaceChildren(
    ...response.body.map(({ id, name, access, revokedAt, ...key }) => {
      const may = access === "read" ? "reads" : "reads and writes";
      const about = `${may} · ${aboutKey(key)}`;
      if (revokedAt !== null) return item(name, `${about} · revoked on ${day(revokedAt)}`);
      const revoke = async () => {
        const revoked = await call("DELETE", `/api/keys/${id}`);
        return revoked.ok ? listOrganizationKeys() : failed("organization-keys", revoked);
      };
      return item(name, about, { text: "Revoke", of: name, act: revoke });
    }),
  );
}

onSubmit(byId("create-organization-key"), async ({ name, days, access }) => {
  const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
  const body = { organizationId: chosenOrganization(), name, access, expiresAt };
  const response = await call("POST", "/api/keys", body);
  if (!response.ok) return failed("organization-keys", response);
  await listOrganizationKeys();
  await created("create-organization-key", "shown-organization-key", response.body.key);
});

/** Shows a new key, once. */
async function created(form, shown, key) {
  byId(form).reset();
  byId(form).parentElement.querySelector(".notice").hidden = true;
  byId(shown).querySelector(".secret").textContent = key;
  byId(shown).hidden = false;
  byId(shown).focus();
}

const browsers = { "Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS X", "Linux"];

/** Names the browser and its system. A browser also names those that it resembles, so the order counts. */
function programOf(userAgent) {
  const [, browser] = Object.entries(browsers).find(([mark]) => userAgent.includes(mark)) ?? [];
  const system = systems.find((name) => userAgent.includes(name));
  if (browser === undefined || system === undefined) return userAgent || "A program";
  return `${browser} on ${system}`;
}

const day = (instant) => new Date(instant).toLocaleDateString(undefined, { dateStyle: "medium" });

function aboutKey({ start, createdAt, expiresAt }) {
  const ends = expiresAt === null ? "does not expire" : `expires on ${day(expiresAt)}`;
  return `${start}… · created on ${day(createdAt)} · ${ends}`;
}

/** An entry of a list, with a button that names what it acts on for screen readers. */
function item(title, about, action) {
  const entry = document.createElement("li");
  const text = document.createElement("div");
  text.append(element("strong", title), element("span", about));
  entry.append(text);
  if (action === undefined) return entry;
  const button = element("button", action.text);
  button.type = "button";
  button.className = "plain";
  button.setAttribute("aria-label", `${action.text}: ${action.of}`);
  button.addEventListener("click", () => busy(button, action.act));
  entry.append(button);
  return entry;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

const me = await call("GET", "/api/me");
byId("loading").hidden = true;
if (me.ok) await showAccount(me.body);
else if (isGuest(me)) byId("signed-out").hidden = false;
else showUnavailable(me);
