import { busy, byId, call, signedInUser, showNotice, showProblem, showUnavailable } from "./api.js";

const path = `/api/organizations/invitations/${location.pathname.split("/").at(-1)}`;
for (const link of document.querySelectorAll("[data-returns]")) link.search = `?next=${location.pathname}`;

const user = await signedInUser();
for (const place of document.querySelectorAll("[data-email]")) place.textContent = user?.email;
byId("onward").hidden = user === null;
if (user === null) show("signed-out", "Invitation");
else if (user !== undefined) await showInvitation();

async function showInvitation() {
  const response = await call("GET", path);
  if (!response.ok) return showUnavailable(response);
  // If addresses must be verified, the API hides the invitation until then.
  if (response.body === null) {
    const mayBeHidden = "required" in byId("unverified").dataset && !user.emailVerified;
    return mayBeHidden ? show("unverified", "Confirm your address", true) : showNotFound();
  }
  const { email, organization, role, expiresAt } = response.body;
  // An owner of the organization can also see invitations for others.
  if (email !== user.email.toLowerCase()) {
    byId("invited").textContent = email;
    return show("for-another", "Invitation for another address", true);
  }
  byId("role").textContent = role === "OWNER" ? "owner" : "member";
  byId("expires").dateTime = expiresAt;
  byId("expires").textContent = new Date(expiresAt).toLocaleString(undefined, {
    dateStyle: "long",
    timeStyle: "short",
  });
  show("offer", `Join ${organization.name}`);
}

function showNotFound() {
  show("not-found", "No invitation for you", true);
}

byId("accept").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    const response = await call("POST", `${path}/accept`, {});
    if (response.ok) {
      byId("offer").hidden = true;
      return showNotice("Welcome! You are now a member.", true);
    }
    const { code } = response.body;
    if (code === "INVITATION_EXPIRED") show("expired", "This invitation has expired");
    else if (code === "INVITATION_NOT_FOUND") showNotFound();
    else return showProblem(response);
    // The pressed button is gone, so the focus needs another place.
    byId("heading").focus();
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
    const response = await call("POST", "/api/auth/sign-out", {});
    return response.ok ? location.assign(`/sign-in?next=${location.pathname}`) : showProblem(response);
  }),
);

/** Shows one section under its heading, and whether another account may be the right one. */
function show(id, heading, offersOtherAccount = false) {
  byId("heading").textContent = heading;
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== id;
  byId("account").hidden = !offersOtherAccount;
  byId("loading").hidden = true;
}
