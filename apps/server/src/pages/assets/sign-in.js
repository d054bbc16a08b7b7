import { byId, call, keepNext, nextPage, onSubmit, tellProblem } from "./api.js";

keepNext();

onSubmit(byId("credentials"), async ({ email, password }) => {
  const answer = await call("POST", "/api/auth/sign-in/email", { email, password });
  if (!answer.ok) return tellProblem(answer);
  if (!answer.body?.twoFactorRedirect) return location.assign(nextPage());
  byId("credentials").hidden = true;
  byId("second-factor").hidden = false;
  byId("code").focus();
});

onSubmit(byId("second-factor"), async ({ code }) => {
  const way = /^\d{6}$/.test(code.trim()) ? "verify-totp" : "verify-backup-code";
  const answer = await call("POST", `/api/auth/two-factor/${way}`, { code: code.trim() });
  return answer.ok ? location.assign(nextPage()) : tellProblem(answer);
});
