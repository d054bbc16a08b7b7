import { byId, call, onSubmit, showNotice, showProblem } from "./api.js";

const token = new URLSearchParams(location.search).get("token");
const here = location.pathname + location.search;
if (!token) offerNewLink("The link is incomplete. Open it from the mail again, or request a new one.");

onSubmit(byId("confirm"), async () => {
  const response = await call("GET", `/api/auth/verify-email?${new URLSearchParams({ token })}`);
  if (response.ok) {
    byId("confirm").hidden = true;
    return showNotice("Your e-mail address is confirmed.", true);
  }
  const { code, detail, help } = response.body ?? {};
  if (code === "TOKEN_EXPIRED" || code === "INVALID_TOKEN")
    return offerNewLink("This link has expired. Request a new one.");
  // Only a link to a new address needs its user.
  if (code === "UNAUTHENTICATED") return location.assign(`/sign-in?${new URLSearchParams({ next: here })}`);
  return code === "FORBIDDEN" ? showNotice(`${detail} ${help}`) : showProblem(response);
});

onSubmit(byId("again"), async ({ email }) => {
  const response = await call("POST", "/api/auth/send-verification-email", { email });
  if (!response.ok) return showProblem(response);
  byId("again").hidden = true;
  showNotice("If this address is not confirmed yet, we have sent it a new link.", true);
});

function offerNewLink(sentence) {
  byId("confirm").hidden = true;
  byId("again").hidden = false;
  showNotice(sentence);
}
