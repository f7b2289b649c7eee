const patterns = [
  /password|passwd|passphrase/,
  /salt/,
  /^encrypted_|_encrypted$/,
  /_(?:hash|digest|token|secret|key|pin|otp)$/,
  /^otp_/,
  /^(?:token|secret|hash|digest|pin|otp)$/,
];

/** Whether a column is a credential, by its name: a password input, shown as dots. */
export const isCredential = (column: string): boolean => patterns.some((pattern) => pattern.test(column.toLowerCase()));
