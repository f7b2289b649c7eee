// What generators of other plugins use of these.
export { default as dashboardGenerator } from "../dashboard/generator.ts";
