import { deflateRawSync, inflateRawSync } from "node:zlib";
import { html, htmlReply, type ParamObject, Params, type Reply, redirectReply } from "framewright/host";
import type { FramewrightError } from "framewright/kernel";
import { BaseModel, ModelInfo } from "framewright/plugins/database";
import { type FieldView, NEW_BESIDE, ORIGINALS } from "framewright/plugins/fields";
import { type Attribute, isFileField, isSecret } from "../definition/attributes.ts";
import { allows } from "../definition/policy.ts";
import { labelOf } from "../entry/labels.ts";
import { mayChoose } from "../operations/choices.ts";
import { formFields } from "../operations/form_fields.ts";
import { joinOf } from "../operations/links.ts";
import type { Registration } from "../registration/registration.ts";
import { inSentence, labelsFor } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";

/** Ends the address that such a record's form returns to: the field, and after a dot the record that was created. */
const BESIDE = "_beside";
/** Ends it where the form is in a dialog over the other one. */
const IN_DIALOG = "_choose";
const SESSION_KEY = "fw_beside";
const MAX_FORMS = 3;
const MAX_CHARS = 64 * 1024;

/** A form that was left for the one of a record to choose. */
interface LeftForm {
  /** Whose it is, and the address of its page. */
  of: string;
  field: string;
  version: string | null;
  originals: string | null;
  typed: string;
}

/** What is shown beside a select whose record the person may create. */
export function besideView(
  controller: ResourceRequest,
  attribute: Attribute,
  record: BaseModel | undefined,
): FieldView["beside"] {
  const target = targetOf(controller, attribute);
  if (!target) return undefined;
  const url = controller.resourceUrlFor(target.model.class, { action: "new" });
  const name = inSentence(controller, labelsFor(controller, target).one);
  return {
    name: NEW_BESIDE,
    value: attribute.name,
    label: controller.t("resource.new_title", { name }),
    url: withReturn(url, returnLocation(controller, record, IN_DIALOG, attribute.name)),
  };
}

/** The resource of this portal that a record for a field may be created in, by its policy; undefined where the person may not, or could not choose it. */
function targetOf(controller: ResourceRequest, attribute: Attribute): Registration | undefined {
  const { association, input } = attribute;
  if (!association || (association.kind !== "belongsTo" && !joinOf(association))) return undefined;
  if (input.choices !== undefined || input.addNew === false) return undefined;
  const { resources, registration } = controller;
  const target = resources.registry.of(registration.owner).get(association.target.constant);
  if (!target || target.singular || !mayChoose(controller, association.target)) return undefined;
  const policy = resources.policy(controller, target.policyClass, undefined);
  return allows(policy, "new") && allows(policy, "create") ? target : undefined;
}

/** The page of this form, as the other form returns to it. */
function returnLocation(controller: ResourceRequest, record: BaseModel | undefined, mark: string, field: string) {
  const back = controller.returnTo();
  const query = back === undefined ? "?" : `?return_to=${encodeURIComponent(back)}&`;
  return `${pageOf(controller, record)}${query}${mark}=${field}`;
}
const pageOf = (controller: ResourceRequest, record: BaseModel | undefined): string =>
  controller.urlFor(record ?? controller.registration.model.class, { action: record ? "edit" : "new" });
const withReturn = (url: string, location: string): string => `${url}?return_to=${encodeURIComponent(location)}`;

/** Keeps what was typed, and leads to the form of a record for a field; undefined where the form is drawn again. */
export function leaveForm(controller: ResourceRequest, record: BaseModel | undefined): Reply | undefined {
  const { params, registration, request } = controller;
  const field = params.get(NEW_BESIDE);
  if (typeof field !== "string" || request.format === "json") return undefined;
  const typed = params.nested(registration.key);
  const { names } = formFields(controller, record, typed);
  const target = names.includes(field) ? targetOf(controller, registration.attribute(field)) : undefined;
  if (!target || !keep(controller, record, field, keptValues(registration, names, typed))) return undefined;
  const url = controller.resourceUrlFor(target.model.class, { action: "new" });
  return redirectReply(withReturn(url, returnLocation(controller, record, BESIDE, field)));
}

