import { busy, byId, call, signedInUser, tell, tellProblem } from "./api.js";

const path = `/api/organizations/invitations/${location.pathname.split("/").at(-1)}`;
for (const link of document.querySelectorAll("[data-returns]")) link.search = `?next=${location.pathname}`;

const user = await signedInUser();
for (const place of document.querySelectorAll("[data-email]")) place.textContent = user?.email;
if (user === null) show("signed-out");
else await showInvitation();

async function showInvitation() {
  const answer = await call("GET", path);
  if (!answer.ok) {
    show("not-theirs");
    return tellProblem(answer);
  }
  // If addresses must be verified, the API hides the invitation until then.
  if (answer.body === null) return show(user.emailVerified ? "not-theirs" : "unverified");
  const { email, organization, role, expiresAt } = answer.body;
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
    const answer = await call("POST", `${path}/accept`, {});
    if (!answer.ok) return tellProblem(answer);
    byId("offer").hidden = true;
    tell("Welcome! You are now a member.", true);
  }),
);

byId("send-verification").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const answer = await call("POST", "/api/auth/send-verification-email", { email: user.email });
    return answer.ok
      ? tell("We have sent you a mail. Open its link, then come back here.", true)
      : tellProblem(answer);
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
