import type { Reply } from "framewright/host";
import type { AuthlibClass } from "framewright/plugins/authlib";
import type { IdentityClaims } from "../../contract.ts";
import { FACTOR, type OidcBase, type OidcClass, STRONG_FACTOR } from "./context.ts";
import { detailsOf, isPlain, isStorable } from "./found_claims.ts";
import type { IdentityRow } from "./identities.ts";
import type { OidcLoginSteps } from "./index.ts";
import { clearFound, type FoundIdentity, storeBegun, storeFound, takeBegun } from "./pending.ts";

type Steps = Pick<OidcLoginSteps, "beginOidc" | "completeOidc" | "endOidc" | "beforeOidc" | "newOidcIdentity">;

function noStore(reply: Reply): Reply {
  reply.headers["cache-control"] = "no-store";
  return reply;
}

/** Requests to and from providers: a sign-in starts and is completed, and a session at the provider has ended. */
export function withProviderRoutes(Base: OidcClass): AuthlibClass<OidcBase & Steps> {
  return class WithProviderRoutes extends Base {
    async beginOidc(): Promise<Reply> {
      const known = await this.oidc.requested();
      await this.load();
      const hint = this.account ? undefined : this.request.query.get("hint");
      try {
        const { provider, credentials } = known;
        const { url, begun } = await this.oidc.clients.begin(
          provider,
          credentials,
          this.oidc.callbackUrl(known.name),
          typeof hint === "string" ? hint : undefined,
        );
        storeBegun(this.session, this.type.name, known.binding ?? known.name, begun);
        return noStore(this.goTo(url.href));
      } catch (error) {
        return this.oidc.failed(known, "unreachable", error);
      }
    }

    async completeOidc(): Promise<Reply> {
      const known = await this.oidc.requested();
      const { provider, credentials, name, binding = name } = known;
      const query = this.request.query;
      await this.load();
      const begun = takeBegun(this.session, this.type.name, binding, String(query.get("state") ?? ""));
      if (!begun) return this.oidc.back("warning", this.t("oidc.expired"));
      if (query.get("error") === "access_denied") return this.oidc.back("info", this.t("oidc.cancelled"));
      let claims: IdentityClaims;
      try {
        const address = new URL(this.oidc.callbackUrl(name));
        address.search = new URL(this.request.raw.url ?? "", this.request.origin).search;
        claims = await this.oidc.clients.complete(provider, credentials, address, begun);
      } catch (error) {
        return this.oidc.failed(known, "wrong", error);
      }
      const subject = provider.subjectOf(claims);
      if (!subject || !isStorable(subject)) {
        await this.emitEvent("login_failed", { by: FACTOR, provider: name });
        return this.oidc.back("error", this.t("oidc.refused", { provider: provider.label }));
      }
      const refused = await this.beforeOidc(name, claims);
      if (refused) return refused;
      const found = {
        ...{ type: this.type.name, provider: name, label: provider.label, ...subject },
        ...detailsOf(claims),
        isProven: provider.provesEmail(claims) && isPlain(claims),
        isStrong: provider.isStrong(claims),
      };
      const row = await this.oidc.identities.find(subject);
      if (row) return this.#enter(row, { ...found, at: Date.now() });
      return this.newOidcIdentity({ ...found, at: Date.now() }, claims);
    }
    async newOidcIdentity(found: FoundIdentity, _claims: IdentityClaims): Promise<Reply> {
      storeFound(this.session, found);
      return this.goTo(this.type.path("oidc-identity"));
    }
    async beforeOidc(_provider: string, _claims: IdentityClaims): Promise<Reply | undefined> {
      return undefined;
    }

    /** Ends the sign-ins of a session that has ended at the provider. */
    async endOidc(): Promise<Reply> {
      const { name, provider, credentials } = await this.oidc.requested();
      let accounts: number[];
      try {
        const claims = await this.oidc.clients.ended(provider, credentials, this.param("logout_token") ?? "");
        const subject = typeof claims.sub === "string" ? provider.subjectOf(claims) : undefined;
        const sid = typeof claims.sid === "string" ? claims.sid : undefined;
        const issuer = provider.sessionIssuerOf ? provider.sessionIssuerOf(claims.iss) : claims.iss;
        const isOne = issuer !== undefined && (subject !== undefined || sid !== undefined);
        accounts = isOne ? await this.oidc.identities.end(issuer, subject, sid) : [];
      } catch (error) {
        const { message } = error as Error;
        this.application.log.warn({ provider: name, error: message }, "oidc: no logout token");
        return noStore(this.controller.json({ error: "invalid_request" }, { status: 400 }));
      }
      for (const id of accounts) await this.emitEvent("logout", { by: FACTOR, provider: name }, { id });
      return noStore(this.controller.json({}));
    }

    /** Signs in the account of an identity. */
    async #enter(row: IdentityRow, found: FoundIdentity): Promise<Reply> {
      const account = await this.findAccountById(row.account_id);
      if (this.isSignedIn) {
        const isOwn = account?.id === this.account!.id;
        const reply = isOwn ? await this.reenterByOidc(found) : undefined;
        if (reply) return reply;
        return this.oidc.back(isOwn ? "info" : "error", this.t(isOwn ? "oidc.connected_already" : "oidc.taken"));
      }
      if (!account || !(await this.maySignIn(account))) {
        if (account) await this.enqueueStep("mailRefusal", this.loginOf(account));
        await this.emitEvent("login_failed", { by: FACTOR, provider: row.provider }, account);
        return this.oidc.back("error", this.t("oidc.closed"));
      }
      clearFound(this.session);
      await this.oidc.identities.use(row, found.email);
      this.oidc.arrived = found;
      return this.login(account, found.isStrong ? STRONG_FACTOR : FACTOR);
    }
  };
}
