import { notFound, type Reply } from "framewright/host";
import {
  type AccountLine,
  type AccountRecord,
  type AuthlibBase,
  type AuthlibClass,
  type CreateAccountSteps,
  type LoginSteps,
  storeTypedLogin,
} from "framewright/plugins/authlib";
import { type Transaction, ValidationError } from "framewright/plugins/database";
import type { ClientCredentials, IdentityClaims, OidcProvider } from "../../contract.ts";
import { credentialsOf, offered } from "./credentials.ts";
import { detailsOf, isPlain, isStorable } from "./found_claims.ts";
import { Identities, type IdentityRow } from "./identities.ts";
import type { OidcLoginOptions, OidcLoginSteps } from "./index.ts";
import { clearFound, type FoundIdentity, foundOf, storeBegun, storeFound, takeBegun } from "./pending.ts";

/** How the sign-in names a provider's in its factors: one of two factors satisfies what asks for a second one. */
const FACTOR = "oidc";
const STRONG_FACTOR = "oidc_strong";
const OWN_FACTORS = new Set([FACTOR, STRONG_FACTOR]);
const MINUTE_MS = 60_000;
const CONFIRMED_MINUTES = 10;

interface Known {
  readonly name: string;
  readonly provider: OidcProvider;
  readonly credentials: ClientCredentials;
}
type Base = AuthlibBase & LoginSteps & Partial<CreateAccountSteps>;

function noStore(reply: Reply): Reply {
  reply.headers["cache-control"] = "no-store";
  return reply;
}