/** Whether what was typed fits into the session. */
function keep(controller: ResourceRequest, record: BaseModel | undefined, field: string, values: ParamObject): boolean {
  const { session } = controller.request;
  const left: LeftForm = {
    of: ownerOf(controller, record),
    field,
    version: controller.params.string("lock_version") ?? null,
    originals: controller.params.string(ORIGINALS) ?? null,
    typed: deflateRawSync(JSON.stringify(values)).toString("base64url"),
  };
  const others = leftForms(controller).filter(({ of }) => of !== left.of);
  for (let some = others.slice(1 - MAX_FORMS); left.typed.length <= MAX_CHARS; some = some.slice(1)) {
    try {
      const value = [...some, left].map((one) => ({ ...one }));
      session.set(SESSION_KEY, value); // refuses what is too large
      session.setExpendable(SESSION_KEY, value);
      return true;
    } catch (error) {
      if ((error as FramewrightError).code !== "FW_SESSION_TOO_LARGE") throw error;
      if (some.length === 0) break;
    }
  }
  controller.flash.now("warning", controller.t("resource.beside_too_long"));
  return false;
}

/** What was typed into the fields of a form, without secrets and files. */
function keptValues(registration: Registration, names: readonly string[], typed: Params): ParamObject {
  const values: ParamObject = {};
  for (const name of names) {
    const attribute = registration.attribute(name);
    const value = isSecret(attribute) || isFileField(attribute) ? undefined : typed.get(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

const leftForms = ({ request }: ResourceRequest): LeftForm[] =>
  (request.session.get(SESSION_KEY) as unknown as LeftForm[] | undefined) ?? [];

function ownerOf(controller: ResourceRequest, record: BaseModel | undefined): string {
  const { currentUser: user } = controller;
  const id = user instanceof BaseModel ? user.$id() : (user as { id?: unknown } | undefined)?.id;
  return `${String(id ?? "")} ${pageOf(controller, record)}`;
}

/** What was typed into this form before it was left, with the record that was created meanwhile; undefined where nothing was. */
export function formLeft(
  controller: ResourceRequest,
  record: BaseModel | undefined,
): { typed: Params; version: string | undefined; originals: string | undefined } | undefined {
  const given = controller.params.get(BESIDE);
  const [, field, key] = typeof given === "string" ? (/^(\w+)(?:\.(.+))?$/.exec(given) ?? []) : [];
  if (field === undefined || !controller.request.carriesSession) return undefined;
  const of = ownerOf(controller, record);
  const left = leftForms(controller).find((one) => one.of === of && one.field === field);
  if (!left) return undefined;
  const inflated = inflateRawSync(Buffer.from(left.typed, "base64url")).toString();
  const values = new Params(JSON.parse(inflated) as ParamObject).toObject();
  const isMany = controller.registration.model.associations.get(field)?.kind === "hasMany";
  if (key !== undefined) values[field] = isMany ? [values[field] ?? [], key].flat() : key;
  return { typed: new Params(values), version: left.version ?? undefined, originals: left.originals ?? undefined };
}

/** How a record is answered that was created for a field of another form; undefined for any other. One out of the person's sight is not chosen. */
export function answerBeside(controller: ResourceRequest, record: BaseModel, isSeen: boolean): Reply | undefined {
  const back = controller.returnTo() ?? "";
  const mark = markOf(back);
  const { frame } = controller.request;
  const key = String(ModelInfo.keyOf(record));
  const label = labelOf(controller, record);
  const text = controller.t("resource.created", { name: label });
  if (mark === BESIDE && isSeen) {
    controller.flash.add("success", text);
    return controller.redirectTo(`${back}.${encodeURIComponent(key)}`);
  }
  if (mark !== IN_DIALOG || frame === undefined) return undefined;
  const chosen = isSeen
    ? html`<p role="status" data-chosen="${key}" data-label="${label}">${text}</p>`
    : html`<p role="status">${text} ${controller.t("resource.out_of_sight")}</p>`;
  return htmlReply(html`<turbo-frame id="${frame}">${chosen}</turbo-frame>`.html, 201); // Turbo shows no 200 to a form
}

/** Whether the form is that of a record for a field of another form. */
export const isBeside = (controller: ResourceRequest): boolean => markOf(controller.returnTo() ?? "") !== undefined;

/** Whether the form returns to the one that was left for it. */
export const returnsToForm = (controller: ResourceRequest): boolean => markOf(controller.returnTo() ?? "") === BESIDE;

/** What an address that a form returns to ends in, where it is that of a form for whose field a record is created. */
const markOf = (location: string): string | undefined => /[?&](_beside|_choose)=\w+$/.exec(location)?.[1];
