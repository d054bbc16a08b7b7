import {
  byId,
  call,
  codeIn,
  hideNotice,
  keepNext,
  nextPage,
  onSubmit,
  showNotice,
  showProblem,
} from "./api.js";

keepNext();

/** What the service answers when a sign-in has waited too long, or for too many wrong codes. */
const ended = new Set(["INVALID_TWO_FACTOR_COOKIE", "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"]);

onSubmit(byId("credentials"), async ({ email, password }) => {
  const response = await call("POST", "/api/auth/sign-in/email", { email, password });
  if (!response.ok) return showProblem(response);
  if (!response.body?.twoFactorRedirect) return location.assign(nextPage());
  hideNotice();
  ask("second-factor", "code");
});

onSubmit(byId("second-factor"), async (fields) => {
  const code = codeIn(fields);
  const way = /^\d{6}$/.test(code) ? "verify-totp" : "verify-backup-code";
  const response = await call("POST", `/api/auth/two-factor/${way}`, { code });
  if (response.ok) return location.assign(nextPage());
  if (!ended.has(response.body?.code)) return showProblem(response);
  ask("credentials", "password");
  showNotice("This sign-in has ended. Enter your password again.");
});

/** Shows this form, with this field empty, instead of the other one. */
function ask(form, field) {
  for (const id of ["credentials", "second-factor"]) byId(id).hidden = id !== form;
  byId(field).value = "";
  byId(field).focus();
}