/** The steps of the feature `oidc_login`. */
export function steps(Parent: AuthlibClass): AuthlibClass<AuthlibBase & OidcLoginSteps> {
  return class WithOidc extends (Parent as AuthlibClass<Base>) {
    readonly #identities = new Identities(this);
    /** The address that a provider has proven, of the account that is being created. */
    #provenAddress: string | undefined;
    /** Who came from a provider with this request. */
    #arrived: FoundIdentity | undefined;

    override get newAccountStatus(): string {
      return this.#provenAddress === undefined ? super.newAccountStatus : "verified";
    }
    override async pendingFor(account: AccountRecord, factors: readonly string[]) {
      const pending = await super.pendingFor(account, factors);
      return factors.includes(STRONG_FACTOR) ? undefined : pending;
    }
    /** A sign-in at a provider within the last minutes confirms who it is, of an account that has no password. */
    override async isConfirmed(within = CONFIRMED_MINUTES): Promise<boolean> {
      if (await super.isConfirmed(within)) return true;
      const { factors, createdAt } = this.signIn!;
      const isFresh = Date.now() - createdAt.getTime() < within * MINUTE_MS;
      return isFresh && factors.some((one) => OWN_FACTORS.has(one)) && !(await this.hasPassword(this.account!));
    }
    override loginLinks() {
      const ways = offered(this.request, this.#options).map((name) => ({
        label: this.t("oidc.sign_in", { provider: this.#options.providers[name]!.label }),
        url: this.type.path(`oidc/${name}`),
        icon: "user-circle",
        isExternal: true,
      }));
      return [...ways, ...super.loginLinks()];
    }
    override async afterFirstFactor(account: AccountRecord, key: string): Promise<void> {
      if (this.#arrived) await this.#identities.bind(account.id, this.signIn!.id, this.#arrived);
      await super.afterFirstFactor(account, key);
    }
    override async loggedIn(): Promise<Reply> {
      const found = this.#found;
      if (!found || this.wantsJson || !this.isVerified || (await this.#identities.find(found))) return super.loggedIn();
      return this.goTo(this.type.path("oidc-identity")); // the requested page comes after it
    }
    override async accountLines(): Promise<AccountLine[]> {
      const own = await this.#identities.of(this.account!.id);
      const labels = [...new Set(own.map(({ provider }) => this.#labelOf(provider)))].join(", ");
      const line: AccountLine = {
        section: "sign_in",
        name: "oidc",
        label: this.t("oidc_identities.title"),
        text: labels === "" ? this.t("oidc_identities.none") : labels,
        page: "oidc-identities",
        ...(labels === "" ? { action: this.t("oidc_identities.connect") } : {}),
      };
      return [...(await super.accountLines()), line];
    }

    async beginOidc(): Promise<Reply> {
      const known = this.#known();
      await this.load();
      const hint = this.account ? undefined : this.request.query.get("hint");
      try {
        const { provider, credentials } = known;
        const clients = this.request.kernel.service("oidc");
        const { url, begun } = await clients.begin(
          provider,
          credentials,
          this.#callback(known.name),
          typeof hint === "string" ? hint : undefined,
        );
        storeBegun(this.session, this.type.name, known.name, begun);
        const reply = this.goTo(url.href);
        reply.headers["cache-control"] = "no-store";
        return reply;
      } catch (error) {
        return this.#failed(known, "unreachable", error);
      }
    }

    async completeOidc(): Promise<Reply> {
      const known = this.#known();
      const { provider, credentials, name } = known;
      const query = this.request.query;
      await this.load();
      const begun = takeBegun(this.session, this.type.name, name, String(query.get("state") ?? ""));
      if (!begun) return this.#back("warning", this.t("oidc.expired"));
      if (query.get("error") === "access_denied") return this.#back("info", this.t("oidc.cancelled"));
      let claims: IdentityClaims;
      try {
        const address = new URL(this.#callback(name));
        address.search = new URL(this.request.raw.url ?? "", this.request.origin).search;
        claims = await this.request.kernel.service("oidc").complete(provider, credentials, address, begun);
      } catch (error) {
        return this.#failed(known, "wrong", error);
      }
      const subject = provider.subjectOf(claims);
      if (!subject || !isStorable(subject)) {
        await this.emitEvent("login_failed", { by: FACTOR, provider: name });
        return this.#back("error", this.t("oidc.refused", { provider: provider.label }));
      }
      const refused = await this.beforeOidc(name, claims);
      if (refused) return refused;
      const found = {
        ...{ type: this.type.name, provider: name, ...subject },
        ...detailsOf(claims),
        isProven: provider.provesEmail(claims) && isPlain(claims),
        isStrong: provider.isStrong(claims),
      };
      const row = await this.#identities.find(subject);
      if (row) return this.#enter(row, { ...found, at: Date.now() });
      storeFound(this.session, found);
      return this.goTo(this.type.path("oidc-identity"));
    }
    async beforeOidc(_provider: string, _claims: IdentityClaims): Promise<Reply | undefined> {
      return undefined;
    }

    async oidcIdentityPage(): Promise<Reply> {
      const refused = await this.#requireFound();
      return refused ?? this.page(this.account ? "oidc_connect" : "oidc_new", await this.#foundLocals());
    }
    async submitOidcIdentity(): Promise<Reply> {
      const refused = await this.#requireFound();
      if (refused) return refused;
      if (this.param("discard") !== undefined) {
        clearFound(this.session);
        return this.account ? super.loggedIn() : this.goTo(this.type.path("login"));
      }
      return this.account ? this.#connect() : this.#create();
    }

    async oidcIdentitiesPage(): Promise<Reply> {
      return this.page("oidc_identities", await this.#listLocals());
    }
    async submitOidcIdentities(): Promise<Reply> {
      const account = this.account!;
      const own = await this.#identities.of(account.id);
      const row = own.find(({ id }) => String(id) === this.param("remove"));
      if (!row) return this.goTo(this.type.path("oidc-identities"));
      const locals = await this.#listLocals();
      const keepsOne = !(await this.#hasOtherWay());
      const only = () => this.refuse("oidc_identities", { message: this.t("oidc_identities.only"), locals });
      if (keepsOne && own.length === 1) return only();
      const asked = await this.confirmIdentity("oidc_identities", locals);
      if (asked) return asked;
      const isRemoved = await this.changeFactors((trx) => this.#identities.remove(account.id, row.id, keepsOne, trx));
      if (isRemoved === "only") return only(); // the others were removed meanwhile
      if (isRemoved) await this.emitEvent("identity_removed", { provider: row.provider });
      return this.done(this.t("oidc_identities.removed"), this.type.path("oidc-identities"));
    }
    oidcAccountValues({ name }: Pick<IdentityClaims, "name" | "email">): Record<string, unknown> {
      const isColumn = this.type.model.columns.get("name")?.type === "string";
      return isColumn && name !== undefined ? { name } : {};
    }

    /** Ends the sign-ins of a session that has ended at the provider. */
    async endOidc(): Promise<Reply> {
      const { name, provider, credentials } = this.#known();
      let accounts: number[];
      try {
        const clients = this.request.kernel.service("oidc");
        const claims = await clients.ended(provider, credentials, this.param("logout_token") ?? "");
        const subject = typeof claims.sub === "string" ? provider.subjectOf(claims) : undefined;
        const sid = typeof claims.sid === "string" ? claims.sid : undefined;
        accounts = subject || sid !== undefined ? await this.#identities.end(claims.iss, subject, sid) : [];
      } catch (error) {
        const { message } = error as Error;
        this.application.log.warn({ provider: name, error: message }, "oidc: no logout token");
        return noStore(this.controller.json({ error: "invalid_request" }, { status: 400 }));
      }
      for (const id of accounts) await this.emitEvent("logout", { by: FACTOR, provider: name }, { id });
      return noStore(this.controller.json({}));
    }

    get #options(): OidcLoginOptions {
      return this.optionsOf<OidcLoginOptions>("oidc_login");
    }
    get #found(): FoundIdentity | undefined {
      return foundOf(this.session, this.type.name);
    }
    #labelOf(name: string): string {
      return this.#options.providers[name]?.label ?? name;
    }
    /** The provider of the address. @throws HttpError 404 */
    #known(): Known {
      const name = this.request.params.string("provider") ?? "";
      const provider = Object.hasOwn(this.#options.providers, name) ? this.#options.providers[name] : undefined;
      const credentials = credentialsOf(this.request.settings.values, name);
      if (!provider || !credentials) throw notFound();
      return { name, provider, credentials };
    }
    /** The address that the provider answers to: the same for both requests, whatever the host of this one. */
    #callback(name: string): string {
      const { settings, origin } = this.request;
      return (settings.appUrl?.origin ?? origin) + this.type.path(`oidc/${name}/callback`);
    }
    /** Where a sign-in that did not come about leads. */
    #back(level: "info" | "warning" | "error", message: string): Reply {
      this.request.flash.add(level, message);
      return this.goTo(this.type.path(this.isSignedIn ? "oidc-identities" : "login"));
    }
    async #failed({ name, provider }: Known, reason: "unreachable" | "wrong", error: unknown): Promise<Reply> {
      const { code, message, cause } = error as { code?: string; message?: string; cause?: { message?: string } };
      this.application.log.warn({ provider: name, code, error: message, cause: cause?.message }, `oidc: ${reason}`);
      if (reason === "wrong") await this.emitEvent("login_failed", { by: FACTOR, provider: name });
      return this.#back("error", this.t(`oidc.${reason}`, { provider: provider.label }));
    }

    /** Signs in the account of an identity. */
    async #enter(row: IdentityRow, found: FoundIdentity): Promise<Reply> {
      const account = await this.findAccountById(row.account_id);
      if (this.isSignedIn) {
        const isOwn = account?.id === this.account!.id;
        return this.#back(isOwn ? "info" : "error", this.t(isOwn ? "oidc.connected_already" : "oidc.taken"));
      }
      if (!account || !(await this.maySignIn(account))) {
        if (account) await this.enqueueStep("mailRefusal", this.loginOf(account));
        await this.emitEvent("login_failed", { by: FACTOR, provider: row.provider }, account);
        return this.#back("error", this.t("oidc.closed"));
      }
      clearFound(this.session);
      await this.#identities.use(row, found.email);
      this.#arrived = found;
      return this.login(account, found.isStrong ? STRONG_FACTOR : FACTOR);
    }

    async #requireFound(): Promise<Reply | undefined> {
      await this.load();
      if (this.signIn?.pending !== undefined) return this.requirePendingStep(this.signIn.pending);
      return this.#found ? undefined : this.#back("warning", this.t("oidc.expired"));
    }
    async #foundLocals() {
      const { provider, email, name } = this.#found!;
      const shown = {
        provider: this.#labelOf(provider),
        identity: email ?? name ?? "",
        csrf: this.csrf("oidc-identity"),
      };
      if (this.account)
        return { ...shown, login: this.loginOf(this.account), asks_password: await this.asksForPassword() };
      return { ...shown, may_create: this.#mayCreate, address: email };
    }
    get #mayCreate(): boolean {
      const { invitedOnly } = this.optionsOf<{ invitedOnly?: boolean }>("create_account");
      return this.type.has("create_account") && !invitedOnly;
    }

    async #connect(): Promise<Reply> {
      const found = this.#found!;
      const asked = await this.confirmIdentity("oidc_connect", await this.#foundLocals());
      if (asked) return asked;
      const account = this.account!;
      const isAdded = await this.changeFactors((trx) => this.#identities.add(account.id, found, trx));
      clearFound(this.session);
      if (isAdded === undefined) return this.requireAuthentication();
      const taken = isAdded ? undefined : await this.#identities.find(found);
      if (taken && taken.account_id !== account.id) return this.#back("error", this.t("oidc.taken"));
      if (isAdded) await this.emitEvent("identity_connected", { provider: found.provider });
      const message = this.t("oidc.connected", { provider: this.#labelOf(found.provider) });
      return this.done(message, this.takeReturn() ?? this.type.path("oidc-identities"));
    }

    /** Creates an account from what a provider says: at once where it proves the address, else by a mailed link. */
    async #create(): Promise<Reply> {
      const found = this.#found!;
      const refuse = async (message: string) => this.refuse("oidc_new", { message, locals: await this.#foundLocals() });
      if (!this.#mayCreate) return refuse(this.t("oidc.invited_only"));
      const login = this.normalizeLogin(found.email ?? "");
      const problem = login === "" ? this.t("oidc.no_address") : this.loginProblem(login);
      if (problem !== undefined) return refuse(problem);
      if (!found.isProven) return this.#toSignUp(login);
      await this.takeMail("create-account", login);
      const refused = await this.beforeCreateAccount!(login);
      if (refused) return refused;
      this.#provenAddress = login;
      try {
        const account = await this.transaction((trx) => this.#insert(login, found, trx));
        if (!account) return refuse(this.t("oidc.address_taken"));
        clearFound(this.session);
        const { provider } = found;
        await this.emitEvent("identity_connected", { provider }, account);
        this.#arrived = found;
        return this.login((await this.findAccountById(account.id))!, found.isStrong ? STRONG_FACTOR : FACTOR);
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        const isTaken = this.type.class.loginColumn in error.problems;
        return refuse(isTaken ? this.t("oidc.address_taken") : Object.values(error.fields).flat().join(" "));
      } finally {
        this.#provenAddress = undefined;
      }
    }
    async #insert(login: string, found: FoundIdentity, transaction: Transaction): Promise<AccountRecord | undefined> {
      const values = this.oidcAccountValues(found);
      const account = await this.signUp!({ login, values, transaction });
      if (account && !(await this.#identities.add(account.id, found, transaction)))
        throw this.invalid({}, this.t("oidc.taken")); // connected to another account meanwhile: undoes the account
      return account;
    }
    /** To the sign-up with the address filled in: whoever has an address by their word alone verifies it by mail. */
    #toSignUp(login: string): Reply {
      storeTypedLogin(this.session, this.type.name, login);
      this.request.flash.add("info", this.t("oidc.verify_address", { provider: this.#labelOf(this.#found!.provider) }));
      return this.goTo(this.type.path("create-account"));
    }

    async #listLocals() {
      const own = await this.#identities.of(this.account!.id);
      const connected = new Set(own.map(({ provider }) => provider));
      return {
        identities: own.map((row) => ({ ...row, label: this.#labelOf(row.provider) })),
        others: offered(this.request, this.#options)
          .filter((name) => !connected.has(name))
          .map((name) => ({ label: this.#labelOf(name), url: this.type.path(`oidc/${name}`) })),
        csrf: this.csrf("oidc-identities"),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
      };
    }
    /** Whether the account can be signed in to without a provider. */
    async #hasOtherWay(): Promise<boolean> {
      if (this.type.has("reset_password") || this.type.has("email_auth")) return true;
      if (await this.hasPassword(this.account!)) return true;
      return (await this.listFactors()).some(({ name, count }) => name === "webauthn" && count > 0);
    }
  } as unknown as AuthlibClass<AuthlibBase & OidcLoginSteps>;
}
