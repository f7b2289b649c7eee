export * from "framewright/kernel";
export { announce } from "./app/announce.ts";
export { Application, type CloseOptions, type OpenOptions, openApplication } from "./app/application.ts";
export type { ApplicationContext } from "./app/application_context.ts";
export { type Constant, Constants } from "./app/constants.ts";
export type { HealthCheck, HealthChecks } from "./app/health_checks.ts";
export type { CompiledTarget, Finding, HostHooks, RouteInfo } from "./app/hooks.ts";
export { type Logger, openLog } from "./app/log.ts";
export {
  defineEngine,
  Engine,
  type EngineDefinition,
  type EngineMacros,
  type EngineRoutes,
} from "./app/mounted_engine.ts";
export { type Observation, runJob } from "./app/observation.ts";
export type {
  JobEnded,
  JobStarted,
  ObservedEvent,
  ObservedJob,
  RequestEnded,
  RequestRefused,
  RequestStarted,
  StatementEnded,
  TemplateRendered,
} from "./app/observed_event.ts";
export { addToOrigin, currentOrigin, currentTrace, type Origin, withOrigin } from "./app/origin.ts";
export type { PeriodicWork } from "./app/periodic.ts";
export { providers } from "./app/providers.ts";
export { type Environment, type Limits, readSettings } from "./app/settings.ts";
export { type AuthMode, AuthModes, type FindAccount } from "./controllers/auth_modes.ts";
export {
  AuthenticatedBy,
  type Authentication,
  admitsGuests,
  type Guests,
  identify,
} from "./controllers/authentication.ts";
export { concern, type Mixin } from "./controllers/concern.ts";
export {
  type BackLink,
  BaseController,
  type BeforeAction,
  type ControllerClass,
  type RenderOptions,
} from "./controllers/controller.ts";
export { failedPart, logPart, renderedAtOnce } from "./controllers/failed_part.ts";
export { csrfInput, type PageLocals } from "./controllers/render_page.ts";
export type { Tenant, Tenants } from "./controllers/tenant.ts";
export {
  badRequest,
  conflict,
  type FieldErrors,
  forbidden,
  HttpError,
  methodNotAllowed,
  moved,
  notFound,
  payloadTooLarge,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
  unprocessable,
} from "./errors.ts";
export { acceptedEncoding } from "./http/accepted_encoding.ts";
export { networkOf } from "./http/client_network.ts";
export { compressed, compresses } from "./http/compression.ts";
export type { ContentSecurityPolicy, CspDirective, CspSource } from "./http/content_security_policy.ts";
export { csrfField, formToken, headerToken, isForeign } from "./http/csrf.ts";
export { problemReply, standardReply } from "./http/error_reply.ts";
export { attachment, cleanFilename } from "./http/filenames.ts";
export { Flash, type FlashAction, type FlashKind, type FlashMessage } from "./http/flash.ts";
export { parseForm } from "./http/form_body.ts";
export { hostNameOf } from "./http/host_name.ts";
export { readJson } from "./http/json_body.ts";
export { isKnownTag } from "./http/known_tag.ts";
export { numberField } from "./http/local_numbers.ts";
export { isLocal } from "./http/local_request.ts";
export { zoneField, zoneValue } from "./http/local_times.ts";
export { loggedPath } from "./http/logged_path.ts";
export { isParamObject, type ParamObject, Params, type ParamValue } from "./http/params.ts";
export {
  type FileContent,
  type FileStream,
  fileReply,
  htmlReply,
  jsonReply,
  Reply,
  type ReplyStream,
  redirectReply,
  streamReply,
} from "./http/reply.ts";
export { movedPath, RequestContext } from "./http/request.ts";
export { safeLocation } from "./http/safe_location.ts";
export type { HostRule, ServedHosts } from "./http/served_hosts.ts";
export { Session, type SessionData, type SessionValue } from "./http/session.ts";
export { TraceContext, type TraceHeaders } from "./http/trace_context.ts";
export { isUploadedFile, type UploadedFile, uploadContent, uploadSize } from "./http/uploaded_file.ts";
export {
  type BackgroundPlace,
  backgroundPlace,
  enterInBackground,
  openInBackground,
} from "./routing/background_request.ts";
export { type PathHelper, type PathHelpers, publicOrigin, queryOf, type RouteNames } from "./routing/path_helpers.ts";
export type { Action, Constraint, ControllerRef, Route, RouteMetadata, RouteOptions, Verb } from "./routing/route.ts";
export { accessOf } from "./routing/route_list.ts";
export {
  drawRoutes,
  type RouteBlock,
  type RouteMacros,
  RouteSet,
} from "./routing/route_set.ts";
export { BoundedCache } from "./support/bounded_cache.ts";
export { type DeferredFiles, requireDeferring } from "./support/deferred_files.ts";
export {
  type DeterministicSealer,
  openDeterministicSealer,
  openSealer,
  SEAL_BYTES,
  type Sealer,
} from "./support/encryption.ts";
export { escapeHtml, html, raw, SafeHtml, safeUrl, toHtml } from "./support/html.ts";
export {
  camelize,
  constantOf,
  dasherize,
  demodulize,
  humanize,
  lowerCamel,
  moduleOf,
  paramKey,
  pathOf,
  pluralize,
  routePath,
  singularize,
  tableize,
  titleize,
  underscore,
} from "./support/inflection.ts";
export { english, findLocale, Locale, localeOf } from "./support/locale.ts";
export { createServer } from "./support/node_http.ts";
export { AMBIGUOUS, type NumberForms } from "./support/number_forms.ts";
export { randomPool } from "./support/random_pool.ts";
export { assumedZone, TimeZone, utc, zoneOf } from "./support/time_zone.ts";
export { type Digests, openDigests } from "./support/token_digest.ts";
