/** What happened to an account. */
export type AccountEventName =
  | "first_factor_passed"
  | "login"
  | "login_failed"
  | "logout"
  | "identity_confirmed"
  | "created"
  | "verified"
  | "password_reset_requested"
  | "password_changed"
  | "password_link_made"
  | "login_change_requested"
  | "login_changed"
  | "closed"
  | "reopened"
  | "locked"
  | "unlocked"
  | "second_factor_added"
  | "second_factor_removed"
  | "second_factor_failed"
  | "otp_locked"
  | "otp_unlocked"
  | "otp_unlock_failed"
  | "recovery_code_used"
  | "recovery_codes_made"
  | "sessions_revoked"
  | "email_link_requested"
  | "invited"
  | "compromise_reported"
  | "refreshed"
  | "refresh_reused";

/**
 * A failure that somebody caused by typing a login, to be reported by a job: the account is looked for there, so that
 * the answer takes as long whether anybody has the login or not.
 */
export interface ReportedFailure {
  /** The account type: "user". */
  type: string;
  name: AccountEventName;
  login: string;
  /** The client's address. */
  address: string;
  /** Milliseconds since 1970. */
  at: number;
  details: Record<string, string | number | boolean>;
}

/** Carried by the hook `auth.account`, once what happened is stored. No secret is ever in it. */
export interface AccountEvent {
  readonly name: AccountEventName;
  /** The account type: "user". */
  readonly type: string;
  /** The account's id; undefined where a login failed that nobody has: `details.login_digest` counts those. */
  readonly accountId: number | undefined;
  /** The client's address, where a request caused it. */
  readonly address: string | undefined;
  readonly at: Date;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}
