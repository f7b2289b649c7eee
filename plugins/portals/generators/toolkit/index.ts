// What generators of other plugins use of these.
export { default as portalGenerator } from "../portal/generator.ts";
