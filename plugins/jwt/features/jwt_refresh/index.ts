import { HttpError, type Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import {
  type AuthlibBase,
  type AuthlibClass,
  defineFeature,
  type LogoutSteps,
  type SignIn,
} from "framewright/plugins/authlib";
import type { Transaction } from "framewright/plugins/database";
import { type Lifetimes, RefreshKeys, type Successor } from "../../refresh_keys.ts";
import type { JwtSteps } from "../jwt/index.ts";
import { claimsFor, tokensOf } from "../jwt/parts.ts";

/** Options of `jwtRefresh()`. */
export interface JwtRefreshOptions {
  /** Seconds for which a refresh token is valid; each use starts them again. */
  lifetime?: number;
  /** Seconds in which the last spent token gets the same successor once more. */
  grace?: number;
}
/** What the feature `jwt_refresh` adds. */
export interface JwtRefreshSteps {
  /** `POST /<account_plural>/jwt-refresh`. */
  refreshTokens(): Promise<Reply>;
  /** Called after a spent token was used again; its family and sign-in have ended. */
  afterReuse(): Promise<void>;
}
const DAY_SECONDS = 86_400;
const table = "jwt_refresh_keys";

/** Adds a refresh token to each JSON login, rotated at each use: `POST /<account_plural>/jwt-refresh`. */
export function jwtRefresh(options: JwtRefreshOptions = {}) {
  checkOptions("jwtRefresh", options, { lifetime: option.number, grace: option.number });
  return defineFeature<JwtRefreshSteps>({
    name: "jwt_refresh",
    requires: ["jwt"],
    directory: import.meta.dirname,
    options,
    tables: [table],
    routes: [{ verb: "POST", path: "jwt-refresh", run: "refreshTokens", who: "anyone" }],
    steps: (Base) => steps(Base as BaseClass) as unknown as AuthlibClass<AuthlibBase & JwtRefreshSteps>,
  });
}
type BaseClass = AuthlibClass<AuthlibBase & JwtSteps & LogoutSteps>;

function steps(Base: BaseClass) {
  return class WithRefresh extends Base {
    get lives(): Lifetimes {
      return { lifetime: 14 * DAY_SECONDS, grace: 10, ...this.optionsOf<JwtRefreshOptions>("jwt_refresh") };
    }
    get refreshKeys(): RefreshKeys {
      const { database, digests } = this.type.services;
      return new RefreshKeys(database, digests, this.type.table(table));
    }

    override async tokens(key: string): Promise<Record<string, string>> {
      return this.pair(key, await this.refreshKeys.start(this.account!, key, this.lives));
    }
    async pair(key: string, { jti, iat }: Successor): Promise<Record<string, string>> {
      const claims = claimsFor(this.type.name, this.account!, key, this.lives.lifetime);
      const refresh = { ...claims, jti, iat, exp: iat + this.lives.lifetime };
      return { ...(await super.tokens(key)), refresh_token: await tokensOf(this).issue("refresh", refresh) };
    }

    /** verify → find the sign-in → rotate → reply. Every invalid token gets the same reply. */
    async refreshTokens(): Promise<Reply> {
      const fields = this.blanks("refresh_token");
      if (fields) return this.problem(this.invalid(fields));
      const claims = await this.resumeToken("refresh", this.param("refresh_token")!);
      if (!claims || this.signIn?.pending !== undefined) return this.problem(this.invalidToken());
      const { id } = this.signIn!;
      const sessions = this.type.table("active_session_keys");
      const next = await this.refreshKeys.rotate(claims, this.lives, async (trx) => {
        await trx(sessions).where({ id }).delete();
      });
      if (next === "reused") await this.afterReuse();
      if (typeof next === "string") return this.problem(this.invalidToken());
      await this.emitEvent("refreshed");
      return this.answerTokens(await this.pair(claims.sid, next));
    }
    invalidToken(): HttpError {
      const challenge = `Bearer realm="${this.type.plural}", error="invalid_token"`;
      const message = "the refresh token is not valid; log in again.";
      return new HttpError(401, "FW_UNAUTHORIZED", message, { headers: { "www-authenticate": challenge } });
    }
    async afterReuse(): Promise<void> {
      await this.emitEvent("refresh_reused");
    }

    /** Also signs out by a refresh token: the access token may have expired. */
    override async submitLogout(): Promise<Reply> {
      const given = this.param("refresh_token");
      if (given !== undefined && !(await this.load())) await this.resumeToken("refresh", given);
      return super.submitLogout();
    }
    override async closeSession(): Promise<void> {
      const until = this.request.deadline;
      if (this.tokenKey !== undefined) await this.refreshKeys.end(this.tokenKey, { until });
      await super.closeSession();
    }
    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await super.killCredentials(account, transaction, kept);
      await this.refreshKeys.endAll(account, kept && this.tokenKey, transaction);
    }
  };
}
