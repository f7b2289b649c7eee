import type { AccountLine } from "../../account_sections.ts";
import type { AuthlibBase } from "../../base.ts";
import type { WebauthnOptions } from "./index.ts";

/** The overview's line about passkeys. Where they are a second factor, it is in the section "protection". */
export function passkeyLine(authlib: AuthlibBase, count: number, isRequired: boolean): AccountLine {
  const t = (key: string, vars = {}) => authlib.t(`account.${key}`, vars);
  const own: AccountLine = {
    section: isRequired ? "protection" : "sign_in",
    name: "webauthn",
    label: authlib.t("links.webauthn"),
    text: t("webauthn", { count }),
    page: "webauthn-setup",
    ...(count === 0 ? { action: t("set_up") } : {}),
  };
  if (!isRequired || (count === 0 && authlib.type.has("otp"))) return own; // otp() warns
  return count > 0 ? { ...own, level: "success", state: t("on") } : { ...own, level: "warning", state: t("off") };
}

/** Sentences that explain what a passkey is for. */
export function roleTexts(authlib: AuthlibBase, isSecondFactor: boolean): string[] {
  const { countsAsTwoFactors = true } = authlib.optionsOf<WebauthnOptions>("webauthn");
  const texts = [isSecondFactor ? "asked" : "not_asked", ...(countsAsTwoFactors ? [] : ["not_alone"])];
  return texts.map((text) => authlib.t(`webauthn_setup.${text}`));
}
