import { notFound, type Reply } from "framewright/host";
import type { AuthlibBase, AuthlibClass, CreateAccountSteps, LoginSteps } from "framewright/plugins/authlib";
import type { Transaction } from "framewright/plugins/database";
import type { ClientCredentials, OidcClients, OidcProvider } from "../../contract.ts";
import { credentialsOf, offered } from "./credentials.ts";
import { Identities, type IdentityRow } from "./identities.ts";
import type { OidcLoginOptions } from "./index.ts";
import { type FoundIdentity, foundOf } from "./pending.ts";

/** The factors of a sign-in at a provider: with one of its factors checked there, or two. */
export const FACTOR = "oidc";
export const STRONG_FACTOR = "oidc_strong";

/** A provider that is configured, by its name in the address. */
export interface NamedProvider {
  readonly name: string;
  /** What sign-ins are bound to from their start to their end, where that is more than the name: a provider that is changed meanwhile is another one. */
  readonly binding?: string;
  readonly provider: OidcProvider;
  readonly credentials: ClientCredentials;
}

/** The account plugin with the parts that all steps of the feature share. */
export interface WithOidc {
  /** The providers, identities and replies of this request. */
  readonly oidc: OidcContext;
}
/** The account plugin with the features that this one builds on. */
export type Account = AuthlibBase & LoginSteps & Partial<CreateAccountSteps>;
export type OidcBase = Account & WithOidc & ProviderSteps;
/** The steps that find providers; other features override them for providers of their own. */
export interface ProviderSteps {
  /** The provider of a name in an address; undefined is answered by 404. By default that of the options. */
  findOidcProvider(name: string): Promise<NamedProvider | undefined>;
  /** What people read for the name of a provider. */
  oidcLabel(name: string): Promise<string>;
  /** Called where a person who is signed in signs in at a provider again, by an identity of their own. Return the reply; by default a message. */
  reenterByOidc(found: FoundIdentity): Promise<Reply | undefined>;
  /** Whether its page offers to create an account. */
  mayCreateFromOidc(found: FoundIdentity): boolean;
  /** Called before an identity is connected to `this.account`. Return a reply to refuse. */
  beforeConnectOidc(found: FoundIdentity): Promise<Reply | undefined>;
  /** Called in the transaction that has connected it. */
  afterConnectOidc(found: FoundIdentity, transaction: Transaction): Promise<void>;
  /** Why an identity of `this.account` can't be removed, as a sentence; undefined where it can. */
  oidcRemovalProblem(identity: Pick<IdentityRow, "id" | "provider">): Promise<string | undefined>;
}
export type OidcClass = AuthlibClass<OidcBase>;

/** What the steps of the feature share during a request. */
export class OidcContext {
  readonly identities: Identities;
  /** The person who arrived from a provider with this request, and is signed in next. */
  arrived: FoundIdentity | undefined;
  /** The address that a provider has proven, while an account with it is created. */
  provenAddress: string | undefined;
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
    this.identities = new Identities(authlib);
  }

  get clients(): OidcClients {
    return this.#authlib.request.kernel.service("oidc");
  }
  get #options(): OidcLoginOptions {
    return this.#authlib.optionsOf<OidcLoginOptions>("oidc_login");
  }
  /** A person who signed in at a provider and is connected to no account yet. */
  get found(): FoundIdentity | undefined {
    return foundOf(this.#authlib.session, this.#authlib.type.name);
  }
  /** The providers that people are offered, with their labels. */
  get offered(): { name: string; label: string; url: string }[] {
    const { request, type } = this.#authlib;
    const names = offered(request, this.#options);
    return names.map((name) => ({ name, label: this.labelOf(name), url: type.path(`oidc/${name}`) }));
  }
  labelOf(name: string): string {
    return this.#options.providers[name]?.label ?? name;
  }
  /** A provider of the options by its name. */
  configured(name: string): NamedProvider | undefined {
    const { request } = this.#authlib;
    const provider = Object.hasOwn(this.#options.providers, name) ? this.#options.providers[name] : undefined;
    const credentials = credentialsOf(request.settings.values, name);
    return provider && credentials ? { name, provider, credentials } : undefined;
  }
  /** The provider in the address. @throws HttpError 404 */
  async requested(): Promise<NamedProvider> {
    const name = this.#authlib.request.params.string("provider") ?? "";
    const found = await (this.#authlib as OidcBase).findOidcProvider(name);
    if (!found) throw notFound();
    return found;
  }
  /** The factor that a sign-in at a provider counts as. */
  factorOf({ isStrong }: Pick<FoundIdentity, "isStrong">): string {
    return isStrong ? STRONG_FACTOR : FACTOR;
  }
  /** The address that a provider answers to: the same for both requests, whatever the host of this one. */
  callbackUrl(name: string): string {
    const { request, type } = this.#authlib;
    return (request.settings.appUrl?.origin ?? request.origin) + type.path(`oidc/${name}/callback`);
  }
  /** The reply to a sign-in that failed or was cancelled: back to the page that it started from, with a message. */
  back(level: "info" | "warning" | "error", message: string): Reply {
    const { request, type, isSignedIn } = this.#authlib;
    request.flash.add(level, message);
    return this.#authlib.goTo(type.path(isSignedIn ? "oidc-identities" : "login"));
  }
  /** The reply where a provider can't be reached, or its answer is not valid. The error goes to the log. */
  async failed({ name, provider }: NamedProvider, reason: "unreachable" | "wrong", error: unknown): Promise<Reply> {
    const authlib = this.#authlib;
    const { code, message, cause } = error as { code?: string; message?: string; cause?: { message?: string } };
    authlib.application.log.warn({ provider: name, code, error: message, cause: cause?.message }, `oidc: ${reason}`);
    if (reason === "wrong") await authlib.emitEvent("login_failed", { by: FACTOR, provider: name });
    return this.back("error", authlib.t(`oidc.${reason}`, { provider: provider.label }));
  }
}
