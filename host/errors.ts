import { didYouMean, errorTable, FramewrightError } from "framewright/kernel";

/** Errors of loading, drawing and booting an application, and of using its controllers wrongly. */
export const errors = errorTable({
  FW_SETTING_MISSING: (name: string, fix: string) => `the setting ${name} is missing. ${fix}`,
  FW_SETTING_INVALID: (name: string, expected: string) => `the setting ${name} is not valid: expected ${expected}.`,
  FW_UPLOAD_SPOOL: (folder: string, reason: string) =>
    `an uploaded file could not be kept below ${folder} until its request is answered: ${reason}. Free space there, or name another folder by TMPDIR.`,
  FW_LISTEN: (host: string, port: number, reason: string) => `can't listen at ${host}:${port}: ${reason}`,
  FW_PLUGIN_VERSION: (plugin: string, range: string, version: string) =>
    `"${plugin}" works with framewright ${range}, and ${version} is installed. Install a version of the plugin that fits, or framewright ${range}.`,
  FW_APP_ROOT: (root: string) =>
    `${root} holds no Framewright application: plugins.config.ts is missing. Make one with: fw new <dir>.`,
  FW_FILE_EXPORT: (file: string, expected: string) => `${file} must export ${expected}.`,
  FW_FILE_FAILED: (file: string, message: string) => `${file} could not be loaded: ${message}`,
  FW_IMPORT_RING: (files: readonly string[]) =>
    `${files.join(" -> ")}: these files import each other in a circle. Make one of the imports "import type", or name the class as text.`,
  FW_CONSTANT_TAKEN: (name: string, first: string, second: string) =>
    `${first} and ${second} both define ${name}. Move or rename one of them.`,
  FW_CONSTANT_UNKNOWN: (name: string, suggestion: string | undefined, where: string) =>
    `${name} is not defined; expected it in ${where}.${didYouMean(suggestion)}`,
  FW_ENGINE_TAKEN: (name: string) => `two engines are named "${name}". Rename one of them.`,
  FW_TAP_PORTAL_UNKNOWN: (plugin: string, hook: string, portal: string, suggestion: string | undefined) =>
    `"${plugin}" taps "${hook}" for the portal "${portal}", and the application has no such portal.${didYouMean(suggestion)} Give the name that its lib/engine.ts defines.`,
  FW_ENGINE_UNKNOWN: (name: string) =>
    `routes mount "${name}", which no packages/*/lib/engine.ts exports. Export it there, or remove the mount.`,
  FW_ENGINE_NOT_MOUNTED: (name: string) =>
    `no URL can be made for "${name}": it is not mounted. Mount it in config/routes.ts.`,
  FW_ORIGIN: (prefix: string, origin: string) =>
    `${JSON.stringify(origin)} can't be allowed to call ${prefix}: it is not an origin. Name each one by scheme, host and port alone, as in "https://app.example".`,
  FW_MOUNT_PREFIX: (at: string) => `mount needs at: a path such as "/admin", or "/", got ${JSON.stringify(at)}.`,
  FW_MOUNT_ROOT: (engine: string, pattern: string) =>
    `"${engine}" is mounted at "/", where the main application draws ${pattern || "/"} itself, which is found first. Remove routes.root() from config/routes.ts, or mount it at a path of its own.`,
  FW_MOUNT_ROOT_ORIGINS: (engine: string) =>
    `"${engine}" is mounted at "/" and open to other origins, which would be all pages of the application. Mount it at a path of its own, as "/api".`,
  FW_MOUNT_TAKEN: (at: string, first: string, second: string) =>
    `"${first}" and "${second}" are both mounted at ${at} without a constraint. Give one of them another path.`,
  FW_ROUTE_PATTERN: (pattern: string, why: string) => `the route ${JSON.stringify(pattern)} is not valid: ${why}.`,
  FW_ROUTE_TAKEN: (verb: string, pattern: string, first: string, second: string) =>
    `${verb} ${pattern} is drawn twice: for ${first} and for ${second}. Change the path of one of them.`,
  FW_ROUTE_NAME_TAKEN: (name: string, first: string, second: string) =>
    `the route name "${name}" leads to both ${first} and ${second}. Give one of them another as:.`,
  FW_ROUTE_TARGET: (pattern: string) =>
    `the route ${JSON.stringify(pattern)} leads nowhere. Give it to: "controller#action".`,
  FW_ROUTE_UNKNOWN: (name: string, suggestion: string | undefined) =>
    `no route is named "${name}".${didYouMean(suggestion)} Draw it with as: "${name}".`,
  FW_ROUTE_ARGUMENT: (name: string, parameter: string) =>
    `the path of "${name}" needs "${parameter}". Pass a record, an id, or { ${parameter}: … }.`,
  FW_CONTROLLER_UNKNOWN: (ref: string, file: string, route: string) =>
    `the route ${route} leads to "${ref}", and ${file} does not exist. Write that controller, or change the route.`,
  FW_ACTION_UNKNOWN: (controller: string, action: string, route: string, suggestion: string | undefined) =>
    `the route ${route} leads to ${controller}, which has no method "${action}".${didYouMean(suggestion)} Add it, or change the route.`,
  FW_BEFORE_ACTION: (controller: string, name: string) =>
    `${controller} names the before-action "${name}", and has no such method. Add it, or remove the name from beforeActions.`,
  FW_AUTH_MODE: (controller: string, route: string, mode: string, provider?: string) =>
    `${controller}, which serves ${route}, authenticates by "${mode}", and no plugin provides that mode. Add ${provider ?? "the plugin that does"} to plugins.config.ts.`,
  FW_AUTH_MODE_EMPTY: (plugin: string, mode: string) =>
    `the plugin "${plugin}" adds the mode of authentication "${mode}", and nothing answers for it. Give it a find, as in: authModes.add("${mode}", { find: (request) => … }), or tap hooks.kernel.authenticate in that plugin.`,
  FW_AUTH_MODE_OPTION: (plugin: string, mode: string, problem: string) =>
    `the plugin "${plugin}" can't add the mode of authentication "${mode}": ${problem}. Add it as in: authModes.add("${mode}", { find: (request) => … }).`,
  FW_AUTH_MODE_ANSWER: (plugin: string, mode: string, option: string, got: string) =>
    `"${option}" of the mode of authentication "${mode}", which the plugin "${plugin}" adds, answered with ${got}. Return ${option === "signIn" ? "a path, an address of https, or undefined" : 'a challenge, as in "Bearer"'}.`,
  FW_AUTH_REPLY: (mode: string) =>
    `a plugin answered with a Reply who asks in the mode of authentication "${mode}". Return the account, or null for a guest; the mode's signIn leads guests to the sign-in.`,
  FW_GUESTS_WRITE: (controller: string, verb: string) =>
    `${controller} refused a guest's ${verb}: where nobody signs in, guests may only read. To let them send this, write in the controller: static override guests = "admit" as const.`,
  FW_GUESTS_REFUSED: (controller: string) =>
    `${controller} does not state who may come in, so everybody is refused. Extend it through PublicAccess, CurrentUser or Authlib, or write: static override guests = "admit" as const.`,
  FW_PUBLIC_CACHE: (controller: string, problem: string) =>
    `what ${controller} answers guests can't be kept by caches: ${problem}. Remove allowPublicCache from its portal, or write in the controller: static override readonly publicMaxAge = 0.`,
  FW_DOUBLE_ANSWER: (controller: string, action: string) =>
    `${controller}#${action} answered twice. Return right after render, redirectTo, json or head.`,
  FW_NO_ANSWER: (controller: string, action: string) =>
    `${controller}#${action} ended without an answer, and no view is named after it. Call render, redirectTo, json or head.`,
  FW_REDIRECT_UNSAFE: () =>
    "the redirect leads to another site. Pass a path of this application, or { external: true } when the code chose the address.",
  FW_REQUEST_LATE: (what: string, route: string | undefined, waits: readonly string[], milliseconds: number) =>
    `${what}${route ? ` (${route})` : ""} was not answered within ${milliseconds} ms${waits.length > 0 ? `, waiting for ${waits.join(" and ")}` : ""}. Await something that ends, or raise REQUEST_DEADLINE.`,
  FW_SESSION_TOO_LARGE: (key: string, bytes: number, most: number) =>
    `with "${key}" the session would hold ${bytes} bytes of the application's, and its store takes ${most}. Keep ids in it, not records.`,
  FW_REGISTERED_LATE: (call: string) =>
    `${call} was called outside of apply(). Call it while a plugin's apply() runs; what is registered is fixed after boot.`,
  FW_REQUEST_ANSWER: (plugin: string, got: string) =>
    `the plugin "${plugin}" answered the hook "host.request" with ${got}; expected a Reply, or undefined to let the request pass.`,
  FW_REPLY_INVALID: (plugins: readonly string[], problem: string) =>
    `the hook "host.reply", tapped by ${plugins.map((name) => `"${name}"`).join(", ")}, left a reply that can't be sent: ${problem}. Add headers as texts, by names in lower case.`,
  FW_CSP_DIRECTIVE: (
    plugin: string,
    directive: string,
    isFixed: boolean,
    suggestion: string | undefined,
    known: readonly string[],
  ) =>
    `the plugin "${plugin}" adds a source to "${directive}", ${isFixed ? "which stays as it is" : "which is no directive of the Content-Security-Policy that plugins extend"}.${didYouMean(suggestion)} They extend: ${known.join(", ")}.`,
  FW_CSP_SOURCE: (plugin: string, directive: string, source: string, problem: string) =>
    `the plugin "${plugin}" can't add ${source} to ${directive}: ${problem}. Name the site by scheme and host, as in "https://tiles.example" or "https://tiles.example/maps/".`,
  FW_HEALTH_CHECK: (plugin: string, name: string, problem: string) =>
    `the plugin "${plugin}" can't add the readiness check ${JSON.stringify(name)}: ${problem}. Add one as in: health.add("queue", async () => undefined).`,
  FW_HEALTH_TAKEN: (name: string, first: string, second: string) =>
    `"${first}" and "${second}" both add a readiness check "${name}". Give one of them another name.`,
  FW_HOST_RULE: (plugin: string, got: string) =>
    `the plugin "${plugin}" adds ${got} to the hosts that are served; expected a function, as in: hosts.add((name) => domains.has(name)).`,
  FW_HOST_ANSWER: (plugin: string, got: string) =>
    `the plugin "${plugin}" decided with ${got} whether a host is served; expected true or false at once. Keep the names in memory.`,
  FW_OPEN_TWICE: () =>
    "an application is open in this process already. Close it first: one open application a process.",
});

