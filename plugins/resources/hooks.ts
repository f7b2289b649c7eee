import { type BaseController, Reply, type RouteSet } from "framewright/host";
import {
  type AnswerRule,
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from "framewright/kernel";
import type { DefinitionPlace, RecordEvent, ResourceHooks } from "./contract.ts";
import type { ResourceDefinition } from "./definition/definition.ts";
import type { PolicyDecision } from "./definition/policy.ts";
import type { QueryScope } from "./definition/query_scope.ts";
import type { PanelList, PanelPage } from "./pages/added_panels.ts";
import type { ActionsShown } from "./pages/hidden_actions.ts";
import type { Registration } from "./registration/registration.ts";
import type { ResourcePlace } from "./registration/resource_place.ts";
import type { ResourceRequest } from "./request.ts";

/** The hooks of the slot, opened with its plugin. */
export const openHooks = (): ResourceHooks => ({
  define: new SyncHook<[ResourceDefinition, DefinitionPlace]>(["definition", "about"]),
  panels: new AsyncSeriesHook<[PanelList, PanelPage]>(["panels", "page"]),
  draw: new SyncHook<[RouteSet, Registration]>(["routes", "registration"]),
  portal: new SyncHook(["routes"]),
  place: new SyncHook<[ResourcePlace]>(["place"]),
  listOpening: new AsyncSeriesBailHook(["controller"]),
  listHead: new AsyncSeriesHook(["head"]),
  listRows: new AsyncSeriesHook(["rows"]),
  table: new SyncHook(["look", "controller"]),
  filterPanel: new SyncHook(["parts", "location", "controller"]),
  creating: new AsyncSeriesHook(["columns", "controller"]),
  destroying: new AsyncSeriesHook(["destroying"]),
  destroyQuestion: new AsyncSeriesBailHook(["records", "controller"]),
  destroyed: new SyncBailHook(["ids", "controller"]),
  actions: new AsyncSeriesHook<[ActionsShown, ResourceRequest]>(["shown", "controller"]),
  scope: new SyncHook<[QueryScope, ResourceRequest]>(["narrow", "controller"]),
  defaults: new SyncHook<[Record<string, unknown>, ResourceRequest, Registration]>([
    "values",
    "controller",
    "registration",
  ]),
  fields: new SyncWaterfallHook<[readonly string[], Registration, ResourceRequest]>([
    "names",
    "registration",
    "controller",
  ]),
  decided: new SyncHook<[PolicyDecision, BaseController]>(["decision", "controller"]),
  authorize: new AsyncSeriesHook<[string, ResourceRequest]>(["action", "controller"]),
  record: new AsyncSeriesHook<[RecordEvent]>(["event"]),
  backgroundAccount: new AsyncSeriesBailHook(["person"]),
  backgroundRun: new AsyncSeriesHook(["event"]),
});

type Answering = "fields" | "backgroundAccount" | "listOpening" | "destroyQuestion" | "destroyed";
/** What taps may return; a text has `includes` as a list has, and would permit fields by parts of their names. */
export const answers: Readonly<Record<Answering, AnswerRule>> = {
  listOpening: { expected: "a reply", check: (answer) => answer instanceof Reply },
  destroyQuestion: { expected: "a sentence", check: (answer) => typeof answer === "string" },
  destroyed: {
    expected: "an object with a text",
    check: (answer) => typeof (answer as { text?: unknown }).text === "string",
  },
  fields: {
    expected: "a list of names",
    check: (answer) => Array.isArray(answer) && answer.every((name) => typeof name === "string"),
  },
  backgroundAccount: {
    expected: "an account, false for one that may not act",
    check: (answer) => answer === false || (typeof answer === "object" && !Array.isArray(answer)),
  },
};
