import { call, keepNext, nextPage, onSubmit, tell, tellProblem } from "./api.js";

keepNext();

const form = document.querySelector("form");
onSubmit(form, async ({ name, email, password }) => {
  const answer = await call("POST", "/api/auth/sign-up/email", { name, email, password });
  if (!answer.ok) return tellProblem(answer);
  // Without a session, the address must be confirmed first.
  if (answer.body?.token) return location.assign(nextPage());
  form.hidden = true;
  tell("We have sent you a mail. Open its link to confirm your address.", true);
});
