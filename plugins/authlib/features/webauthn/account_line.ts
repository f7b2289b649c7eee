import type { AccountLine } from "../../account_sections.ts";
import type { AuthlibBase } from "../../base.ts";

/** What the account's overview says of passkeys: where they are a second factor, having one is what protects the account. */
export function passkeyLine(authlib: AuthlibBase, count: number, isAsked: boolean): AccountLine {
  const t = (key: string, vars = {}) => authlib.t(`account.${key}`, vars);
  const own: AccountLine = {
    section: isAsked ? "protection" : "sign_in",
    name: "webauthn",
    label: authlib.t("links.webauthn"),
    text: t("webauthn", { count }),
    page: "webauthn-setup",
    ...(count === 0 ? { action: t("set_up") } : {}),
  };
  if (!isAsked || (count === 0 && authlib.type.has("otp"))) return own; // that feature warns
  return count > 0 ? { ...own, level: "success", state: t("on") } : { ...own, level: "warning", state: t("off") };
}
