import type { RequestContext } from "framewright/host";
import type { ApiKeys } from "./contract.ts";
import { errors } from "./errors.ts";

/** What checks the scopes of keys; `what` begins the error where nothing does. @throws FW_API_KEYS_PLUGIN */
export function keysOf({ kernel }: Pick<RequestContext, "kernel">, what: string): ApiKeys {
  if (!kernel.has("api_keys")) throw errors.FW_API_KEYS_PLUGIN(what);
  return kernel.service("api_keys");
}
