import { call, keepNext, nextPage, onSubmit, showNotice, showProblem } from "./api.js";

keepNext();

const form = document.querySelector("form");
onSubmit(form, async ({ name, email, password }) => {
  const response = await call("POST", "/api/auth/sign-up/email", { name, email, password });
  if (!response.ok) return showProblem(response);
  // Without a session, the address must be confirmed first.
  if (response.body?.token) return location.assign(nextPage());
  form.hidden = true;
  showNotice("We have sent you a mail. Open its link to confirm your address.", true);
});
