import { type BaseController, Reply } from "framewright/host";
import {
  type AnswerRule,
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  type PortalRules,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from "framewright/kernel";
import type { ResourceHooks } from "./contract.ts";

/** The hooks of the slot, opened with its plugin. */
export const openHooks = (): ResourceHooks => ({
  define: new SyncHook(["definition", "about"]),
  recordPage: new AsyncSeriesHook(["page"]),
  panels: new AsyncSeriesHook(["panels", "page"]),
  draw: new SyncHook(["routes", "registration"]),
  portal: new SyncHook(["routes"]),
  place: new SyncHook(["place"]),
  listOpening: new AsyncSeriesBailHook(["controller"]),
  listShapes: new SyncHook(["shapes", "permitted", "controller"]),
  listHead: new AsyncSeriesHook(["head"]),
  listRows: new AsyncSeriesHook(["rows"]),
  json: new AsyncSeriesHook(["answer"]),
  table: new SyncHook(["look", "controller"]),
  filterPanel: new AsyncSeriesHook(["parts", "location", "controller"]),
  creating: new AsyncSeriesHook(["columns", "controller"]),
  destroying: new AsyncSeriesHook(["destroying"]),
  destroyQuestion: new AsyncSeriesBailHook(["records", "controller"]),
  destroyed: new SyncBailHook(["ids", "controller"]),
  actions: new AsyncSeriesHook(["shown", "controller"]),
  scope: new SyncHook(["narrow", "controller"]),
  defaults: new SyncHook(["values", "controller", "registration"]),
  fields: new SyncWaterfallHook(["names", "registration", "controller"]),
  decided: new SyncHook(["decision", "controller"]),
  authorize: new AsyncSeriesHook(["action", "controller"]),
  record: new AsyncSeriesHook(["event"]),
  backgroundAccount: new AsyncSeriesBailHook(["person"]),
  backgroundRun: new AsyncSeriesHook(["event"]),
});

const of = ({ request }: BaseController): string | undefined => request.engine?.name;
const ofLast = (...args: readonly [...unknown[], BaseController]): string | undefined =>
  of(args.at(-1) as BaseController);
const ofIts = ({ controller }: { controller: BaseController }): string | undefined => of(controller);
/** The portal that a call of each hook is about. */
export const portalOf: PortalRules<ResourceHooks> = {
  define: (_, about) => about.portal,
  draw: (_, { owner }) => owner,
  portal: ({ owner }) => owner,
  place: ({ about }) => about.registration.owner,
  panels: (_, { controller }) => of(controller),
  ...{ recordPage: ofIts, listHead: ofIts, listRows: ofIts, json: ofIts, destroying: ofIts, record: ofIts },
  defaults: (_, controller) => of(controller),
  backgroundAccount: ({ request }) => request.engine?.name,
  backgroundRun: ({ run }) => run.portal,
  ...{ actions: ofLast, listOpening: of, table: ofLast, filterPanel: ofLast, scope: ofLast, creating: ofLast },
  ...{ listShapes: ofLast, destroyQuestion: ofLast, destroyed: ofLast, fields: ofLast },
  ...{ decided: ofLast, authorize: ofLast },
};

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
