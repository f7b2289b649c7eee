import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { type AuthlibBase, type AuthlibClass, defineFeature } from "framewright/plugins/authlib";
import { keysOf } from "../../keys_of.ts";
import { withKeyPages } from "./pages.ts";
import { withKeySignIn } from "./sign_in.ts";
import { type ListedApiKey, table } from "./store.ts";

export type { ListedApiKey } from "./store.ts";

/** Options of `apiKeys()`. */
export interface ApiKeysOptions {
  /** The most keys of an account; 20 by default. */
  max?: number;
  /** Whether keys may be created that do not expire; false by default. */
  endless?: boolean;
  /** Whether keys work while the account's login is locked after wrong passwords; false by default. */
  worksWhileLocked?: boolean;
}
/** What the feature `api_keys` adds. */
export interface ApiKeysSteps {
  apiKeysPage(): Promise<Reply>;
  submitApiKeys(): Promise<Reply>;
  /** The keys of `this.account`, the newest first, also those that have expired. */
  listApiKeys(): Promise<ListedApiKey[]>;
}

/**
 * Personal API keys: `Authorization: Bearer fwk_…` opens the resources of the account type's portals, as far as the key's scopes
 * and the person's policies go. `GET /users/api-keys` lists them; `POST` creates one, or revokes one (`revoke`). Requires the plugin
 * `apiKeyScopes()`.
 */
export function apiKeys(options: ApiKeysOptions = {}) {
  checkOptions("apiKeys", options, { max: option.positive, endless: option.boolean, worksWhileLocked: option.boolean });
  return defineFeature<ApiKeysSteps>({
    name: "api_keys",
    requires: ["login"],
    directory: import.meta.dirname,
    options,
    tables: [table],
    owned: [table],
    factors: [table],
    routes: [
      { verb: "GET", path: "api-keys", run: "apiKeysPage", who: "account", verified: true },
      { verb: "POST", path: "api-keys", run: "submitApiKeys", who: "account", verified: true },
    ],
    check: ({ name, services }) => void keysOf(services.host, `the account type "${name}" has the feature "api_keys"`),
    steps: (Base) => withKeyPages(withKeySignIn(Base)) as AuthlibClass<AuthlibBase & ApiKeysSteps>,
  });
}
