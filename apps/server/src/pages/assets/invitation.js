import { busy, byId, call, signedInUser, showNotice, showProblem } from "./api.js";

const path = `/api/organizations/invitations/${location.pathname.split("/").at(-1)}`;
for (const link of document.querySelectorAll("[data-returns]")) link.search = `?next=${location.pathname}`;

const user = await signedInUser();
for (const place of document.querySelectorAll("[data-email]")) place.textContent = user?.email;
if (user === null) show("signed-out");
else await showInvitation();

async function showInvitation() {
  const response = await call("GET", path);
  if (!response.ok) {
    show("not-theirs");
    return showProblem(response);
  }
  // If addresses must be verified, the API hides the invitation until then.
  if (response.body === null) return show(user.emailVerified ? "not-theirs" : "unverified");
  const { email, organization, role, expiresAt } = response.body;
  // An owner of the organization can also see invitations for others.
  if (email !== user.email.toLowerCase()) {
    byId("why").textContent = `This invitation is for ${email}.`;
    return show("not-theirs");
  }
  byId("heading").textContent = `Join ${organization.name}`;
  byId("role").textContent = role === "OWNER" ? "owner" : "member";
  byId("expires").dateTime = expiresAt;
  byId("expires").textContent = new Date(expiresAt).toLocaleString(undefined, {
    dateStyle: "long",
    timeStyle: "short",
  });
  show("offer");
}

byId("accept").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const response = await call("POST", `${path}/accept`, {});
    if (!response.ok) return showProblem(response);
    byId("offer").hidden = true;
    showNotice("Welcome! You are now a member.", true);
    byId("onward").hidden = false;
  }),
);

byId("send-verification").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const response = await call("POST", "/api/auth/send-verification-email", { email: user.email });
    return response.ok
      ? showNotice("We have sent you a mail. Open its link, then come back here.", true)
      : showProblem(response);
  }),
);

byId("sign-out").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    await call("POST", "/api/auth/sign-out", {});
    location.assign(`/sign-in?next=${location.pathname}`);
  }),
);

function show(id) {
  byId("loading").hidden = true;
  byId(id).hidden = false;
}
