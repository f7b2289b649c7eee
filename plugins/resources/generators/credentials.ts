// The rule by which forms recognize secrets. This entry loads no server.
export { isCredential } from "framewright/plugins/resources/names";

export const credentialNote = (policy: string, columns: readonly string[]): string =>
  `not listed in ${policy}, because they look like credentials: ${columns.join(", ")}. Add them by hand if they are not.`;
