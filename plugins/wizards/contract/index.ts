// The contract of the slots `wizards` and `wizardStore`, and the types that the parts of this plugin share.
export type * from "./runs.ts";
export type * from "./slot.ts";
export type * from "./steps.ts";
export type * from "./store.ts";
export type * from "./visits.ts";
