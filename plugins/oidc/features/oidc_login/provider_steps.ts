import type { Reply } from "framewright/host";
import type { AuthlibClass } from "framewright/plugins/authlib";
import type { Transaction } from "framewright/plugins/database";
import type { Account, NamedProvider, OidcClass, WithOidc } from "./context.ts";
import type { IdentityRow } from "./identities.ts";
import type { FoundIdentity } from "./pending.ts";

/** The steps that other features override for providers of their own; here those of the options. */
export function withProviders(Base: AuthlibClass<Account & WithOidc>): OidcClass {
  return class WithProviders extends Base {
    async findOidcProvider(name: string): Promise<NamedProvider | undefined> {
      return this.oidc.configured(name);
    }
    async oidcLabel(name: string): Promise<string> {
      return this.oidc.labelOf(name);
    }
    async reenterByOidc(_found: FoundIdentity): Promise<Reply | undefined> {
      return undefined;
    }
    mayCreateFromOidc(_found: FoundIdentity): boolean {
      const { invitedOnly } = this.optionsOf<{ invitedOnly?: boolean }>("create_account");
      return this.type.has("create_account") && !invitedOnly;
    }
    async beforeConnectOidc(_found: FoundIdentity): Promise<Reply | undefined> {
      return undefined;
    }
    async afterConnectOidc(_found: FoundIdentity, _transaction: Transaction): Promise<void> {}
    async oidcRemovalProblem(_identity: Pick<IdentityRow, "id" | "provider">): Promise<string | undefined> {
      return undefined;
    }
  };
}
