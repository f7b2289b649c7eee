import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { defineFeature } from "framewright/plugins/authlib";
import type { Claims, TokenKind } from "../../contract.ts";
import { steps } from "./steps.ts";

/** Options of `jwt()`. */
export interface JwtOptions {
  /** Seconds for which an access token is valid. */
  lifetime?: number;
  /** Origins, as `"https://app.example"`, whose pages may sign in and refresh by the account type's JSON routes. */
  origins?: readonly string[];
}
/** What the feature `jwt` adds. */
export interface JwtSteps {
  /** The key of the sign-in of this request's token, or of one that was just created. */
  tokenKey: string | undefined;
  /** The reply to a complete JSON login. */
  tokens(key: string): Promise<Record<string, string>>;
  answerTokens(tokens: Record<string, string>): Reply;
  issueToken(kind: TokenKind, key: string, lifetime: number): Promise<string>;
  /** Loads the sign-in of a token; undefined where the token, the sign-in or the account is no longer valid. */
  resumeToken(kind: TokenKind, token: string): Promise<Claims | undefined>;
}
/** Replies to JSON logins with an access token, and accepts it as `Authorization: Bearer`. Requires the plugin `jwtTokens()`. */
export function jwt(options: JwtOptions = {}) {
  checkOptions("jwt", options, { lifetime: option.number, origins: option.strings });
  return defineFeature<JwtSteps>({
    name: "jwt",
    requires: ["login"],
    directory: import.meta.dirname,
    options,
    check: ({ services, plural }) => {
      const { origins = [] } = options;
      if (origins.length > 0) services.host.crossOrigins.add(`/${plural}`, origins);
    },
    steps,
  });
}
