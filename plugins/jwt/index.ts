import { checkOptions, definePlugin, option, type Plugin, type Settings } from "framewright/kernel";
import type {} from "framewright/plugins/openapi";
import { describeSignIn } from "./describe_sign_in.ts";
import { drawKeys } from "./jwks.ts";
import { openKeys } from "./keys.ts";
import { openTokens } from "./tokens.ts";

export type { Claims, TokenKind, Tokens } from "./contract.ts";
export { type JwtOptions, type JwtSteps, jwt } from "./features/jwt/index.ts";
export { type JwtRefreshOptions, type JwtRefreshSteps, jwtRefresh } from "./features/jwt_refresh/index.ts";

/** Options of `jwtTokens()`. */
export interface JwtTokensOptions {
  /** An Ed25519 private key, PKCS8 PEM, for access tokens that others can verify. By default `JWT_PRIVATE_KEY`. */
  privateKey?: string;
  /** The claim `iss`; by default the origin of `APP_URL`. */
  issuer?: string;
}

/** Issues and verifies the tokens of the features `jwt()` and `jwtRefresh()`, and publishes the public key. */
export function jwtTokens(options: JwtTokensOptions = {}): Plugin {
  checkOptions("jwtTokens", options, { privateKey: option.string, issuer: option.string });
  return definePlugin({
    name: "jwt",
    requires: ["auth", "database"],
    provides: "jwt",
    async apply({ services: { auth }, hooks, settings }) {
      const keys = await openKeys(settings.secrets, pairOf(options, settings));
      hooks.kernel.drawRoutes.tap("jwt", (routes) => drawKeys(routes, keys.published));
      if (hooks.openapi) describeSignIn(hooks.openapi.document, auth.types);
      return openTokens(keys, options.issuer ?? issuerOf(settings));
    },
  });
}

function pairOf({ privateKey }: JwtTokensOptions, { values }: Settings): { pem: string; from: string } | undefined {
  if (privateKey !== undefined) return { pem: privateKey, from: 'the option "privateKey" of "jwtTokens"' };
  const pem = values.JWT_PRIVATE_KEY;
  return pem ? { pem, from: "the setting JWT_PRIVATE_KEY" } : undefined;
}

/** The same on every node and after every deploy. */
const issuerOf = ({ appUrl, basePath, env }: Settings): string =>
  appUrl ? appUrl.origin + basePath : `framewright:${env}`;
