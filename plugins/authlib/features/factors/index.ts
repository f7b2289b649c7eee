import type { Reply } from "framewright/host";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

/** What the feature `factors` adds. */
export interface FactorsSteps {
  factorsPage(): Promise<Reply>;
  submitFactors(): Promise<Reply>;
}

/** A page that lists an account's second factors, links to the page of each, and removes them all. */
export function factors() {
  return defineFeature<FactorsSteps>({
    name: "factors",
    directory: import.meta.dirname,
    requires: ["login"],
    requiresOne: ["otp", "webauthn"],
    routes: form("factors", "account", { page: false }),
    steps,
  });
}

/** The factor's name in a sign-in, where it differs from the feature's. */
const factorNames: Record<string, string> = { recovery_codes: "recovery_code" };

function steps(Base: AuthlibClass) {
  return class WithFactors extends Base {
    async factorsPage(): Promise<Reply> {
      if (this.wantsJson) return this.controller.json({ data: await this.listFactors() });
      return this.page("factors", await this.#locals());
    }
    async submitFactors(): Promise<Reply> {
      const refused = await this.confirmIdentity("factors", await this.#locals());
      if (refused) return refused;
      const removed = await this.changeFactors((trx) => this.removeFactors(trx));
      if (!removed) return this.requireAuthentication(); // this sign-in has ended meanwhile
      const removedNames = removed.map((kind) => factorNames[kind] ?? kind);
      await this.renewSession(this.signIn!.factors.filter((factor) => !removedNames.includes(factor)));
      for (const kind of removed) await this.emitEvent("second_factor_removed", { kind });
      return this.done(this.t("factors.removed"), this.type.path("factors"));
    }

    async #locals() {
      const list = await this.listFactors();
      return {
        list: list.map((one) => ({
          ...one,
          url: this.type.path(one.page),
          label: this.t(`links.${one.name}`),
          detail: this.t(`factors.${one.name}`, { count: one.count }),
        })),
        any: list.some(({ count }) => count > 0),
        csrf: this.csrf("factors"),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
      };
    }
  };
}
