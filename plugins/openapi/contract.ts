import type { Authentication, BaseController, Engine, Route } from "framewright/host";
import type { InPortal, SyncBailHook, SyncHook, SyncWaterfallHook } from "framewright/kernel";
import type { Attribute, Registration, ResourceAction, ResourceRoute } from "framewright/plugins/resources";

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 has it. `{}` is any value. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** An operation of a document: a verb of a path. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
  readonly security?: readonly Schema[];
  /** A `GET` that stores something, as the launch of a wizard its run. */
  readonly "x-stores"?: true;
}
/** The verbs of operations. */
export type OperationVerb = "get" | "put" | "post" | "patch" | "delete";

/** What a path has: parameters that all its operations share, and an operation for each verb. */
export type PathItem = { parameters?: readonly Schema[] } & { [V in OperationVerb]?: Operation };

/** An OpenAPI 3.1 document, while it is written. Plugins change it by the hook `document`. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: Schema & { readonly title: string; readonly version: string };
  servers: readonly Schema[];
  security: readonly Schema[];
  tags: Schema[];
  paths: Record<string, PathItem>;
  components: Record<"schemas" | "parameters" | "responses" | "securitySchemes", Record<string, Schema>>;
}

/** An attribute of a record, or an input of an action, that a schema is needed for. */
export interface DescribedField {
  /** The name of its type: `as` of its input. */
  readonly as: string;
  /** `read` in an answer, `write` in a JSON body, `form` in a body `multipart/form-data`. */
  readonly direction: "read" | "write" | "form";
  /** What is declared of it: `choices`, `range`, `currency`, `maximum`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Undefined for an input of an action and a field of rows. */
  readonly attribute?: Attribute | undefined;
  readonly registration?: Registration | undefined;
  readonly parts: DocumentParts;
}

/** A route that is described, below the paths of its portal. */
export interface DescribedRoute {
  readonly route: Route;
  /** As the document has it, without `.json`: `/admin/blogging/posts/{id}`. */
  readonly path: string;
  /** What the route is about; undefined for one of no resource. */
  readonly about: ResourceRoute | undefined;
  /** What the operations of a resource's place are named after: `BloggingPost`. */
  readonly noun: string;
  readonly parts: DocumentParts;
}
/** An operation with its place; without a path it is that of its route, with `.json`. */
export interface DescribedOperation {
  readonly path?: string;
  readonly verb: OperationVerb;
  readonly operation: Operation;
}

/** The lists of names that a document has schemas of. */
export type ListName = "Index" | "Show" | "Create" | "Update";

/** What descriptions are put together with: schemas of fields, shared components, and what the reader of the document may do. */
export interface DocumentParts {
  readonly portal: string;
  /** Whether the reader of the document has an account. What belongs to people who are signed in is left out for others. */
  readonly isSignedIn: boolean;
  /** Names a schema once, and returns a reference to it: `parts.schema("Comment", () => ({ type: "object", … }))`. */
  schema(name: string, build: () => Schema): Schema;
  /** As `schema`, for a parameter. */
  parameter(name: string, build: () => Schema): Schema;
  /** The answers of an operation: its own, with those that errors have. `body` where it takes one, `record` where it may find none. */
  answers(own: Readonly<Record<string, Schema>>, kinds?: AnswerKinds): Record<string, Schema>;
  /** A response with JSON: `parts.json("The comments.", { type: "object", … })`. */
  json(description: string, schema: Schema, headers?: Schema): Schema;
  /** An id of an operation that no other one has. */
  operationId(wanted: string): string;
  /** The names of a list that the reader of the document may have. */
  names(registration: Registration, list: ListName): readonly string[];
  /** Whether the reader may do something to a resource, for some records at least: `parts.may(registration, "update")`. */
  may(registration: Registration, action: string): boolean;
  /** What serves a model in the portal. */
  registrationOf(model: Registration["model"]): Registration | undefined;
  /** What an attribute is in answers and in bodies; undefined for one that nobody writes. */
  attribute(registration: Registration, name: string, direction: DescribedField["direction"]): Schema | undefined;
  /** A reference to what answers have of a record, as its page or its list shows it. */
  record(registration: Registration, list: "Index" | "Show"): Schema;
  /** What a declared field is: an input of an action, or a field of rows. */
  field(name: string, declared: Readonly<Record<string, unknown>> & { readonly as: string }, at: FieldPlace): Schema;
  /** What an action takes, with more properties beside its inputs; undefined for an action that takes nothing. */
  actionBody(
    registration: Registration,
    action: ResourceAction,
    more?: Readonly<Record<string, Schema>>,
  ): Schema | undefined;
  /** The key of a record. */
  key(model: Registration["model"]): Schema;
}
/** Where a declared field is. */
export interface FieldPlace {
  readonly direction: DescribedField["direction"];
  /** The resource whose associations an input may be named after. */
  readonly registration: Registration;
}
/** Which errors an operation may answer with, besides those that all have. */
export interface AnswerKinds {
  readonly body?: boolean;
  readonly record?: boolean;
  readonly conflict?: boolean;
  readonly invalid?: boolean;
}

/** A document that is complete, for plugins to add to. */
export interface DocumentDraft {
  readonly document: OpenApiDocument;
  readonly engine: Engine;
  readonly authentication: Authentication | undefined;
  readonly parts: DocumentParts;
}

/** The hooks of the slot "openapi". */
export interface OpenApiHooks {
  /**
   * A field is described: return the schema of its values for a type of your own, false where nobody writes it, or undefined
   * to leave it to others. Null is added where the column may be empty.
   */
  schema: SyncBailHook<[field: DescribedField], Schema | false | undefined>;
  /** A route is described that the framework's descriptions leave out: return its operations, `[]` for none. */
  operation: SyncBailHook<[route: DescribedRoute], readonly DescribedOperation[] | undefined, InPortal>;
  /** A list or a record, a change or an action of a resource was described by the framework: return it with what a plugin adds. */
  described: SyncWaterfallHook<[operation: Operation, route: DescribedRoute], Operation, InPortal>;
  /** A document is complete: add to it, or change it. It is sorted afterwards. */
  document: SyncHook<[draft: DocumentDraft], void, InPortal>;
}

/** The text of a document, as JSON, and a tag that is the same for the same text. */
export interface WrittenDocument {
  readonly text: string;
  readonly etag: string;
}

/** The service of the slot "openapi". */
export interface OpenApi {
  /** The whole document of a portal, as `fw openapi` prints it. @throws FW_OPENAPI_PORTAL */
  documentOf(portal: string): Promise<OpenApiDocument>;
  /** The document of the account of a request. @example openapi.ofAccount(controller, "AdminPortal").text */
  ofAccount(controller: BaseController, portal: string): WrittenDocument;
  /** The route that carries out an operation of a written document; undefined for one that a plugin has added to the document. */
  routeOf(portal: string, verb: OperationVerb, path: string): Route | undefined;
  /** The portals that have a document. */
  readonly portals: readonly string[];
}

declare module "framewright/kernel" {
  interface Slots {
    openapi: { service: OpenApi; hooks: OpenApiHooks };
  }
}
