// What generators of other plugins use of these.
export { accountName, pluginPathOf, writeAccount } from "../account/account.ts";
export { defaultFeatures } from "../account/features.ts";
export { default as accountGenerator } from "../account/generator.ts";
export { default as profileGenerator } from "../profile/setup/generator.ts";
