import { call, onSubmit, showNotice, showProblem } from "./api.js";

const token = new URLSearchParams(location.search).get("token");
const form = document.querySelector("form");
if (!token) {
  form.hidden = true;
  showNotice("The link is incomplete. Open it from the mail again, or request a new one.");
}

onSubmit(form, async ({ password }) => {
  const response = await call("POST", "/api/auth/reset-password", { token, newPassword: password });
  if (response.body?.code === "INVALID_TOKEN")
    return showNotice("This link has been used or has expired. Request a new one.");
  if (!response.ok) return showProblem(response);
  form.hidden = true;
  showNotice("Your new password is saved. Sign in with it.", true);
});
