// What generators of other plugins use of these.
export { connectByTemplates } from "../conn/connect_by_templates.ts";
export { registeredIn } from "../conn/registrations.ts";
export { isCredential } from "../credentials.ts";
export { namesIn } from "../policy_lists.ts";
export { default as scaffoldGenerator } from "../scaffold/generator.ts";
