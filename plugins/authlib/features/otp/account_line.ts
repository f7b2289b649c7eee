import { decodeDate } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AuthlibBase } from "../../base.ts";
import { table } from "./keys.ts";

/** The overview's line about the authenticator app: a warning where the account has no second factor. */
export async function otpLine(authlib: AuthlibBase, row: Record<string, unknown> | undefined): Promise<AccountLine> {
  const t = (key: string) => authlib.t(`account.${key}`);
  const own = { section: "protection", name: "otp", label: authlib.t("links.otp"), page: "otp-setup" } as const;
  if (row) {
    const at = decodeDate(row.confirmed_at) as Date;
    return { ...own, level: "success", state: t("on"), text: t("otp_on"), at };
  }
  const off = { ...own, state: t("off"), action: t("set_up") };
  const hasAnother = await authlib.hasFactorStored(authlib.knex, { besides: table });
  if (hasAnother) return { ...off, text: t("otp_off") };
  return { ...off, level: "warning", text: t("otp_none") };
}
