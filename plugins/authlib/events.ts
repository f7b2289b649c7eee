/** The events of accounts. */
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
  | "password_change_required"
  | "login_change_requested"
  | "login_changed"
  | "closed"
  | "reopened"
  | "locked"
  | "unlocked"
  | "second_factor_added"
  | "second_factor_removed"
  | "second_factor_failed"
  | "identity_connected"
  | "identity_removed"
  | "otp_locked"
  | "otp_unlocked"
  | "otp_unlock_failed"
  | "recovery_code_used"
  | "recovery_codes_made"
  | "sessions_revoked"
  | "email_link_requested"
  | "invited"
  | "compromise_reported"
  | "expiration_ended"
  | "impersonation_started"
  | "impersonation_ended"
  | "data_exported"
  | "data_erased"
  | "company_sign_in_changed"
  | "company_sign_in_bypassed"
  | "api_key_created"
  | "api_key_revoked"
  | "refreshed"
  | "refresh_reused";

/**
 * A failure for a typed login. A job finds the account and emits the event, so that the response time does not reveal
 * whether the login exists.
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

/** The argument of the hook `auth.account`, called once the event is stored. It never contains a secret. */
export interface AccountEvent {
  readonly name: AccountEventName;
  /** The account type: "user". */
  readonly type: string;
  /** The account's id; undefined for a failed login that no account has: `details.login_digest` identifies it. */
  readonly accountId: number | undefined;
  /** The client's address, where a request caused it. */
  readonly address: string | undefined;
  readonly at: Date;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}
