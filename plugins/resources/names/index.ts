// `framewright/plugins/resources/names`: which names look like credentials, and which every policy has. Loads no plugin.
export { isBuiltInPredicate } from "../definition/built_in_predicates.ts";
export { isCredential } from "../definition/credentials.ts";
