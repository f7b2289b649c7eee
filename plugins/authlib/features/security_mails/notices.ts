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
  if (event === "login") return details.newDevice ? "new_device" : undefined;
  if (event === "password_changed") return details.by === "reset" ? "password_reset" : "password_changed";
  if (event === "second_factor_added") return `${kind}_added`;
  if (event === "second_factor_removed") return `${kind}_removed`;
  if (event === "sessions_revoked") return details.which === "disabled" ? "disabled" : "sessions_revoked";
  return plain[event];
}

const failures = new Set(["otp_locked", "otp_unlock_failed"]);
/** Whether others than the owner cause it by failing: one an hour is mailed, wherever they are. */
export const isFailure = (notice: string): boolean => failures.has(notice);

const final = new Set(["closed", "disabled"]);
/** Whether nothing is left that a link could undo. */
export const isFinal = (notice: string): boolean => final.has(notice);
