import { checkOptions, definePlugin, option, type Plugin, stage, suggest } from "framewright/kernel";
import { memoryLimits } from "framewright/plugins/limits";
import type {} from "framewright/plugins/mcp";
import type {} from "framewright/plugins/openapi";
import { describeKeys } from "./describe_keys.ts";
import { errors } from "./errors.ts";
import { keySource } from "./personal_data.ts";
import { KeyedRequests } from "./service.ts";
import { withholdPage } from "./withheld_page.ts";

export type { ApiKeys, KeyGrant, ScopedResource } from "./contract.ts";
export { closedToKeys } from "./errors.ts";
export { type ApiKeysOptions, type ApiKeysSteps, apiKeys, type ListedApiKey } from "./features/api_keys/index.ts";
export { digestOfKey, hintOf, isApiKey, newApiKey } from "./key.ts";
export { keysOf } from "./keys_of.ts";
export { readScopes, type ScopeVerb, writeScopes } from "./scopes.ts";

/** Keys that are not valid, from one network. */
const FAILURES = { points: 60, seconds: 60 };

/** Options of `apiKeyScopes()`. */
export interface ApiKeyScopesOptions {
  /** The portals that take no keys, by their names: `["AdminPortal"]`. */
  closed?: readonly string[];
}

/**
 * What requests with an API key may do, before policies are checked: the keys of accounts with the feature `apiKeys()`, and those of
 * API clients that have scopes. Everything but the resources of portals is closed to keys.
 */
export function apiKeyScopes({ closed = [], ...rest }: ApiKeyScopesOptions = {}): Plugin {
  checkOptions("apiKeyScopes", { closed, ...rest }, { closed: option.strings });
  return definePlugin({
    name: "api_keys",
    directory: import.meta.dirname,
    requires: ["host", "i18n", "database", "portals", "resources", "auth"],
    uses: ["limits"],
    provides: "api_keys",
    apply({ services: { host, database, portals, resources, auth, limits }, hooks }) {
      const requests = new KeyedRequests({
        application: host,
        resources: () => resources,
        failures: (limits ?? memoryLimits()).open("api_keys.failures", FAILURES),
        closed: new Set(closed),
      });
      hooks.kernel.drawRoutes.tap({ name: "api_keys", stage: stage.early }, () => {
        const check = requests.check.bind(requests);
        for (const { prepare } of [host, ...host.engines.values()]) prepare.unshift(check);
      });
      hooks.host.reply.tap({ name: "api_keys", stage: stage.late }, (reply, request) => {
        if (requests.grantOf(request)) withholdPage(reply, request);
      });
      hooks.kernel.ready.tap("api_keys", () => {
        const names = [...portals.all.keys()];
        const unknown = closed.find((name) => !portals.all.has(name));
        if (unknown !== undefined) throw errors.FW_API_KEYS_PORTAL(unknown, names, suggest(unknown, names));
      });
      hooks.personal_data?.sources.tap("api_keys", (sources) => sources.add(keySource(database)));
      hooks.mcp?.offered.tap("api_keys", ({ controller, route, params }) =>
        requests.opens(controller.request, route, params) ? undefined : false,
      );
      if (hooks.openapi) describeKeys(hooks.openapi.document, auth.types);
      return requests;
    },
  });
}
