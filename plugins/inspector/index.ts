import { checkOptions, definePlugin, rule, type Settings } from "framewright/kernel";
import type {} from "framewright/plugins/assets";
import type {} from "framewright/plugins/database";
import type {} from "framewright/plugins/i18n";
import type {} from "framewright/plugins/layout";
import type {} from "framewright/plugins/resources";
import type {} from "framewright/plugins/views";
import type {} from "./contract.ts";
import type { Recorder } from "./recording/recorder.ts";

export type { Inspector } from "./contract.ts";
export type {
  RecordedDecision,
  RecordedError,
  RecordedRequest,
  RecordedTarget,
} from "./recording/recorded_request.ts";

/** Options of `inspector()`. */
export interface InspectorOptions {
  /** How many requests are stored, the latest; 100 by default, 1,000 at most. */
  requests?: number;
  /** Whether it records in the test environment, too: for tests of what a request did. Never in production. */
  inTest?: boolean;
}

const MAX_REQUESTS = 1000;
const count = rule(
  `a whole number from 1 to ${MAX_REQUESTS}`,
  (value): value is number => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_REQUESTS,
);

/**
 * Records what the latest requests did, and shows it at `/_fw` to this machine; in development alone. `fw dev` and `fw serve`
 * add it by themselves. In any other environment none of its code but this file is loaded.
 * @example definePlugins([…, inspector({ requests: 200 })])
 */
export function inspector(options: InspectorOptions = {}) {
  checkOptions("inspector", options, {
    requests: count,
    inTest: rule("true or false", (v): v is boolean => typeof v === "boolean"),
  });
  const { requests = 100, inTest = false } = options;
  const isOpen = ({ env }: Settings) => env === "development" || (env === "test" && inTest);
  let recorder: Recorder | undefined;
  return definePlugin({
    name: "inspector",
    requires: ["host"],
    uses: ["database", "i18n", "views", "assets", "layout", "resources"],
    provides: "inspector",
    trace: (settings) => (isOpen(settings) ? (call) => recorder?.tapped(call) : undefined),
    async apply(kernel) {
      recorder = undefined;
      if (!isOpen(kernel.settings)) return { path: undefined };
      const { openInspector } = await import("./open.ts");
      recorder = openInspector(kernel, requests);
      if (!recorder) return { path: undefined };
      return { path: `${kernel.settings.basePath}/_fw`, recorded: () => recorder?.requests[0] };
    },
  });
}
