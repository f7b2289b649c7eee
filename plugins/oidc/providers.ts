import { checkOptions, type OptionRule, option } from "framewright/kernel";
import type { IdentityClaims, OidcProvider, Subject } from "./contract.ts";
import { errors } from "./errors.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1"]);
const SCOPES = ["openid", "email", "profile"];

/** Which sign-ins at a provider count as two factors: by a method among `amr`, or by a class in `acr`. */
export interface StrongSignIn {
  amr?: readonly string[];
  acr?: readonly string[];
}
/** Options of every provider. */
export interface SharedProviderOptions {
  /** As people read it. */
  label?: string;
  scopes?: readonly string[];
  /** More parameters of the address that people are sent to, as `{ prompt: "select_account" }`. */
  parameters?: Readonly<Record<string, string>>;
  /** Which sign-ins there count as two factors; none by default. */
  secondFactor?: StrongSignIn;
}
/** Options of `provider()`. */
export interface ProviderOptions extends SharedProviderOptions {
  label: string;
  issuer: string;
  /** Whether an address that it calls verified is the person's: of a company's own provider. */
  verifiesEmail?: boolean;
  /** Who may come in, by the provider's claims about them; everybody by default. */
  accept?: (claims: IdentityClaims) => boolean;
}
/** Options of `google()`. */
export interface GoogleOptions extends SharedProviderOptions {
  /** The domains of Google Workspace whose people may come in; everybody by default. */
  domains?: readonly string[];
}
/** Options of `microsoft()`. */
export interface MicrosoftOptions extends SharedProviderOptions {
  /** The ids of the directories whose people may come in; those of all organisations by default. */
  tenants?: readonly string[];
}

const acceptRule: OptionRule = { expected: "a function", check: (value) => typeof value === "function" };
const textsByName: OptionRule = {
  expected: "texts by name",
  check: (value) =>
    typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string"),
};
const strong: OptionRule = {
  expected: 'as { amr: ["mfa"] }',
  check: (value) => typeof value === "object" && value !== null && ("amr" in value || "acr" in value),
};
const shared = { label: option.string, scopes: option.strings, parameters: textsByName, secondFactor: strong };

/** A provider of OpenID Connect, as a company's own. @throws FW_OIDC_ISSUER */
export function provider(options: ProviderOptions): OidcProvider {
  checkOptions("provider", options, {
    ...shared,
    issuer: option.string,
    verifiesEmail: option.boolean,
    accept: acceptRule,
  });
  const { issuer, verifiesEmail = false, accept = () => true } = options;
  checkIssuer(issuer);
  return {
    ...sharedPart(options.label, options),
    issuer,
    subjectOf: (claims) => (accept(claims) ? { issuer: claims.iss, subject: claims.sub } : undefined),
    provesEmail: ({ email_verified }) => verifiesEmail && email_verified === true,
  };
}

/** Google. The address of a Google account is the person's where Google hosts its domain. */
export function google(options: GoogleOptions = {}): OidcProvider {
  checkOptions("google", options, { ...shared, domains: option.strings });
  const { domains } = options;
  return {
    ...sharedPart("Google", { parameters: { prompt: "select_account" }, ...options }),
    issuer: "https://accounts.google.com",
    subjectOf: ({ iss, sub, hd }) =>
      domains === undefined || domains.includes(String(hd)) ? { issuer: iss, subject: sub } : undefined,
    sessionIssuerOf: (iss) => (/^(?:https:\/\/)?accounts\.google\.com$/.test(iss) ? iss : undefined),
    provesEmail: ({ email, email_verified, hd }) =>
      email_verified === true && (typeof hd === "string" || /@gmail\.com$/i.test(email ?? "")),
  };
}

/** Microsoft Entra ID. People are known by directory and object, as their addresses are whatever a directory's administrator types. */
export function microsoft(options: MicrosoftOptions = {}): OidcProvider {
  checkOptions("microsoft", options, { ...shared, tenants: option.strings });
  const { tenants } = options;
  const directory = tenants?.length === 1 ? tenants[0]! : "organizations";
  return {
    ...sharedPart("Microsoft", { parameters: { prompt: "select_account" }, ...options }),
    issuer: `https://login.microsoftonline.com/${directory}/v2.0`,
    subjectOf: ({ tid, oid }): Subject | undefined => {
      const isKnown = typeof tid === "string" && typeof oid === "string";
      if (!isKnown || (tenants && !tenants.includes(tid))) return undefined;
      return { issuer: `https://login.microsoftonline.com/${tid}/v2.0`, subject: oid };
    },
    sessionIssuerOf: (iss) => {
      const tenant = /^https:\/\/login\.microsoftonline\.com\/([\da-f-]{36})\/v2\.0$/.exec(iss)?.[1];
      return tenant && (!tenants || tenants.includes(tenant)) ? iss : undefined;
    },
    provesEmail: () => false,
  };
}

/** Whether a sign-in at a provider counts as two factors, by its claims. */
export const isStrongSignIn = (claims: IdentityClaims, { amr = [], acr = [] }: StrongSignIn): boolean =>
  (Array.isArray(claims.amr) && claims.amr.some((method) => amr.includes(method))) ||
  (typeof claims.acr === "string" && acr.includes(claims.acr));

function sharedPart(label: string, options: SharedProviderOptions) {
  const { scopes = SCOPES, parameters = {}, secondFactor = {} } = options;
  return {
    label: options.label ?? label,
    scopes: [...new Set(["openid", ...scopes])],
    parameters,
    isStrong: (claims: IdentityClaims): boolean => isStrongSignIn(claims, secondFactor),
  };
}

function checkIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLocal = url?.protocol === "http:" && LOOPBACK.has(url.hostname) && process.env.NODE_ENV !== "production";
  if (!url || (url.protocol !== "https:" && !isLocal) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw errors.FW_OIDC_ISSUER(issuer);
}
