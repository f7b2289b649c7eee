type Details = Readonly<Record<string, string | number | boolean>>;

/** The notices of events that do not depend on their details: the key of their texts. */
const notices: Readonly<Record<string, string>> = {
  recovery_codes_made: "recovery_codes_made",
  recovery_code_used: "recovery_code_used",
  otp_locked: "otp_locked",
  otp_unlocked: "otp_unlocked",
  otp_unlock_failed: "otp_unlock_failed",
  identity_connected: "identity_added",
  identity_removed: "identity_removed",
  closed: "closed",
  api_key_created: "api_key_added",
};
const byKind: Readonly<Record<string, string>> = { otp: "otp", webauthn: "passkey" };

/** The notice of an event; undefined for none. `login_changed` has none here: the former address gets that mail. */
export function noticeOf(event: string, details: Details): string | undefined {
  const kind = byKind[String(details.kind)] ?? "factor";
  if (details.by === "administrator") return ofAdministrator(event, String(details.kind));
  if (event === "login") return details.newDevice ? "new_device" : undefined;
  if (event === "password_changed") return details.by === "reset" ? "password_reset" : "password_changed";
  if (event === "second_factor_added") return `${kind}_added`;
  if (event === "second_factor_removed") return `${kind}_removed`;
  if (event === "sessions_revoked") return details.which === "disabled" ? "disabled" : "sessions_revoked";
  return notices[event];
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

/** The notice of an administrator's operation. */
function ofAdministrator(event: string, kind: string): string | undefined {
  const name = event === "second_factor_removed" ? `${kinds[kind] ?? "factor"}_removed` : byAdministrator[event];
  return name && `administrator.${name}`;
}
export const isByAdministrator = (notice: string): boolean => notice.startsWith("administrator.");
/** Whether the notice has no limit per hour: strangers can't cause it, and every added factor matters. */
export const isAlways = (notice: string): boolean =>
  notice === "login_changed" || notice.endsWith("_added") || isByAdministrator(notice);

const failures = new Set(["otp_locked", "otp_unlock_failed"]);
/** Whether other people cause the notice by failures: limited to one an hour, from all networks together. */
export const isFailure = (notice: string): boolean => failures.has(notice);

const final = new Set(["closed", "disabled", "administrator.closed", "administrator.login_changed"]);
/** Whether the mail has no link: nothing can be undone, or the former address must not undo an administrator's change. */
export const isFinal = (notice: string): boolean => final.has(notice);
