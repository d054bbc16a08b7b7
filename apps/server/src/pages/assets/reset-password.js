import { call, onSubmit, tell, tellProblem } from "./api.js";

const token = new URLSearchParams(location.search).get("token");
const form = document.querySelector("form");
if (!token) {
  form.hidden = true;
  tell("The link is incomplete. Open it from the mail again, or request a new one.");
}

onSubmit(form, async ({ password }) => {
  const answer = await call("POST", "/api/auth/reset-password", { token, newPassword: password });
  if (answer.body?.code === "INVALID_TOKEN")
    return tell("This link has been used or has expired. Request a new one.");
  if (!answer.ok) return tellProblem(answer);
  form.hidden = true;
  tell("Your new password is saved. Sign in with it.", true);
});