/** Error messages by field name, as pages and problem documents show them. */
export type FieldErrors = Record<string, string[]>;

/** What an error answers beside its status. */
interface HttpErrorParts {
  readonly headers?: Record<string, string>;
  readonly fields?: FieldErrors;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An error that is a reply: its status and message go to the client, and nothing is logged unless it is a 5xx. */
export class HttpError extends FramewrightError {
  override readonly status: number;
  readonly headers: Record<string, string>;
  readonly fields: FieldErrors | undefined;
  /** What the answer to a program has beside the errors. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {}, fields, meta, cause }: HttpErrorParts = {},
  ) {
    super(code, message, { cause, status });
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
    this.fields = fields;
    this.meta = meta;
  }
}

/** 400: the request is malformed. */
export const badRequest = (message = "the request is malformed.") => new HttpError(400, "FW_BAD_REQUEST", message);
/** 401 with `WWW-Authenticate`. */
export const unauthorized = (challenge = "Bearer") =>
  new HttpError(401, "FW_UNAUTHORIZED", "sign in first.", { headers: { "www-authenticate": challenge } });
/** 403: the account may not do that. */
export const forbidden = (message = "you may not do that.") => new HttpError(403, "FW_FORBIDDEN", message);
/** The same for what does not exist and what the person may not see. */
export const notFound = () => new HttpError(404, "FW_NOT_FOUND", "there is nothing here.");
/** 301: thrown where an address has moved, for as long as nobody has it again. */
export const moved = (location: string) =>
  new HttpError(301, "FW_MOVED", "this address has moved.", { headers: { location, "cache-control": "no-store" } });
/** 405 with `Allow`. */
export const methodNotAllowed = (allow: string) =>
  new HttpError(405, "FW_METHOD_NOT_ALLOWED", `this address answers ${allow} only.`, { headers: { allow } });
export const requestTimeout = () =>
  new HttpError(408, "FW_REQUEST_TIMEOUT", "the request took too long to arrive.", {
    headers: { connection: "close" },
  });
/** 429 with `Retry-After` in seconds. */
export const tooManyRequests = (retryAfter: number) =>
  new HttpError(429, "FW_TOO_MANY_REQUESTS", "too many attempts; wait a little.", {
    headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfter))) },
  });
