import { call, onSubmit, tell, tellProblem } from "./api.js";

const form = document.querySelector("form");
onSubmit(form, async ({ email }) => {
  const answer = await call("POST", "/api/auth/request-password-reset", { email });
  if (!answer.ok) return tellProblem(answer);
  form.hidden = true;
  // The same message for everyone, because it must not reveal who has an account.
  tell("If this address has an account, we have sent it a link.", true);
});
