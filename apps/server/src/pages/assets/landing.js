import { busy, byId, call, isGuest, onSubmit, showProblem, showUnavailable } from "./api.js";

const me = await call("GET", "/api/me");
if (me.ok) showUser(me.body);
else if (isGuest(me)) byId("signed-out").hidden = false;
else showUnavailable(me);

function showUser({ email, memberships }) {
  byId("who").textContent = email;
  byId("organizations").replaceChildren(...memberships.map(entry));
  byId("no-organization").hidden = memberships.length > 0;
  byId("create-organization").hidden = memberships.length > 0;
  byId("signed-in").hidden = false;
  byId("developers").open = false;
}

function entry({ organizationName, role }) {
  const item = document.createElement("li");
  const text = document.createElement("div");
  const [name, about] = ["strong", "span"].map((tag) => document.createElement(tag));
  name.textContent = organizationName;
  about.textContent = role === "OWNER" ? "You are an owner" : "You are a member";
  text.append(name, about);
  item.append(text);
  return item;
}

onSubmit(byId("create-organization"), async ({ name }) => {
  const response = await call("POST", "/api/organizations", { name });
  if (!response.ok) return showProblem(response);
  const changed = await call("GET", "/api/me");
  return changed.ok ? showUser(changed.body) : showProblem(changed);
});

byId("sign-out").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const response = await call("POST", "/api/auth/sign-out", {});
    return response.ok ? location.reload() : showProblem(response);
  }),
);
