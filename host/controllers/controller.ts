import type { Account } from "framewright/kernel";
import { errors } from "../errors.ts";
import type { Flash } from "../http/flash.ts";
import type { Params } from "../http/params.ts";
import { type FileContent, fileReply, htmlReply, jsonReply, Reply, redirectReply } from "../http/reply.ts";
import type { RequestContext } from "../http/request.ts";
import type { Session } from "../http/session.ts";
import type { PathHelpers } from "../routing/path_helpers.ts";
import { type Authentication, type Guests, identify, unstated } from "./authentication.ts";
import { renderPage } from "./render_page.ts";
import type { Tenant } from "./tenant.ts";

/** A class of controllers; TypeScript requires `any[]` in the constructor of a mixin's base (TS2545). */
// biome-ignore lint/suspicious/noExplicitAny: TS2545
export type ControllerClass<T = BaseController> = new (...args: any[]) => T;
type HostControllerClass = ControllerClass;
declare module "framewright/kernel" {
  interface ControllerClass extends HostControllerClass {}
}

/** A method that runs before actions; a reply from it ends the request. */
export interface BeforeAction {
  run: string;
  only?: readonly string[];
  except?: readonly string[];
}

/** A link back, as pages of errors have it: `{ url: "/admin/posts", label: "Back to Posts" }`. */
export interface BackLink {
  url: string;
  label: string;
}
/** Options of `render`. */
export interface RenderOptions {
  locals?: Record<string, unknown>;
  status?: number;
  /** A layout's name, or "none". */
  layout?: string;
}

/**
 * The root of all controllers: one instance a request. Everything in it is public, so that mixins can emit
 * declarations; what an application overrides are the methods.
 */
export class BaseController {
  /** Declared by each class for itself; those of base classes run first. */
  static beforeActions: readonly (string | BeforeAction)[] = [];
  /** The folder of its views, for a class that is not a file of the application. */
  static viewPath: string | undefined = undefined;
  /** How it authenticates; set by `AuthenticatedBy`. */
  static readonly authentication: Authentication | undefined = undefined;
  /** Whether it answers guests: only with "admit"; undefined leaves it to the mode of authentication. */
  static readonly guests: Guests | undefined = undefined;
  /** Seconds for which caches may keep what it answers guests by GET, 0 for not at all; undefined leaves it to the engine (`allowPublicCache`). */
  static readonly publicMaxAge: number | undefined = undefined;

  readonly request: RequestContext;
  /** The method that runs. */
  actionName = "";
  /** The account of the request, or undefined; set once, before the first before-action. */
  currentUser: Account | undefined = undefined;
  /** The tenant, in a scoped portal; set once, right after currentUser. */
  currentScopedEntity: Tenant | undefined = undefined;
  /** A layout for all pages of this controller; undefined leaves it to the host. */
  layout: string | undefined = undefined;
  /** Whether account, tenant and before-actions have let the request in, or one of them declared it: its errors are drawn as its pages are. */
  isEntered = false;
  reply: Reply | undefined = undefined;

  constructor(request: RequestContext) {
    this.request = request;
  }

  get params(): Params {
    return this.request.params;
  }
  get session(): Session {
    return this.request.session;
  }
  get flash(): Flash {
    return this.request.flash;
  }
  /** Path and URL helpers of this engine: `this.helpers.posts_path()`. */
  get helpers(): PathHelpers {
    return this.request.application.paths.helpers(this.request);
  }

  /** Finds the account of the request, by the plugin of the controller's mode of authentication. It may set a reply instead. */
  findCurrentUser(): Promise<Account | undefined> {
    const { authentication } = this.constructor as typeof BaseController;
    return identify(this.request, authentication ?? unstated);
  }

  /** Renders a view: of this action, or of the name given (`"edit"`, `"shared/notice"`). */
  render(view: string = this.actionName, { locals = {}, status = 200, layout }: RenderOptions = {}): Reply {
    return this.answer(htmlReply(renderPage(this, view, locals, layout), status));
  }
  /** 303 to a path of this application; `external` for an address that the code chose. @throws FW_REDIRECT_UNSAFE */
  redirectTo(location: string, { status = 303, external = false } = {}): Reply {
    const safe = external ? location : this.request.safeLocation(location);
    if (safe === undefined) throw errors.FW_REDIRECT_UNSAFE();
    return this.answer(redirectReply(safe, status));
  }
  json(data: unknown, { status = 200 } = {}): Reply {
    return this.answer(jsonReply(data, status));
  }
  /** A download: `this.sendFile({ filename: "report.csv", content: csv, type: "text/csv" })`. */
  sendFile(file: FileContent): Reply {
    return this.answer(fileReply(file));
  }
  head(status: number, headers: Record<string, string> = {}): Reply {
    return this.answer(new Reply(status, "", headers));
  }
  /** Sets the answer. @throws FW_DOUBLE_ANSWER */
  answer(reply: Reply): Reply {
    if (this.reply) throw errors.FW_DOUBLE_ANSWER(this.constructor.name, this.actionName);
    this.reply = reply;
    return reply;
  }
  t(key: string, vars?: Record<string, unknown>): string {
    return this.request.t(key, vars);
  }
  /** Where the page of an error leads back to; undefined for the first page of the portal or the application. */
  backLink(): BackLink | undefined {
    return undefined;
  }
  /** Template variables of every page of this controller; override it to add some. */
  pageLocals(): Record<string, unknown> {
    return {};
  }
}
