import { byId, call, keepNext, nextPage, onSubmit, showProblem } from "./api.js";

keepNext();

onSubmit(byId("credentials"), async ({ email, password }) => {
  const response = await call("POST", "/api/auth/sign-in/email", { email, password });
  if (!response.ok) return showProblem(response);
  if (!response.body?.twoFactorRedirect) return location.assign(nextPage());
  byId("credentials").hidden = true;
  byId("second-factor").hidden = false;
  byId("code").focus();
});

onSubmit(byId("second-factor"), async ({ code }) => {
  const way = /^\d{6}$/.test(code.trim()) ? "verify-totp" : "verify-backup-code";
  const response = await call("POST", `/api/auth/two-factor/${way}`, { code: code.trim() });
  return response.ok ? location.assign(nextPage()) : showProblem(response);
});
