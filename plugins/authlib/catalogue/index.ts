// `framewright/plugins/authlib/catalogue`: what generators need to know about features and their tables. Loads no plugin.
export { newSecret } from "../errors.ts";
export type { FeatureSetting } from "../feature.ts";
export { catalogue, directoryOf, type FeatureEntry, featureEntry, schemaOf } from "../feature_catalogue.ts";
export { type IndexText, parseTables, type TableText } from "../schema_text.ts";
