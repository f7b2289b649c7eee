import type { Tenant } from "framewright/host";
import { describe, type OptionRule, option, rule, suggest } from "framewright/kernel";
import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { isBuiltInPredicate } from "./built_in_predicates.ts";
import type { InteractionClass } from "./interaction.ts";
import { predicateOf } from "./policy.ts";

/** What an action's condition is given. */
export interface ActionContext<M extends AnyRecord = BaseModel> {
  /** The record; undefined for an action of the collection. */
  record: M | undefined;
  currentUser: unknown;
  currentScopedEntity: Tenant | undefined;
}

/** The chrome and the reach of an action; what is not given has a sensible default. */
export interface ActionOptions<M extends AnyRecord = BaseModel> {
  label?: string;
  /** A name of @tabler/icons. */
  icon?: string;
  /** What it does, in a sentence above its form or in the question before it runs. */
  description?: string;
  /** Lower comes first; 50 by default. */
  position?: number;
  /** "primary" is filled; on a record's page it is the main action in place of "edit". There "danger" is in the menu after the others. */
  category?: "primary" | "secondary" | "danger";
  /** The question before it runs; true shows the text `resource.confirmations.<key>`, else the common question. */
  confirmation?: string | boolean;
  /**
   * Its page, as a form, opens over this one: in a dialog, or in a panel at the side, which closes once it is saved; then the
   * page behind is drawn again. Without JavaScript, and in a new tab, it is a page of its own.
   */
  open?: "dialog" | "panel";
  /** A Turbo frame of the application's own that it opens in. */
  turboFrame?: string;
  /** Where it is false the action does not apply: its button is hidden and its route answers 404. The policy decides whether it is allowed. */
  condition?(context: ActionContext<M>): boolean;
  /** It is shown nowhere: only links of the application lead to it. */
  hidden?: boolean;
  /** On the record's page. */
  recordAction?: boolean;
  /** On each row of a list. */
  collectionRecordAction?: boolean;
  /** In the header of the list. */
  resourceAction?: boolean;
  /** Rows of the list can be selected for it: each selected record is acted on by itself. */
  bulk?: boolean;
  interaction?: InteractionClass;
  /** Where it leads, below the record's or the collection's address; for actions with a route of their own. */
  path?: string;
  /** Where it leads on another site: `https://status.example.com`. Such an action has nothing else that leads anywhere. */
  url?: string;
  /** A link opens in a tab of its own. */
  newTab?: boolean;
  method?: "get" | "post" | "patch" | "delete";
  /** The policy's predicate is named after this instead of the key. */
  policy?: string;
  prefetch?: boolean;
}
/** What is not about records of one model. */
type PlainOptions = Omit<ActionOptions, "condition">;
/** An action with its key. */
export interface ResourceAction extends ActionOptions {
  key: string;
  /** It is the framework's own `duplicate`, which opens the form of a new record with the values of another. */
  isDuplicate?: boolean;
}

const called = rule<unknown>("a function", (value) => typeof value === "function");
const rules: Readonly<Record<keyof ActionOptions, OptionRule>> = {
  label: option.string,
  icon: option.string,
  description: option.string,
  hidden: option.boolean,
  position: rule<number>("a number", (value) => typeof value === "number" && !Number.isNaN(value)),
  category: option.oneOf("primary", "secondary", "danger"),
  confirmation: rule("a string, true or false", (value) => ["string", "boolean"].includes(typeof value)),
  open: option.string,
  turboFrame: option.string,
  condition: called,
  recordAction: option.boolean,
  collectionRecordAction: option.boolean,
  resourceAction: option.boolean,
  bulk: option.boolean,
  interaction: rule("a class of interactions", called.check),
  path: option.string,
  url: option.string,
  newTab: option.boolean,
  method: option.oneOf("get", "post", "patch", "delete"),
  policy: option.string,
  prefetch: option.boolean,
};
const known = Object.keys(rules);

/** @throws FW_ACTION_KEY, FW_ACTION_OPTION, FW_ACTION_VALUE, FW_ACTION_TARGET, FW_ACTION_PATH, FW_ACTION_URL, FW_ACTION_OPEN, FW_ACTION_BULK */
export function checkActionOptions(definition: string, key: string, options: PlainOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw errors.FW_ACTION_OPTION(definition, key, name, suggest(name, known));
    const { expected, check } = rules[name as keyof ActionOptions];
    if (value !== undefined && !check(value))
      throw errors.FW_ACTION_VALUE(definition, key, name, `${expected}, got ${describe(value)}`);
  }
  const isStandard = standardKeys.includes(key) || key === DUPLICATE;
  if (!isStandard && isBuiltInPredicate(key)) throw errors.FW_ACTION_KEY(definition, key, predicateOf(key));
  if (!isStandard && !options.interaction && options.path === undefined && options.url === undefined)
    throw errors.FW_ACTION_TARGET(definition, key);
  const { path = "" } = options;
  if (/^\/|^[a-z][a-z\d+.-]*:|\\|\.\./i.test(path)) throw errors.FW_ACTION_PATH(definition, key, path);
  checkLink(definition, key, options);
  checkOpen(definition, key, options);
  if (options.bulk) checkBulk(definition, key, options);
}

