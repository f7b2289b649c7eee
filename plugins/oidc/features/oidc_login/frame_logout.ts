import { networkOf, Reply, tooManyRequests } from "framewright/host";
import type { AuthlibClass } from "framewright/plugins/authlib";
import { FACTOR, type OidcBase, type OidcClass } from "./context.ts";
import { isSid } from "./found_claims.ts";
import type { OidcLoginSteps } from "./index.ts";

type Steps = Pick<OidcLoginSteps, "endOidcInFrame">;

/**
 * OpenID Connect Front-Channel Logout 1.0: the provider's page loads this address in a frame. The browser may send no cookie there,
 * so that what ends is found by the session's name alone, which nobody can guess.
 */
export function withFrameLogout(Base: OidcClass): AuthlibClass<OidcBase & Steps> {
  return class WithFrameLogout extends Base {
    async endOidcInFrame(): Promise<Reply> {
      const { request } = this;
      const { name, provider } = await this.oidc.requested();
      const wait = await this.oidc.clients.frames?.consume(networkOf(request.address));
      if (wait !== undefined) throw tooManyRequests(wait);
      const [iss, sid] = [request.query.get("iss"), request.query.get("sid")];
      const issuer = typeof iss === "string" ? issuerOf(provider, iss) : undefined;
      const isOne = issuer !== undefined && isSid(sid);
      const accounts = isOne ? await this.oidc.identities.end(issuer, undefined, sid) : [];
      for (const id of accounts) await this.emitEvent("logout", { by: FACTOR, provider: name }, { id });
      // the same reply whether there was such a session or not
      return new Reply(isOne ? 200 : 400, "<!doctype html><title></title>", {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        pragma: "no-cache",
        "content-security-policy": `default-src 'none'; frame-ancestors ${new URL(provider.issuer).origin}`,
      });
    }
  };
}

type Issued = { readonly issuer: string; sessionIssuerOf?(iss: string): string | undefined };
const issuerOf = (provider: Issued, iss: string): string | undefined =>
  provider.sessionIssuerOf ? provider.sessionIssuerOf(iss) : iss === provider.issuer ? iss : undefined;
