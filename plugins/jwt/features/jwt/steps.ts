import { problemReply, type Reply } from "framewright/host";
import type { AccountRecord, AuthlibBase, AuthlibClass, LogoutSteps, SignIn } from "framewright/plugins/authlib";
import type { Claims, TokenKind } from "../../contract.ts";
import type { JwtOptions, JwtSteps } from "./index.ts";
import { addMembers, claimsFor, tokensOf } from "./parts.ts";

const MINUTE_SECONDS = 60;

/** The steps of the feature `jwt`. */
export function steps(Base: AuthlibClass): AuthlibClass<AuthlibBase & JwtSteps> {
  return class WithTokens extends Base {
    tokenKey: string | undefined;
    bearerLoad: Promise<AccountRecord | undefined> | undefined;
    pendingToken: string | undefined;
    freshTokens: Record<string, string> | undefined;

    /** A bearer token takes precedence over cookies. */
    override load(): Promise<AccountRecord | undefined> {
      const { bearer } = this.request;
      if (bearer === undefined) return super.load();
      this.bearerLoad ??= this.loadBearer(bearer);
      return this.bearerLoad;
    }
    async loadBearer(token: string): Promise<AccountRecord | undefined> {
      if (await this.resumeToken("access", token)) return this.signIn?.pending === undefined ? this.account : undefined;
      await this.resumeToken("pending", token); // valid for the second factor's routes only
      return undefined;
    }
    async resumeToken(kind: TokenKind, token: string): Promise<Claims | undefined> {
      const claims = await tokensOf(this).verify(kind, token, this.type.name);
      this.dropSignIn();
      if (!claims) return undefined;
      await this.resumeSession(claims.sid);
      if (!this.signIn || String(this.account?.id) !== claims.sub) return this.dropSignIn();
      this.tokenKey = claims.sid;
      return claims;
    }
    dropSignIn(): undefined {
      this.account = undefined;
      this.signIn = undefined;
      this.tokenKey = undefined;
    }

    override get sessionKey(): string | undefined {
      return this.tokenKey ?? super.sessionKey;
    }
    /** A client that gets tokens gets no cookie. */
    override get keepsSession(): boolean {
      return super.keepsSession && !this.answersTokens;
    }
    /** Whether to reply with tokens: to JSON clients without a session. Scripts of our own pages have one, and use it. */
    get answersTokens(): boolean {
      return this.type.class.apiOnly || (this.wantsJson && !this.request.carriesSession);
    }
    override keepSession(key: string): void {
      if (this.tokenKey === undefined) super.keepSession(key);
      else this.tokenKey = key;
    }
    override async afterFirstFactor(account: AccountRecord, key: string): Promise<void> {
      if (this.answersTokens) this.tokenKey = key;
      await this.preparePending();
      await super.afterFirstFactor(account, key);
    }
    override async renewSession(factors: readonly string[], pending?: SignIn["pending"]): Promise<void> {
      await super.renewSession(factors, pending);
      await this.preparePending();
      const isGiven = this.tokenKey !== undefined && pending === undefined;
      this.freshTokens = isGiven ? await this.tokens(this.tokenKey!) : undefined; // the earlier ones are void
    }
    override forgetSession(): void {
      if (this.tokenKey === undefined) super.forgetSession();
      this.dropSignIn();
      this.bearerLoad = Promise.resolve(undefined);
    }

    override async loggedIn(): Promise<Reply> {
      if (this.tokenKey === undefined) return super.loggedIn();
      return this.answerTokens(this.freshTokens ?? (await this.tokens(this.tokenKey)));
    }
    /** Adds new tokens where the change, as a new password, has voided the earlier ones. */
    override done(message: string, location: string): Reply {
      const reply = super.done(message, location);
      if (this.freshTokens) addMembers(reply, this.freshTokens);
      return reply;
    }
    answerTokens(tokens: Record<string, string>): Reply {
      const reply = this.controller.json(tokens);
      Object.assign(reply.headers, { "cache-control": "no-store", pragma: "no-cache" });
      return reply;
    }
    async tokens(key: string): Promise<Record<string, string>> {
      const { lifetime = 15 * MINUTE_SECONDS } = this.optionsOf<JwtOptions>("jwt");
      return { access_token: await this.issueToken("access", key, lifetime) };
    }
    issueToken(kind: TokenKind, key: string, lifetime: number): Promise<string> {
      return tokensOf(this).issue(kind, claimsFor(this.type.name, this.account!, key, lifetime));
    }
    async preparePending(): Promise<void> {
      const isPending = this.tokenKey !== undefined && this.signIn?.pending !== undefined;
      this.pendingToken = isPending ? await this.issueToken("pending", this.tokenKey!, 5 * MINUTE_SECONDS) : undefined;
    }
    /** Adds the pending token: the bearer for the second factor's routes, and for nothing else. */
    override requirePendingStep(pending: NonNullable<SignIn["pending"]>): Reply {
      const reply = super.requirePendingStep(pending);
      if (this.pendingToken !== undefined) addMembers(reply, { pending_token: this.pendingToken });
      return reply;
    }

    /** API clients get problem details, whatever their Accept header. */
    override problem(error: Error): Reply {
      const isApi = this.request.bearer !== undefined || this.type.class.apiOnly;
      const reply = isApi ? problemReply(error, this.application, this.request) : super.problem(error);
      if (reply.status === 401) reply.headers["www-authenticate"] ??= this.challenge;
      return reply;
    }
    override async requireAuthentication(): Promise<Reply> {
      return this.request.bearer === undefined ? super.requireAuthentication() : this.problem(this.unauthorized());
    }
    /** RFC 6750: the scheme alone without a token, and the error with an invalid one. */
    override get challenge(): string {
      const realm = `Bearer realm="${this.type.plural}"`;
      return this.request.bearer === undefined ? realm : `${realm}, error="invalid_token"`;
    }
    /** Replies 401 to a client without a valid sign-in: the one that it wanted to end may still be valid. */
    async submitLogout(): Promise<Reply> {
      await this.load();
      if (!this.signIn && (this.request.bearer !== undefined || this.type.class.apiOnly))
        return this.problem(this.unauthorized());
      return (Base.prototype as AuthlibBase & LogoutSteps).submitLogout.call(this);
    }
  };
}
