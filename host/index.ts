export * from "framewright/kernel";
export { announce } from "./announcing.ts";
export {
  Application,
  type CompiledTarget,
  type Finding,
  type HostHooks,
  type OpenOptions,
  openApplication,
} from "./application.ts";
export {
  AuthenticatedBy,
  type Authentication,
  AuthModes,
  admitsGuests,
  type Guests,
  identify,
} from "./authentication.ts";
export { concern, type Mixin } from "./concern.ts";
export { type Constant, Constants } from "./constants.ts";
export { BaseController, type BeforeAction, type ControllerClass, type RenderOptions } from "./controller.ts";
export { csrfField, formToken, headerToken, isForeign } from "./csrf.ts";
export { type Digests, openDigests } from "./digests.ts";
export { defineEngine, Engine, type EngineDefinition, type EngineRoutes, type EngineWords } from "./engine.ts";
export {
  badRequest,
  conflict,
  csrfRefused,
  type FieldErrors,
  forbidden,
  HttpError,
  methodNotAllowed,
  notFound,
  payloadTooLarge,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
  unprocessable,
} from "./errors.ts";
export { problemReply, standardReply } from "./faults.ts";
export { Flash, type FlashKind, type FlashMessage } from "./flash.ts";
export { escapeHtml, html, raw, SafeHtml, safeUrl, toHtml } from "./html.ts";
export { readJson } from "./json.ts";
export * from "./names.ts";
export { networkOf } from "./network.ts";
export { csrfInput, type PageLocals } from "./pages.ts";
export { isParamObject, type ParamObject, Params, type ParamValue, type UploadedFile } from "./params.ts";
export { type PathHelper, type PathHelpers, queryOf, type RouteNames } from "./paths.ts";
export { randomDraws } from "./random.ts";
export { Recent } from "./recent.ts";
export { safeLocation } from "./redirects.ts";
export { htmlReply, jsonReply, Reply, redirectReply } from "./reply.ts";
export { RequestContext } from "./request.ts";
export { accessOf, type RouteInfo } from "./routes/list.ts";
export type { Action, ControllerRef, Route, RouteFacts, RouteOptions, Verb } from "./routes/route.ts";
export { type Constraint, drawRoutes, type RouteBlock, RouteSet, type RouteWords } from "./routes/route_set.ts";
export { openSealer, type Sealer } from "./sealing.ts";
export { Session, type SessionData, type SessionValue } from "./session.ts";
export { type Environment, type Limits, readEnvFile, readSettings } from "./settings.ts";
