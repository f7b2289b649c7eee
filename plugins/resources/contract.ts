import type { BaseController, Reply, RouteSet, SafeHtml } from "framewright/host";
import type {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  InPortal,
  Registry,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from "framewright/kernel";
import type { BaseModel, Counted, ModelInfo } from "framewright/plugins/database";
import type { ResourceDefinition } from "./definition/definition.ts";
import type { PolicyDecision } from "./definition/policy.ts";
import type { QueryScope } from "./definition/query_scope.ts";
import type { Entry } from "./entry/entry.ts";
import type { BackgroundPerson, BackgroundRunEvent } from "./operations/background.ts";
import type { DeletionNotice, Destroying } from "./operations/deletion_notice.ts";
import type { PanelList, PanelPage, RecordPage } from "./pages/added_panels.ts";
import type { ActionsShown } from "./pages/hidden_actions.ts";
import type { ListHead, ListRows, ListShape, TableLook } from "./pages/list_parts.ts";
import type { ListRequest } from "./registration/list_params.ts";
import type { Registration } from "./registration/registration.ts";
import type { ResourcePlace } from "./registration/resource_place.ts";
import type { ResourceRequest } from "./request.ts";
import type { Resources } from "./service_contract.ts";

/** Something happened to a record; sent after the transaction committed. */
export interface RecordEvent {
  kind: "created" | "updated" | "destroyed";
  record: BaseModel;
  registration: Registration;
  controller: ResourceRequest;
}

/** The JSON of a list or a record, and what it shows; of a list also what was requested, and the address of the records after it. */
export interface JsonAnswer {
  readonly controller: ResourceRequest;
  readonly reply: Reply;
  readonly entries: readonly Entry[];
  readonly list?: { readonly request: ListRequest; readonly count: Counted; readonly next: string | undefined };
}

/** What a definition is of, and where. */
export interface DefinitionPlace {
  readonly model: ModelInfo;
  /** The portal's name; undefined in the main application. */
  readonly portal: string | undefined;
}

type Names = readonly string[];
type Values = Record<string, unknown>;

/** The hooks of the slot "resources". */
export interface ResourceHooks {
  /** A definition was configured and is checked next: add filters, columns, scopes and actions of a plugin, for every resource or some. */
  define: SyncHook<[definition: ResourceDefinition, about: DefinitionPlace], void, InPortal>;
  /** The page of a record is about to be drawn: take names out of what it shows, and draw them before the others. */
  recordPage: AsyncSeriesHook<[page: RecordPage], InPortal>;
  /** The page of a record is about to be shown: add panels. A tap with `eager: true` adds none that are lazy, which need a route. */
  panels: AsyncSeriesHook<[panels: PanelList, page: PanelPage], InPortal & { eager?: boolean }>;
  /** A resource was registered and its own routes are drawn: draw more. */
  draw: SyncHook<[routes: RouteSet, registration: Registration], void, InPortal>;
  /** All resources of a portal are registered, with their nested routes: draw what the portal has once. */
  portal: SyncHook<[routes: RouteSet], void, InPortal>;
  /** The routes of a resource are drawn in a place, its own or below a parent: draw more of them there. */
  place: SyncHook<[place: ResourcePlace], void, InPortal>;
  /** The actions of a page are about to be shown, on all of its records at once: hide those that do not apply. Records of a list may be without long columns that it does not show (`FW_COLUMN_OMITTED`). */
  actions: AsyncSeriesHook<[shown: ActionsShown, controller: ResourceRequest], InPortal>;
  /** A list was requested and authorized next: return a reply in its place, as a redirect to what it opens with. */
  listOpening: AsyncSeriesBailHook<[controller: ResourceRequest], Reply | undefined, InPortal>;
  /** A list is shown, of names that the person may read: offer shapes of it beside its table by `shapes.add("map", …)`, chosen by `?shape=map`. */
  listShapes: SyncHook<[shapes: Registry<ListShape>, permitted: Names, controller: ResourceRequest], void, InPortal>;
  /** The head of a list's page is drawn: add tabs, buttons and menus before its actions, and content to the bar above its rows. */
  listHead: AsyncSeriesHook<[head: ListHead], InPortal>;
  /** The JSON of a list or a record is about to be sent: change its body, and add headers. */
  json: AsyncSeriesHook<[answer: JsonAnswer], InPortal>;
  /** The rows of a list's page are drawn: add what their cells show, content before their actions, and a row below them. Their records may be without long columns that the list does not show. */
  listRows: AsyncSeriesHook<[rows: ListRows], InPortal>;
  /** A table of rows is drawn, of a list or a panel: set how it looks. */
  table: SyncHook<[look: TableLook, controller: ResourceRequest], void, InPortal>;
  /** How a list is displayed is opened at its head, which the plugin `filters` draws: add what comes below its order. Forms lead back to the location. */
  filterPanel: AsyncSeriesHook<[parts: SafeHtml[], location: string, controller: ResourceRequest], InPortal>;
  /** A query is put together, of whichever model: narrow it. Each narrowing gets a group of its own. */
  scope: SyncHook<[narrow: QueryScope, controller: ResourceRequest], void, InPortal>;
  /** A record is about to be written: set what the person can't, as a tenant. */
  defaults: SyncHook<[values: Values, controller: ResourceRequest, registration: Registration], void, InPortal>;
  /** A new record of what a form sent is about to be checked and stored: complete its columns. */
  creating: AsyncSeriesHook<[columns: Values, controller: ResourceRequest], InPortal>;
  /** A record is about to be deleted, in the transaction that deletes it: keep what is needed of it. A throw keeps the record. */
  destroying: AsyncSeriesHook<[destroying: Destroying], InPortal>;
  /** A page describes what deleting these records does: return a sentence on how they come back. */
  destroyQuestion: AsyncSeriesBailHook<
    [records: readonly BaseModel[], controller: ResourceRequest],
    string | undefined,
    InPortal
  >;
  /** The message that records were deleted is written, by their ids: return what it adds. */
  destroyed: SyncBailHook<[ids: readonly unknown[], controller: ResourceRequest], DeletionNotice | undefined, InPortal>;
  /** The fields of a form or a page, from the policy: return those that stay. Names that were not there are ignored. */
  fields: SyncWaterfallHook<[names: Names, registration: Registration, controller: ResourceRequest], Names, InPortal>;
  /**
   * @experimental A policy was checked, or narrowed a query: what it returned, and why. For tools of development; pages cost
   * nothing more while nobody taps it.
   */
  decided: SyncHook<[decision: PolicyDecision, controller: BaseController], void, InPortal>;
  /** An action was allowed by the policy. Throw to refuse it all the same. */
  authorize: AsyncSeriesHook<[action: string, controller: ResourceRequest], InPortal>;
  /** Public event: a record was created, updated or destroyed, and it is committed. */
  record: AsyncSeriesHook<[event: RecordEvent], InPortal>;
  /** A job acts for a person: return the account as it is stored now, false where it may not act any more; undefined leaves it to others. */
  backgroundAccount: AsyncSeriesBailHook<[person: BackgroundPerson], object | false | undefined, InPortal>;
  /** Public event: an interaction in the background has ended. Notify the person who started it. */
  backgroundRun: AsyncSeriesHook<[event: BackgroundRunEvent], InPortal>;
}

declare module "framewright/kernel" {
  interface Slots {
    resources: { service: Resources; hooks: ResourceHooks };
  }
}
