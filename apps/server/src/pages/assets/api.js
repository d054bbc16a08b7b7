/** What the pages share: calling the API as the browser's user, and telling how it went. */

/** Calls the API. Gives the status and the JSON of the answer, whatever they are. */
export async function call(method, path, body) {
  const init = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  try {
    const answer = await fetch(path, init);
    const text = await answer.text();
    return { ok: answer.ok, status: answer.status, body: text === "" ? null : JSON.parse(text) };
  } catch {
    return {
      ok: false,
      status: 0,
      body: { detail: "The service cannot be reached. Try again in a moment." },
    };
  }
}

export const byId = (id) => document.getElementById(id);

/** Shows a sentence where screen readers announce it. */
export function tell(sentence, good = false) {
  const notice = document.querySelector(".notice[role=alert]");
  notice.textContent = sentence;
  notice.classList.toggle("bad", !good);
  notice.hidden = false;
}

/** Says what an error answer means to a person. */
export function tellProblem({ body }) {
  const issues = (body?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
  tell(
    issues.length > 0
      ? issues.join(" · ")
      : (body?.detail ?? body?.message ?? "That did not work. Try again."),
  );
}

/** Runs an action with its button switched off, so that a second press does not do it twice. */
export async function busy(button, action) {
  button.disabled = true;
  try {
    await action();
  } finally {
    button.disabled = false;
  }
}

/** Takes over a form: the action gets its fields. */
export function onSubmit(form, action) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void busy(form.querySelector("button"), () => action(Object.fromEntries(new FormData(form))));
  });
}

/** Who is signed in, or null. */
export async function signedInUser() {
  const { ok, body } = await call("GET", "/api/auth/get-session");
  return ok ? (body?.user ?? null) : null;
}

/** Where to go after signing in: a page of this site, from the address; else the start page. */
export function nextPage() {
  const next = new URLSearchParams(location.search).get("next") ?? "/";
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : null;
  return url?.origin === location.origin ? url.pathname + url.search : "/";
}

/** Lets links between signing in and up keep where to go afterwards. */
export function keepNext() {
  for (const link of document.querySelectorAll("[data-keeps-next]")) link.search = location.search;
}
