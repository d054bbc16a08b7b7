import { call, onSubmit, showNotice, showProblem } from "./api.js";

const form = document.querySelector("form");
onSubmit(form, async ({ email }) => {
  const response = await call("POST", "/api/auth/request-password-reset", { email });
  if (!response.ok) return showProblem(response);
  form.hidden = true;
  // The same message for everyone, because it must not reveal who has an account.
  showNotice("If this address has an account, we have sent it a link.", true);
});
