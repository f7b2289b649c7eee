// The rule is the one by which forms know secrets; the file alone is imported, for naming things must not load a server.
export { isCredential } from "../../plugins/resources/definition/credentials.ts";

export const credentialNote = (policy: string, columns: readonly string[]): string =>
  `left out of ${policy}, since they look like credentials: ${columns.join(", ")}. Add them by hand if they are not.`;
