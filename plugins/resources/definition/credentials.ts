const CREDENTIAL = new RegExp(
  [
    ...["password", "passwd", "passphrase", "salt", "^encrypted_", "_encrypted$", "^otp_"],
    ...["_(?:hash|digest|token|secret|key|pin|otp)$", "^(?:token|secret|hash|digest|pin|otp)$"],
  ].join("|"),
  "i",
);

/** Whether a column is a credential, by its name: a password input, shown as dots. `ApiToken` is one as `api_token`. */
export const isCredential = (column: string): boolean => CREDENTIAL.test(column.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_"));
