import { call, onSubmit, tell, tellProblem } from "./api.js";

const form = document.querySelector("form");
onSubmit(form, async ({ email }) => {
  const answer = await call("POST", "/api/auth/request-password-reset", { email });
  if (!answer.ok) return tellProblem(answer);
  form.hidden = true;
  // Said to everybody alike: who has an account is nobody else's business.
  tell("If there is an account with this address, a mail with a link is on its way.", true);
});
