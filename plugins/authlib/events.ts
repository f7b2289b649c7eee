/** What happened to an account. */
export type AccountEventName =
  | "login"
  | "login_failed"
  | "logout"
  | "created"
  | "verified"
  | "password_reset_requested"
  | "password_changed"
  | "login_change_requested"
  | "login_changed"
  | "closed"
  | "locked"
  | "unlocked"
  | "second_factor_added"
  | "second_factor_removed"
  | "second_factor_failed"
  | "recovery_code_used"
  | "recovery_codes_made"
  | "sessions_revoked"
  | "email_link_requested"
  | "invited"
  | "compromise_reported"
  | "refreshed"
  | "refresh_reused";

/** Carried by the hook `auth.account`, once what happened is stored. No secret is ever in it. */
export interface AccountEvent {
  readonly name: AccountEventName;
  /** The account type: "user". */
  readonly type: string;
  /** The account's id; undefined where a login failed that nobody has. */
  readonly accountId: number | undefined;
  /** The client's address, where a request caused it. */
  readonly address: string | undefined;
  readonly at: Date;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}
