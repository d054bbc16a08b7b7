/** Shared by the pages: calls the API as the browser's user, and reports the result. */

/** Calls the API. Returns the status and the JSON of any response. */
export async function call(method, path, body) {
  const init = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(path, init);
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: text === "" ? null : JSON.parse(text) };
  } catch {
    return {
      ok: false,
      status: 0,
      body: { detail: "The service cannot be reached. Try again in a moment." },
    };
  }
}

export const byId = (id) => document.getElementById(id);

/** Shows a sentence where screen readers announce it: in this part of the page, or in its only such place. */
export function showNotice(sentence, good = false, part = document) {
  const notice = part.querySelector(".notice[role=alert]");
  notice.textContent = sentence;
  notice.classList.toggle("bad", !good);
  notice.hidden = false;
}

export function hideNotice() {
  document.querySelector(".notice[role=alert]").hidden = true;
}

/** Shows the message of an error response. */
export function showProblem(response, part = document) {
  showNotice(sentenceOf(response), false, part);
}

function sentenceOf({ body }) {
  const issues = (body?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
  if (issues.length > 0) return issues.join(" · ");
  return body?.detail ?? body?.message ?? "Something went wrong. Try again.";
}

/** Shows, below the heading, why the page cannot be read, and offers to try again. */
export function showUnavailable(response) {
  const sentence = document.createElement("p");
  sentence.className = "notice bad";
  sentence.setAttribute("role", "alert");
  const again = document.createElement("a");
  again.className = "button";
  again.href = "";
  again.textContent = "Try again";
  const row = document.createElement("div");
  row.className = "row";
  row.append(again);
  document.querySelector("h1").after(sentence, row);
  // Screen readers announce what changes in a part that is there already.
  sentence.textContent = sentenceOf(response);
  byId("loading")?.remove();
}

/**
 * Disables the button while its action runs, so that a second press does not repeat it. The links of the page wait, too:
 * following one would abort the action's requests.
 */
export async function busy(button, action) {
  const links = document.querySelectorAll("main a");
  button.disabled = true;
  for (const link of links) link.inert = true;
  try {
    await action();
  } finally {
    button.disabled = false;
    for (const link of links) link.inert = false;
  }
}

/** Calls the action with the fields of a form instead of submitting it. */
export function onSubmit(form, action) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void busy(form.querySelector("button"), () => action(Object.fromEntries(new FormData(form))));
  });
}

/** Returns a one-time code as the service takes it. Authenticators show it in groups, and people copy it so. */
export const codeIn = ({ code }) => code.replaceAll(/\s/g, "");

/** Whether a response says that nobody is signed in. Another refusal does not: the service may be unavailable. */
export const isGuest = ({ status }) => status === 401;

/** Returns the signed-in user, or null for a guest. Undefined if that cannot be read: then the page says so. */
export async function signedInUser() {
  const response = await call("GET", "/api/auth/get-session");
  if (response.ok) return response.body?.user ?? null;
  if (isGuest(response)) return null;
  showUnavailable(response);
  return undefined;
}

/** Returns where to go after sign-in: the page of this site that `next` names, or the start page. */
export function nextPage() {
  const next = new URLSearchParams(location.search).get("next") ?? "/";
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null;
  // A path that begins with two slashes, as of "/.//host", would be an address on another host.
  const isOurs = url?.origin === location.origin && !url.pathname.startsWith("//");
  return isOurs ? url.pathname + url.search + url.hash : "/";
}

/** Preserves `next` in the links between sign-in and sign-up. */
export function keepNext() {
  for (const link of document.querySelectorAll("[data-keeps-next]")) link.search = location.search;
}
