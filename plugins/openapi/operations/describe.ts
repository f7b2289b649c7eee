import { type Application, camelize, pluralize, type Route, singularize } from "framewright/host";
import type { Registration, ResourceRoute } from "framewright/plugins/resources";
import type { DescribedOperation, OpenApiHooks, Operation, OperationVerb } from "../contract.ts";
import type { Parts } from "../parts.ts";
import { RecordSchemas } from "../schemas/records.ts";
import { actionOperations } from "./actions.ts";
import { choicesOperation } from "./choices.ts";
import { customOperation } from "./custom.ts";
import { listOperation } from "./lists.ts";
import { type Named, RecordOperations } from "./records.ts";

/** What a record of a resource is called in ids and schemas: `BloggingPost`. */
export const nounOf = ({ key }: Registration): string => camelize(key);
/** The tag of a resource's operations: `BloggingPosts`. */
export const tagOf = (registration: Registration): string => pluralize(nounOf(registration));

/** What records are called in a place: those of a nested one after their parent. */
function namesAt({ registration, parent }: ResourceRoute): Named & { many: string } {
  const own = nounOf(registration);
  if (!parent) return { own, noun: own, many: registration.singular ? own : pluralize(own) };
  const name = camelize(parent.association.name);
  const before = nounOf(parent.registration);
  return { own, noun: before + singularize(name), many: before + name };
}

/** Whether there is one record at most, and no list. */
const isSingle = ({ registration, parent }: ResourceRoute): boolean =>
  parent ? parent.association.kind === "hasOne" : registration.singular;

type Standard = (about: ResourceRoute, path: string) => readonly DescribedOperation[];

/** Describes the routes of a portal. */
export class RouteDescriptions {
  readonly #application: Application;
  readonly #parts: Parts;
  readonly #hooks: OpenApiHooks;
  readonly #records: RecordSchemas;
  readonly #operations: RecordOperations;
  readonly #standard: Readonly<Record<string, Standard>>;

  constructor(application: Application, parts: Parts, hooks: OpenApiHooks) {
    this.#application = application;
    this.#parts = parts;
    this.#hooks = hooks;
    this.#records = new RecordSchemas(parts, (registration) => parts.facts(registration));
    this.#operations = new RecordOperations(parts, this.#records);
    this.#standard = this.#standardRoutes();
  }

  /** The operations of a route; none for a page, and for what nobody describes. */
  of(route: Route, path: string, about: ResourceRoute | undefined): DescribedOperation[] {
    const parent = about?.parent?.registration;
    if (parent && !this.#parts.may(parent, "show")) return []; // nobody gets below a record that they don't see
    const standard =
      about && !about.custom && !about.answer
        ? this.#standard[typeof route.action === "string" ? route.action : ""]
        : undefined;
    const isPanel = path.includes("/panels/");
    const described = { route, path, about, noun: about ? namesAt(about).noun : "", parts: this.#parts };
    const { operation: others, described: added } = this.#hooks;
    const found =
      standard && !isPanel
        ? standard(about!, path).map((one) => ({ ...one, operation: added.call(one.operation, described) }))
        : (others.call(described) ?? customOperation(this.#application, described));
    const tags = about ? [tagOf(about.registration)] : undefined;
    return (found ?? []).map(({ path: at = `${path}.json`, verb, operation }) => ({
      path: at,
      verb,
      operation: tags && !operation.tags ? { ...operation, tags } : operation,
    }));
  }

  #standardRoutes(): Readonly<Record<string, Standard>> {
    const parts = this.#parts;
    const one =
      (verb: OperationVerb, action: string, build: (registration: Registration, named: Named) => Operation): Standard =>
      (about) => {
        const { registration } = about;
        return parts.may(registration, action) ? [{ verb, operation: build(registration, namesAt(about)) }] : [];
      };
    const run =
      (isCollection: boolean): Standard =>
      (about, path) =>
        actionOperations(parts, about.registration, {
          path,
          named: namesAt(about),
          isCollection,
          isSingle: isSingle(about),
        });
    return {
      index: (about) => {
        const { registration } = about;
        if (!parts.may(registration, "index")) return [];
        return [{ verb: "get", operation: listOperation(parts, this.#records, registration, namesAt(about)) }];
      },
      show: one("get", "show", (registration, named) => this.#operations.show(registration, named)),
      create: one("post", "create", (registration, named) => this.#operations.create(registration, named)),
      update: one("patch", "update", (registration, named) => this.#operations.update(registration, named)),
      destroy: one("delete", "destroy", (registration, named) => this.#operations.destroy(registration, named)),
      runRecordAction: run(false),
      runCollectionAction: run(true),
      typeahead: (about) => {
        const operation = choicesOperation(parts, about.registration, namesAt(about).noun);
        return operation ? [{ verb: "get", operation }] : [];
      },
      ...Object.fromEntries(pages.map((name) => [name, () => []] as const)),
    };
  }
}

/** Pages for people. */
const pages = ["new", "edit", "newDuplicate", "recordAction", "collectionAction"];
