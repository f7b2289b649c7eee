import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { defineFeature } from "framewright/plugins/authlib";
import type { Claims, TokenKind } from "../../contract.ts";
import { steps } from "./steps.ts";

export interface JwtOptions {
  /** Seconds that an access token is good for. */
  lifetime?: number;
  /** Origins, as `"https://app.example"`, whose pages may sign in and refresh by the account type's JSON routes. */
  origins?: readonly string[];
}
/** What the feature `jwt` adds. */
export interface JwtSteps {
  /** The key of the sign-in that this request's token belongs to, or that was just opened for one. */
  tokenKey: string | undefined;
  /** What a login by JSON is answered with, when nothing more is asked for. */
  tokens(key: string): Promise<Record<string, string>>;
  answerTokens(tokens: Record<string, string>): Reply;
  issueToken(kind: TokenKind, key: string, lifetime: number): Promise<string>;
  /** The sign-in of a token of ours, loaded; undefined when the token, the sign-in or the account is not good any more. */
  resumeToken(kind: TokenKind, token: string): Promise<Claims | undefined>;
}
/** Answers logins by JSON with an access token, and takes it as `Authorization: Bearer`. Needs the plugin `jwtTokens()`. */
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
