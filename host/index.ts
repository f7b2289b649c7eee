// The API of applications. What plugins need besides is in internals.ts, published as framewright/host.
export { definePlugin, definePlugins, FramewrightError, type Settings } from "framewright/kernel";
export { Application, type OpenOptions, openApplication } from "./app/application.ts";
export { Engine } from "./app/mounted_engine.ts";
export { currentTrace } from "./app/origin.ts";
export { readSettings } from "./app/settings.ts";
export { AuthenticatedBy } from "./controllers/authentication.ts";
export { concern, type Mixin } from "./controllers/concern.ts";
export {
  type BackLink,
  BaseController,
  type BeforeAction,
  type ControllerClass,
  type RenderOptions,
} from "./controllers/controller.ts";
export { csrfInput } from "./controllers/render_page.ts";
export type { Tenant, Tenants } from "./controllers/tenant.ts";
export {
  badRequest,
  conflict,
  type FieldErrors,
  forbidden,
  HttpError,
  notFound,
  payloadTooLarge,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
  unprocessable,
} from "./errors.ts";
export { Flash, type FlashAction } from "./http/flash.ts";
export { type ParamObject, Params, type ParamValue } from "./http/params.ts";
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
export { RequestContext } from "./http/request.ts";
export { Session } from "./http/session.ts";
export type { TraceContext } from "./http/trace_context.ts";
export type { UploadedFile } from "./http/uploaded_file.ts";
export type { PathHelpers, RouteNames } from "./routing/path_helpers.ts";
export type { Constraint } from "./routing/route.ts";
export { drawRoutes, RouteSet } from "./routing/route_set.ts";
export { escapeHtml, html, raw, SafeHtml } from "./support/html.ts";
export type { TimeZone } from "./support/time_zone.ts";
