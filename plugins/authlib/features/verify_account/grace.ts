import type { AccountLine } from "../../account_sections.ts";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";

/** Until when an account may be used that nobody has verified; undefined where its row does not say when it was made. */
export const graceEnd = ({ created_at }: AccountRecord, lifetime: number): Date | undefined =>
  created_at instanceof Date ? new Date(created_at.getTime() + lifetime) : undefined;

/** What the account's overview says before the address is verified. */
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
