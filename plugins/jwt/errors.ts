import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_JWT_KEY: (where: string) =>
    `${where} is not valid: expected an Ed25519 private key as PKCS8 PEM. Make one with: openssl genpkey -algorithm ed25519`,
  FW_JWT_PLUGIN: (type: string) =>
    `the account type "${type}" has the feature "jwt", and no plugin issues its tokens. Add jwtTokens() of framewright/plugins/jwt to plugins.config.ts.`,
});
