import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { acceptLists } from "./accept.ts";
import { describeBulkCreate } from "./describe_bulk_create.ts";
import { bulkCreateRuns } from "./run_kind.ts";

declare module "framewright/kernel" {
  interface Slots {
    bulk_create: {};
  }
}

/** Options of `bulkCreate()`. */
export interface BulkCreateOptions {
  /** How many records a request creates at most; 100 by default. */
  most?: number;
  /** How many a request leaves to a run in the background at most; 1000 by default. */
  mostInBackground?: number;
}

/**
 * Programs create several records by one request: `POST …/posts.json` with `{"post":[{…},{…}]}`; all or none, or each by itself with
 * `Prefer: continue-on-error`; in the background with `Prefer: respond-async`, where `backgroundRuns()` is listed.
 */
export function bulkCreate({ most = 100, mostInBackground = 1000, ...rest }: BulkCreateOptions = {}): Plugin {
  const limits = { most, mostInBackground };
  checkOptions("bulkCreate", { ...limits, ...rest }, { most: option.positive, mostInBackground: option.positive });
  return definePlugin({
    name: "bulk_create",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    uses: ["background_runs"],
    provides: "bulk_create",
    apply({ services: { host, resources, background_runs: runs }, hooks }) {
      hooks.kernel.ready.tap("bulk_create", () => {
        const accept = acceptLists(resources, limits);
        for (const place of [host, ...host.engines.values()]) place.prepare.push(accept);
      });
      runs?.define(bulkCreateRuns(runs));
      if (hooks.openapi) describeBulkCreate(hooks.openapi.described, { ...limits, inBackground: runs !== undefined });
    },
  });
}
