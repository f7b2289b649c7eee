import { HttpError } from "framewright/host";
import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_API_KEYS_PLUGIN: (what: string) =>
    `${what}, and no plugin checks the scopes of keys. Add apiKeyScopes() of framewright/plugins/api_keys to plugins.config.ts.`,
  FW_API_KEYS_PORTAL: (portal: string, portals: readonly string[], meant: string | undefined) =>
    `apiKeyScopes({ closed }) names ${portal}, which is no portal${didYouMean(meant)}. There are: ${portals.join(", ") || "none"}.`,
});

/** 403: the key has no scope for what was requested. */
export const scopeMissing = (scopes: readonly string[]): HttpError =>
  new HttpError(403, "FW_API_KEY_SCOPE", `the key lacks the scope ${scopes.map((one) => `"${one}"`).join(" and ")}.`);
/** 403: no scope opens it. */
export const closedToKeys = (): HttpError =>
  new HttpError(
    403,
    "FW_API_KEY_CLOSED",
    "no API key opens this: keys are for the resources of portals. Sign in as a person.",
  );
/** 406: a page was requested. */
export const pageRefused = (): HttpError =>
  new HttpError(406, "FW_API_KEY_FORMAT", "API keys get no pages. Request JSON: Accept: application/json.");
