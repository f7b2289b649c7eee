/** Requests to URLs that people type: which addresses are permitted, and a connection to the one that was checked. */
export { Addresses, isNetwork } from "./addresses.ts";
export { type GuardedFetch, type GuardedFetchOptions, type GuardedRequest, guardedFetch } from "./fetch.ts";
export { openPinned, type PinnedRequest, within } from "./pinned_request.ts";
export { addressesOf, type Resolve, resolveName } from "./resolve.ts";
export { addressProblem, MAX_URL, type Target, type TargetProblem, type TargetRules, targetOf } from "./target.ts";
