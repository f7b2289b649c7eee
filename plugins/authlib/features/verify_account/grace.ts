import type { AccountLine } from "../../account_sections.ts";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";

/** When the grace period of an unverified account ends; undefined where its row has no `created_at`. */
export const graceEnd = ({ created_at }: AccountRecord, lifetime: number): Date | undefined =>
  created_at instanceof Date ? new Date(created_at.getTime() + lifetime) : undefined;

/** The overview's line before the address is verified. */
export function verificationLine(authlib: AuthlibBase, lifetime: number): AccountLine {
  const account = authlib.account!;
  const at = graceEnd(account, lifetime);
  return {
    section: "verification",
    name: "verification",
    label: authlib.loginOf(account),
    text: authlib.t("account.verification_text"),
    ...(at ? { at } : {}),
    level: "warning",
    state: authlib.t("account.unverified"),
    page: "verify-account",
    action: authlib.t("account.send_again"),
  };
}