/** @throws FW_ACTION_URL */
function checkLink(definition: string, key: string, { url, newTab, ...rest }: PlainOptions): void {
  const refuse = (what: string) => errors.FW_ACTION_URL(definition, key, what);
  const { interaction, path, method = "get", confirmation, turboFrame } = rest;
  if (url !== undefined && !(/^https?:\/\//i.test(url) && URL.canParse(url)))
    throw refuse(
      `the url "${url}", which is no address of another site. Begin it with https://; a page of the application has a path`,
    );
  if (url !== undefined && (interaction || path !== undefined || method !== "get" || confirmation || turboFrame))
    throw refuse("a url beside an interaction, path, method, confirmation or turboFrame. A url stands alone");
  if (newTab && (interaction || method !== "get" || turboFrame))
    throw refuse("newTab, and it is no link that a tab could open. Remove newTab");
}

/** @throws FW_ACTION_OPEN */
function checkOpen(definition: string, key: string, options: PlainOptions): void {
  const { open, turboFrame, interaction, url, newTab, method = "get" } = options;
  const refuse = (what: string) => errors.FW_ACTION_OPEN(definition, key, what);
  if (turboFrame === "modal") throw refuse('turboFrame: "modal". Write open: "dialog"');
  if (open === undefined) return;
  if (open !== "dialog" && open !== "panel") throw refuse(`open: "${open}". Write "dialog" or "panel"`);
  if (turboFrame !== undefined || url !== undefined || newTab)
    throw refuse(`open: "${open}" beside a turboFrame, url or newTab. Take one of them away`);
  const hasForm = interaction ? Object.keys(interaction.attributes).length > 0 : method === "get" && key !== "destroy";
  if (!hasForm) throw refuse(`open: "${open}", and it has no form that could be opened. Take open away`);
}

/** @throws FW_ACTION_BULK */
function checkBulk(definition: string, key: string, { interaction, resourceAction }: PlainOptions): void {
  const refuse = (what: string) => errors.FW_ACTION_BULK(definition, key, what);
  if (resourceAction)
    throw refuse("resourceAction: true, which is about the list and not about rows of it. Take one of them away");
  if (!interaction && key !== "destroy")
    throw refuse("no interaction that could run on each row. Give it one, as in { interaction: Publish, bulk: true }");
  if (interaction?.download)
    throw refuse(`${interaction.name}, whose answer is a download: there is one for several rows. Take bulk away`);
}

const standardKeys = ["new", "show", "edit", "destroy"];
/** The key of the action that resources have where their definition names it. */
const DUPLICATE = "duplicate";

/** The action `duplicate` is the framework's own where the definition sets neither what it runs nor where it leads. */
export function settledAction(action: ResourceAction, { path }: PlainOptions): ResourceAction {
  const { key, isDuplicate: wasDuplicate = false, ...rest } = action;
  if (key !== DUPLICATE) return action;
  const isOwn = action.interaction !== undefined || action.url !== undefined || path !== undefined;
  if (!isOwn && (wasDuplicate || action.path === undefined))
    return { icon: "copy", position: 30, ...rest, key, path: DUPLICATE, isDuplicate: true };
  if (wasDuplicate && path === undefined) delete rest.path;
  return { ...rest, key };
}

/** The framework's own `duplicate` of a definition; undefined for one without. */
export function duplicateOf({ actions }: { readonly actions: ReadonlyMap<string, ResourceAction> }) {
  const action = actions.get(DUPLICATE);
  return action?.isDuplicate ? action : undefined;
}

/** Who may duplicate: by the policy's `canDuplicate()`, or by `canCreate()` where it has none. */
export function settleDuplicate(
  { actions }: { readonly actions: Map<string, ResourceAction> },
  policyClass: { prototype: object },
): void {
  const action = duplicateOf({ actions });
  if (!action || action.policy !== undefined) return;
  actions.set(DUPLICATE, { ...action, policy: "canDuplicate" in policyClass.prototype ? DUPLICATE : "create" });
}

/** The four that every resource has; a definition changes them by naming them again. */
export function standardActions(action: (key: string, options: PlainOptions) => void): void {
  action("new", { resourceAction: true, category: "primary", path: "new", position: 10 });
  action("show", { collectionRecordAction: true, path: "", position: 10 });
  action("edit", { recordAction: true, collectionRecordAction: true, path: "edit", position: 20 });
  action("destroy", {
    recordAction: true,
    collectionRecordAction: true,
    category: "danger",
    method: "delete",
    path: "",
    confirmation: true,
    position: 100,
  });
}

/** Where an action is shown. */
export type Placement = "record" | "row" | "collection";

/** Whether an action belongs to a place: an interaction on records is shown on page and rows by default. */
export function standsAt(action: ResourceAction, placement: Placement): boolean {
  if (action.hidden) return false;
  if (placement === "collection") return action.resourceAction === true;
  if (action.resourceAction === true) return false;
  if (standardKeys.includes(action.key)) {
    return placement === "record" ? action.recordAction === true : action.collectionRecordAction === true;
  }
  return placement === "record" ? action.recordAction !== false : action.collectionRecordAction !== false;
}
