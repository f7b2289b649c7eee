import type { GuardedFetch } from "framewright/host/outbound";
import { type IdentityClaims, isStrongSignIn, type NamedProvider } from "framewright/plugins/oidc";
import type { Connection } from "../../contract.ts";
import { providerName } from "../../store/connections.ts";
import type { TenantSsoOptions } from "./index.ts";

interface Parts {
  readonly connection: Connection;
  readonly secret: string;
  readonly label: string;
  readonly fetch: GuardedFetch;
  readonly options: TenantSsoOptions;
}

/** A tenant's provider, whose subjects and sessions are its own: another tenant may use the same issuer. */
export function providerOfTenant({ connection, secret, label, fetch, options }: Parts): NamedProvider {
  const { id, tenant_id, revision, issuer, client_id } = connection;
  const name = providerName(tenant_id);
  const ownIssuer = (iss: string) => (iss === issuer ? `connection ${id} of ${iss}` : undefined);
  return {
    name,
    binding: `${name} ${revision}`,
    credentials: { id: client_id, secret },
    provider: {
      ...{ label, issuer, parameters: {}, fetch },
      scopes: [...new Set(["openid", ...(options.scopes ?? ["email", "profile"])])],
      subjectOf: ({ iss, sub }: IdentityClaims) => {
        const own = ownIssuer(iss);
        return own === undefined ? undefined : { issuer: own, subject: sub };
      },
      provesEmail: () => false, // what it vouches for depends on the tenant's domains
      isStrong: (claims) => isStrongSignIn(claims, options.secondFactor ?? {}),
      sessionIssuerOf: ownIssuer,
    },
  };
}

const GOOGLE = "https://accounts.google.com";
/** Endpoints at which everybody's directories sign in. */
const SHARED = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/i;

/** Whether an issuer is that of no company: its tokens would be about anybody. */
export const isSharedIssuer = (issuer: string): boolean => SHARED.test(issuer);

/** The domain for which the claims must be by more than an address: of Google also accounts that only use a company's address. */
export const hostedDomain = ({ issuer }: Connection, { hd }: IdentityClaims): string | false | undefined =>
  issuer === GOOGLE ? (typeof hd === "string" ? hd : false) : undefined;
