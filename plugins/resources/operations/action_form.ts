import { type FieldErrors, notFound, Params, type Reply, unprocessable } from "framewright/host";
import { isRedrawn, unseenFields } from "framewright/plugins/fields";
import { isRowButtonPressed } from "framewright/plugins/fields/rows";
import { restoreFiles } from "framewright/plugins/fields/toolkit";
import type { ResourceAction } from "../definition/actions.ts";
import type { InteractionClass } from "../definition/interaction.ts";
import type { Entry } from "../entry/entry.ts";
import { fileFormOf, renderActionForm } from "../pages/action_page.ts";
import { isHidden, prepareActions } from "../pages/hidden_actions.ts";
import type { ResourceRequest } from "../request.ts";
import { confirmInteraction } from "./confirm_identity.ts";
import { fieldSource } from "./field_source.ts";
import { type InputsRead, readInputs, targetOf } from "./interaction_inputs.ts";
import { rowTarget } from "./interaction_rows.ts";
import { answerSearch } from "./typeahead.ts";

/** What an action that was found and authorized needs before it is done: who the person is, and its inputs. */
export class ActionForm {
  readonly #controller: ResourceRequest;
  readonly #action: ResourceAction;

  constructor(controller: ResourceRequest, action: ResourceAction) {
    this.#controller = controller;
    this.#action = action;
  }

  /** Whether it has inputs. */
  get hasInputs(): boolean {
    return Object.keys(this.#attributes).length > 0;
  }
  /** To be awaited first. @throws HttpError 404 for an action that a plugin hides here */
  async enter(entry?: Entry): Promise<void> {
    await prepareActions(this.#controller, entry ? [entry] : []);
    if (isHidden(this.#controller, this.#action.key, entry)) throw notFound();
  }
  /** The answer that asks people to confirm who they are, where the action requires it. */
  confirm(): Promise<Reply | undefined> {
    return confirmInteraction(this.#controller, this.#action.interaction);
  }
  /** The choices of an input, where the address searches them. @throws HttpError 404 for an input that chooses no record */
  search(): Promise<Reply> | undefined {
    const controller = this.#controller;
    const name = controller.request.query.get("_search");
    if (name === undefined) return undefined;
    const attributes = this.#attributes;
    const input = typeof name === "string" && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const own = input && !input.choices ? targetOf(String(name), input, controller.registration.model) : undefined;
    const target = own ?? rowTarget(attributes, String(name), controller.resources.fieldTypes);
    if (!target) throw notFound();
    return answerSearch(controller, target);
  }
  /** The form, with what was being sent when a sign-in came in between. */
  draw(): Promise<Reply> {
    const { typed } = this.#controller.request;
    const sent = typed && new Params(typed.take()).nested("interaction");
    return renderActionForm(this.#controller, this.#action, sent, {});
  }
  /** The values that were sent; else the form again. @throws HttpError 422 for programs */
  async read(): Promise<{ values: Record<string, unknown> } | { reply: Reply }> {
    const controller = this.#controller;
    const isHtml = controller.request.format !== "json";
    const gone = await restoreFiles(controller, fileFormOf(controller, this.#action));
    const sent = controller.params.nested("interaction");
    if (isHtml && (isRedrawn(controller.params) || isRowButtonPressed(controller.params)))
      return { reply: await renderActionForm(controller, this.#action, sent, {}, true) };
    const read = await readSent(controller, this.#action.interaction!, sent);
    const problems = { ...read.errors, ...gone };
    const unseen = isHtml ? unseenFields(sent, () => read.dynamic) : [];
    for (const name of unseen) delete problems[name];
    if (unseen.length > 0) problems.base = [controller.t("form.more_fields")];
    return Object.keys(problems).length > 0 ? { reply: await this.refuse(problems) } : { values: read.values };
  }
  /** The form again, with what is wrong. @throws HttpError 422 for programs */
  refuse(fields: FieldErrors, message?: string): Promise<Reply> {
    const controller = this.#controller;
    if (controller.request.format === "json") throw unprocessable(message ?? controller.t("resource.invalid"), fields);
    const all = message === undefined ? fields : { ...fields, base: [message, ...(fields.base ?? [])] };
    const found = Object.keys(all).length > 0 ? all : { base: [controller.t("resource.invalid")] };
    return renderActionForm(controller, this.#action, controller.params.nested("interaction"), found);
  }

  get #attributes(): InteractionClass["attributes"] {
    return this.#action.interaction?.attributes ?? {};
  }
}

export function readSent(
  controller: ResourceRequest,
  { attributes }: InteractionClass,
  sent: Params,
): Promise<InputsRead> {
  const source = fieldSource(controller, controller.record);
  const say = controller.request.tOr.bind(controller.request);
  return readInputs(attributes, sent, { source, own: controller.registration.model }, say);
}
