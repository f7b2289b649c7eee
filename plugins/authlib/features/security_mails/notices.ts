type Details = Readonly<Record<string, string | number | boolean>>;

/** What an event is mailed as, where that does not depend on its details: the name of its texts. */
const plain: Readonly<Record<string, string>> = {
  recovery_codes_made: "recovery_codes_made",
  recovery_code_used: "recovery_code_used",
  otp_locked: "otp_locked",
  otp_unlocked: "otp_unlocked",
  otp_unlock_failed: "otp_unlock_failed",
  closed: "closed",
};
const byKind: Readonly<Record<string, string>> = { otp: "otp", webauthn: "passkey" };

/** What an event is mailed as; undefined for one that is not, as `login_changed`, which the address from before is mailed. */
export function noticeOf(event: string, details: Details): string | undefined {
  const kind = byKind[String(details.kind)] ?? "factor";
  if (details.by === "administrator") return ofAdministrator(event, String(details.kind));
  if (event === "login") return details.newDevice ? "new_device" : undefined;
  if (event === "password_changed") return details.by === "reset" ? "password_reset" : "password_changed";
  if (event === "second_factor_added") return `${kind}_added`;
  if (event === "second_factor_removed") return `${kind}_removed`;
  if (event === "sessions_revoked") return details.which === "disabled" ? "disabled" : "sessions_revoked";
  return plain[event];
}

const byAdministrator: Readonly<Record<string, string>> = {
  closed: "closed",
  reopened: "reopened",
  verified: "verified",
  locked: "locked",
  unlocked: "unlocked",
  password_changed: "password_changed",
  password_link_made: "password_link_made",
  sessions_revoked: "sessions_revoked",
};
const kinds: Readonly<Record<string, string>> = { ...byKind, recovery_codes: "recovery_codes" };

/** What an administrator's deed is mailed as: each one, and with what it means for the owner. */
function ofAdministrator(event: string, kind: string): string | undefined {
  const name = event === "second_factor_removed" ? `${kinds[kind] ?? "factor"}_removed` : byAdministrator[event];
  return name && `administrator.${name}`;
}
export const isByAdministrator = (notice: string): boolean => notice.startsWith("administrator.");
/** Whether it is mailed however often it happens: no stranger can cause it, and a second passkey matters as the first does. */
export const isAlways = (notice: string): boolean =>
  notice === "login_changed" || notice.endsWith("_added") || isByAdministrator(notice);

const failures = new Set(["otp_locked", "otp_unlock_failed"]);
/** Whether others than the owner cause it by failing: one an hour is mailed, wherever they are. */
export const isFailure = (notice: string): boolean => failures.has(notice);

const final = new Set(["closed", "disabled", "administrator.closed", "administrator.login_changed"]);
/** Whether nothing is left that a link could undo, or the address must not: an administrator gave the account another. */
export const isFinal = (notice: string): boolean => final.has(notice);
