import {
  checkOptions,
  definePlugin,
  option,
  type Plugin,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
  suggest,
} from "framewright/kernel";
import { portalController } from "framewright/plugins/portals";
import { answerDocument, answerOpened, PATH } from "./answers.ts";
import { commands } from "./commands/index.ts";
import type { OpenApiHooks } from "./contract.ts";
import { Documents } from "./documents.ts";
import { errors } from "./errors.ts";

export type {
  AnswerKinds,
  DescribedField,
  DescribedOperation,
  DescribedRoute,
  DocumentDraft,
  DocumentParts,
  FieldPlace,
  ListName,
  OpenApi,
  OpenApiDocument,
  OpenApiHooks,
  Operation,
  OperationVerb,
  PathItem,
  Schema,
  WrittenDocument,
} from "./contract.ts";

/** Options of `openapi()`. */
export interface OpenApiOptions {
  /** The portals whose whole document is public, by their names: `["ApiPortal"]`. */
  open?: readonly string[];
  /** The version of the documents, by which clients distinguish one interface from the next; "1.0.0" by default. */
  version?: string;
}

/** The OpenAPI 3.1 document of each portal at `<portal>/openapi.json`, and a page to read it at `<portal>/openapi`. */
export function openapi(options: OpenApiOptions = {}): Plugin {
  checkOptions("openapi", options, { open: option.strings, version: option.string });
  const { open = [], version = "1.0.0" } = options;
  return definePlugin({
    name: "openapi",
    commands,
    directory: import.meta.dirname,
    requires: ["host", "i18n", "views", "portals", "resources"],
    provides: "openapi",
    hooks: (): OpenApiHooks => ({
      schema: new SyncBailHook(["field"]),
      operation: new SyncBailHook(["route"]),
      described: new SyncWaterfallHook(["operation", "route"]),
      document: new SyncHook(["draft"]),
    }),
    portalOf: {
      operation: ({ parts }) => parts.portal,
      described: (_, { parts }) => parts.portal,
      document: ({ parts }) => parts.portal,
    },
    apply({ services: { host, resources }, hooks }) {
      const documents = new Documents({ application: host, resources, hooks: hooks.openapi, version });
      hooks.resources.portal.tap("openapi", (routes) => {
        const portal = routes.owner;
        if (portal === undefined) return;
        const controller = portalController(host, portal, "openapi");
        if (!controller) return;
        const action = answerDocument.bind(undefined, documents);
        documents.add(
          portal,
          routes.draw("GET", PATH, { controller, action, policy: "(by resource)", as: "fw_openapi" }),
        );
      });
      if (open.length > 0)
        // before the sign-in of a portal and of its mount
        hooks.host.request.tapPromise("openapi", async (request) => answerOpened(documents, open, request));
      hooks.kernel.ready.tap("openapi", () => {
        for (const portal of open) {
          if (!documents.portals.includes(portal))
            throw errors.FW_OPENAPI_PORTAL(portal, documents.portals, suggest(portal, documents.portals));
          if (host.engines.get(portal)!.tenantModel !== undefined) throw errors.FW_OPENAPI_OPEN_TENANT(portal);
        }
      });
      return documents;
    },
  });
}
