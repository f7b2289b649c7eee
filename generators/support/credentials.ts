const patterns = [/password/, /_hash$/, /_token$/, /_secret$/, /_key$/, /^otp_/, /^(token|secret|hash)$/];

/** Columns like these are never put into a policy by a generator: somebody must want them there. */
export const isCredential = (column: string): boolean => patterns.some((pattern) => pattern.test(column.toLowerCase()));

export const credentialNote = (policy: string, columns: readonly string[]): string =>
  `left out of ${policy}, since they look like credentials: ${columns.join(", ")}. Add them by hand if they are not.`;
