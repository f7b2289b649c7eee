import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibClass } from "../../feature.ts";
import { describeAgent } from "../active_sessions/agents.ts";
import { Ceremony } from "./ceremony.ts";
import { hostProblem } from "./host.ts";
import type { WebauthnOptions } from "./index.ts";
import { PasskeyStore } from "./passkey_store.ts";

/** Lets people choose a passkey instead of a password after they have verified the address. */
export function withSignUp(Base: AuthlibClass): AuthlibClass {
  return class WithSignUp extends Base {
    readonly #keys = new PasskeyStore(this);
    readonly #ceremony = new Ceremony(this, this.#keys, this.optionsOf<WebauthnOptions>("webauthn").rpId);

    override async passkeyOffer(account: AccountRecord): Promise<Record<string, unknown>> {
      const { origin, rpId } = this.#ceremony;
      const { hostname } = new URL(this.request.origin);
      if (this.wantsJson || hostProblem(hostname, new URL(origin).protocol, rpId)) return super.passkeyOffer(account);
      const options = await this.#as(account, () => this.#ceremony.askToRegister({ isOnly: true }));
      return { ...(await super.passkeyOffer(account)), passkey_options: JSON.stringify(options) };
    }
    override async sentPasskey(account: AccountRecord) {
      if (!this.request.body.has("credential")) return super.sentPasskey(account);
      return this.#as(account, async () => {
        const kept = await this.#ceremony.takeRegistration();
        const credential = kept && (await this.#ceremony.registered(kept, { isOnly: true }));
        if (!credential || (await this.#keys.byCredential(credential.id))) return "wrong" as const;
        const name = describeAgent(this.request.header("user-agent") ?? "") ?? this.t("webauthn_setup.unnamed");
        return (trx: Transaction) =>
          this.#as(account, async () => {
            const added = await this.#keys.add(credential, { handle: kept.handle, name }, trx);
            if (added !== "added") throw this.invalid({}, this.t("webauthn_setup.wrong")); // another account has registered it meanwhile
            await this.removeHash(account, trx);
          });
      });
    }
    /** Runs work as the link's account: nobody is signed in yet. */
    async #as<T>(account: AccountRecord, work: () => Promise<T>): Promise<T> {
      const before = this.account;
      this.account = account;
      try {
        return await work();
      } finally {
        this.account = before;
      }
    }
  };
}
