import { byId, call, onSubmit, tell, tellProblem } from "./api.js";

const token = new URLSearchParams(location.search).get("token");
if (!token) offerNewLink("The link is incomplete. Open it from the mail again, or request a new one.");

onSubmit(byId("confirm"), async () => {
  const answer = await call("GET", `/api/auth/verify-email?${new URLSearchParams({ token })}`);
  if (answer.ok) {
    byId("confirm").hidden = true;
    return tell("Your e-mail address is confirmed.", true);
  }
  const tooOld = ["TOKEN_EXPIRED", "INVALID_TOKEN"].includes(answer.body?.code);
  return tooOld ? offerNewLink("This link has expired. Request a new one.") : tellProblem(answer);
});

onSubmit(byId("again"), async ({ email }) => {
  const answer = await call("POST", "/api/auth/send-verification-email", { email });
  if (!answer.ok) return tellProblem(answer);
  byId("again").hidden = true;
  tell("If this address is not confirmed yet, we have sent it a new link.", true);
});

function offerNewLink(sentence) {
  byId("confirm").hidden = true;
  byId("again").hidden = false;
  tell(sentence);
}
