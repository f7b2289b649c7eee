import type { ControllerClass } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, SyncBailHook, SyncHook, suggest } from "framewright/kernel";
import { portalController } from "framewright/plugins/portals";
import { answerDocument } from "./answers.ts";
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
} from "./contract.ts";

/** Options of `openapi()`. */
export interface OpenApiOptions {
  /** The portals whose whole document guests read as well, by their names: `["ApiPortal"]`. */
  open?: readonly string[];
  /** The version of the documents, by which clients tell one interface from the next; "1.0.0" by default. */
  version?: string;
}

const PATH = "/openapi";

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
      document: new SyncHook(["draft"]),
    }),
    portalOf: { operation: ({ parts }) => parts.portal, document: ({ parts }) => parts.portal },
    apply({ services: { host, resources }, hooks }) {
      const documents = new Documents({ application: host, resources, hooks: hooks.openapi, version });
      hooks.resources.portal.tap("openapi", (routes) => {
        const portal = routes.owner;
        if (portal === undefined) return;
        const isOpened = open.includes(portal);
        const mixin = (Base: ControllerClass): ControllerClass => (isOpened ? opened(Base) : Base);
        const controller = portalController(host, portal, "openapi", mixin);
        if (!controller) return;
        const action = answerDocument.bind(undefined, documents);
        documents.add(
          portal,
          routes.draw("GET", PATH, { controller, action, policy: "(by resource)", as: "fw_openapi" }),
        );
      });
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

/** The controller of an opened portal's document. */
const opened = (Base: ControllerClass): ControllerClass =>
  class extends Base {
    static readonly guests = "admit" as const;
    static readonly opensDocument = true;
  };
