// `framewright/plugins/resources/credentials`: which names look like credentials. Loads no plugin.
export { isCredential } from "../definition/credentials.ts";
