import type { GeneratorContext, ModelFile } from "framewright/generators";
import { camelize } from "framewright/host/inflection";
import { filesOf, importPath, resourceOf } from "../../../../generators/toolkit/index.ts";
import { listed } from "../../../database/generators/toolkit/index.ts";
import { credentialNote } from "../credentials.ts";
import type { PolicySeed } from "./columns.ts";
import { type PortalLists, portalLists, predicatesIn } from "./feature_lists.ts";

/** A resource in a portal, and which of its classes are written there; all by default. */
export interface PortalClasses {
  portal: string;
  model: ModelFile;
  seed: PolicySeed;
  /** Names that the portal's forms can't have. */
  outside: ReadonlySet<string>;
  /** Whether people fill a column in when they create a record there: neither guests, nor what a plugin writes. */
  isEntered: (column: string) => boolean;
  /** The account type to which the policy is closed until it is edited; undefined where the feature's policy decides. */
  closedTo?: string | undefined;
  policy?: boolean;
  definition?: boolean;
  controller?: boolean;
}

/** Writes the classes of a resource in a portal. What is not written is the feature's, and the portal's own controller. */
export function writeClasses(
  { app, changes, template, note }: GeneratorContext,
  {
    portal,
    model,
    seed,
    outside,
    isEntered,
    closedTo,
    policy = false,
    definition = false,
    controller = false,
  }: PortalClasses,
): void {
  const resource = resourceOf(model.constant);
  const feature = filesOf(resource, model.package);
  const files = filesOf(resource, portal, `${portal}/`);
  const isWhole = !policy && !definition && !controller;
  const there = (path: string) => (app.has(path) ? importPath(path) : "");
  const text = changes.read(feature.policy);
  const lists = text === undefined ? { ...seed, left: [], unread: [] } : portalLists(text, seed, outside);
  const locals = {
    ...resource,
    portal,
    portal_name: camelize(portal),
    model_path: importPath(model.path),
    feature_controller: there(feature.controller),
    feature_policy: there(feature.policy),
    feature_definition: there(feature.definition),
    ...policyLocals(lists),
    closed: closedTo === undefined ? [] : predicatesIn(text ?? ""),
    closed_to: closedTo ?? "",
  };
  if (isWhole || controller) template(files.controller, "controller.ts", locals);
  if (isWhole || policy) {
    template(files.policy, "policy.ts", locals);
    const left = lists.left.filter(isEntered);
    const between = { feature: feature.policy, own: files.policy };
    if (left.length > 0) note(leftNote(model, left, between));
    if (lists.unread.length > 0) note(unreadNote(model, lists.unread, between));
    if (closedTo !== undefined) note(closedNote(model, files.policy, { portal, account: closedTo }));
  }
  if (isWhole || definition) template(files.definition, "definition.ts", locals);
  if (!isWhole && !policy && !app.has(files.policy))
    note(`${feature.policy} decides in ${portal}, without the rules of the portal's own resource_policy.ts.`);
  const isServed = isWhole || controller || app.has(files.controller);
  if (!isServed && app.has(feature.controller) && !isEmptyClass(app.read(feature.controller)))
    note(
      `${feature.controller} does not serve ${portal}: its methods are used there with a controller of its own, which --controller writes.`,
    );
  if ((isWhole || policy) && seed.credentials.length > 0) note(credentialNote(files.policy, seed.credentials));
}

/** The lists of a policy as source code, and the types that they need; what is inherited is empty. */
function policyLocals({ create, update, read, associations }: PortalLists) {
  const code = (names: readonly string[] | undefined) => (names ? listed(names) : "");
  const isWriting = create !== undefined || update !== undefined;
  const needed = {
    Associations: associations !== undefined,
    Attributes: isWriting,
    ReadAttributes: read !== undefined,
  };
  return {
    create_list: code(create),
    update_list: code(update),
    read_list: code(read),
    association_list: code(associations),
    types: Object.entries(needed).flatMap(([type, isNeeded]) => (isNeeded ? [type] : [])),
  };
}

const leftNote = (
  { constant }: ModelFile,
  left: readonly string[],
  { feature, own }: { feature: string; own: string },
) =>
  `The form of a new ${constant} has no ${left.join(", ")} there: permittedAttributesForCreate() of ${feature} leaves ${left.length === 1 ? "it" : "them"} out. Add to that list, or write one of the portal in ${own}.`;

const unreadNote = (
  { constant }: ModelFile,
  left: readonly string[],
  { feature, own }: { feature: string; own: string },
) =>
  `Pages of ${constant} show no ${left.join(", ")} there: permittedAttributesForRead() of ${feature} leaves ${left.length === 1 ? "it" : "them"} out. Add to that list, or write one of the portal in ${own}.`;

const closedNote = (
  { constant }: ModelFile,
  path: string,
  { portal, account }: { portal: string; account: string },
): string =>
  `Nobody sees ${constant} in ${portal} yet: anybody may sign up as ${account}, and its feature's policy was written for others. Write in ${path} what they may do, or let the feature's policy decide: fw generate fw:res:conn ${constant} --dest=${portal} --open`;

const isEmptyClass = (text: string): boolean => /\{\s*\}\s*$/.test(text);