/** 409: somebody else changed it. */
export const conflict = (message: string) => new HttpError(409, "FW_CONFLICT", message);
/** 413: more than `limit` bytes. */
export const payloadTooLarge = (limit: number) =>
  new HttpError(413, "FW_TOO_LARGE", `the request is larger than ${limit} bytes.`, {
    headers: { connection: "close" },
  });
export const tooManyFiles = (count: number) =>
  new HttpError(413, "FW_TOO_MANY_FILES", `a form takes ${count} files at most. Send fewer at a time.`, {
    headers: { connection: "close" },
  });
export const tooManyValues = (keys: number, values: number) =>
  new HttpError(413, "FW_TOO_LARGE", `the body has more than ${keys} keys or ${values} values.`);
export const nestedTooDeep = () => badRequest("the body is nested too deep.");
export const unsupportedMedia = (type: string) =>
  new HttpError(415, "FW_MEDIA_TYPE", `bodies of type ${JSON.stringify(type.slice(0, 80))} are not understood.`);
export const misdirected = () => new HttpError(400, "FW_HOST", "this host name is not served here.");
/** 422 with messages by field. */
export const unprocessable = (message: string, fields: FieldErrors = {}) =>
  new HttpError(422, "FW_INVALID", message, { fields });
/** 403: a form without a valid token. */
export const csrfRefused = () =>
  new HttpError(
    403,
    "FW_CSRF",
    "the form was not sent from this application, or has expired. Reload the page and try again.",
  );
/** 503 with `Retry-After` in seconds. */
export const serviceUnavailable = (retryAfter = 5) =>
  new HttpError(503, "FW_UNAVAILABLE", "the service is not available right now.", {
    headers: { "retry-after": String(retryAfter) },
  });
