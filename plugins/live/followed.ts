import { describe } from "framewright/kernel";
import type { AssociationInfo, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration, ResourceDefinition, ResourceRequest } from "framewright/plugins/resources";
import type { Scoping } from "framewright/plugins/scoping";
import type { Part } from "./contract.ts";
import { errors } from "./errors.ts";
import { accountOf, bellTopic, keyText, listTopic, recordTopic, tenantKey } from "./topics.ts";

/** Module-level: found by a definition, and freed with it: those that nobody follows. */
const unfollowed = new WeakSet<object>();

/** The macro `live` of one definition. @throws FW_LIVE_OPTION */
export const liveMacro =
  (definition: ResourceDefinition) =>
  (isFollowed: boolean): void => {
    if (typeof isFollowed !== "boolean") throw errors.FW_LIVE_OPTION(definition.constructor.name, describe(isFollowed));
    if (isFollowed) unfollowed.delete(definition);
    else unfollowed.add(definition);
  };

export const isFollowed = ({ definition }: Registration): boolean => !unfollowed.has(definition);

/** What a page follows. */
export class Topics {
  readonly all = new Map<string, Part>();
  readonly #scoping: Scoping | undefined;

  constructor(scoping: Scoping | undefined) {
    this.#scoping = scoping;
  }

  /** The records of a list, and those whose labels its cells have. */
  ofList(controller: ResourceRequest): this {
    const { registration } = controller;
    this.#addTable(controller, registration.model);
    this.#addAssociations(controller, controller.listOf("Index"));
    return this;
  }
  /** A record, and the records that its page shows; of a form the record alone. */
  ofRecord(controller: ResourceRequest, record: BaseModel, isForm: boolean): this {
    this.all.set(recordTopic(controller.registration.model.table, keyText(record)), "page");
    if (!isForm) this.#addAssociations(controller, controller.listOf("Show", record));
    return this;
  }
  /** The bell of the account. */
  ofAccount(user: unknown): this {
    const account = accountOf(user);
    if (account) this.all.set(bellTopic(account.table, account.id), "bell");
    return this;
  }

  #addAssociations(controller: ResourceRequest, names: readonly string[]): void {
    const { model } = controller.registration;
    for (const name of new Set([...names, ...model.class.labelAssociations])) {
      const association = model.associations.get(name) as AssociationInfo | undefined;
      if (association) this.#addTable(controller, association.target);
      for (const target of model.polymorphic.get(name)?.targets.values() ?? []) this.#addTable(controller, target);
    }
  }
  /** Within a tenant its records alone; those of a model that leads to no tenant are everybody's. */
  #addTable({ request, currentScopedEntity }: ResourceRequest, model: ModelInfo): void {
    const rule = this.#scoping?.ruleOf(request.engine);
    const isScoped = rule !== undefined && this.#scoping!.leadsToTenant(model, rule);
    const tenant = isScoped
      ? tenantKey(rule.entity.table, (currentScopedEntity as unknown as BaseModel).$id())
      : undefined;
    this.all.set(listTopic(model.table, tenant), "page");
  }
}
