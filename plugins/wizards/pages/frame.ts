import { demodulize, type FieldErrors, humanize, type ParamObject, pluralize, underscore } from "framewright/host";
import type { TextOf } from "framewright/plugins/fields/rows";
import { labelOf, type ResourceController } from "framewright/plugins/resources";
import type { Notice, StepSpec } from "../contract/index.ts";
import { shortNameOf } from "../mounts/wizard_class.ts";
import { customizationOf } from "./customization.ts";
import type { PageContext } from "./open_request.ts";
import { titleOf } from "./replies.ts";

export interface StepPageOptions {
  readonly status?: number;
  readonly errors?: FieldErrors;
  /** The typed input, shown instead of the stored answers. */
  readonly typed?: ParamObject;
  readonly notices?: readonly Notice[] | undefined;
}

/** The texts of a wizard in the application's catalogue, `wizard_texts.<wizard>.…`. */
export const textOf =
  ({ controller, mount }: Pick<PageContext, "controller" | "mount">): TextOf =>
  (path, otherwise, key) => {
    const { request } = controller;
    const usual = key === undefined ? otherwise : request.tOr(key, otherwise);
    return request.tOr(`wizard_texts.${shortNameOf(mount.name)}.${path}`, usual);
  };

/** What a step is called: by the catalogue, by itself, else by its key. */
export const stepLabel = (
  context: Pick<PageContext, "controller" | "mount">,
  { label, key }: Pick<StepSpec, "label" | "key">,
): string => textOf(context)(`steps.${key}`, label ?? humanize(key));

/** The locals that all pages of a wizard share. */
export function frameLocals(context: PageContext): Record<string, unknown> {
  const { controller, mount, visit } = context;
  const { presents, width = controller.request.kernel.service("wizards").width } = mount.wizard.metadata;
  const title = titleOf(context);
  return {
    bare: true, // the layout "basic" of a wizard has no top bar: its name, the language and the way home are at its foot
    ...customizationOf(controller).wizardLocals(),
    title,
    sign_in_url: controller.currentUser === undefined ? signInUrl(context) : undefined,
    wizard: { title, icon: presents.icon, description: descriptionOf(context), width, base: visit.base || "/" },
    breadcrumbs: [...crumbs(context), { label: title }],
  };
}

/** Where guests sign in who have an account: the first page of the portal of a public wizard, which leads to it. */
function signInUrl({ mount, controller: { request } }: PageContext): string | undefined {
  if (!mount.onMain || mount.portal === undefined) return undefined;
  return request.application.mounts.find(({ engine }) => engine.name === mount.portal)?.at;
}

const descriptionOf = (context: PageContext): string | undefined =>
  textOf(context)("description", context.mount.wizard.metadata.presents.description ?? "") || undefined;

/** The breadcrumbs of a wizard on a resource: the list, and the record. */
function crumbs({ mount, visit, controller, subjectUrl }: PageContext): { label: string; url: string }[] {
  if (mount.resource === undefined || subjectUrl === undefined) return [];
  const { listUrl, registration } = controller as ResourceController;
  const name = underscore(demodulize(mount.resource));
  const usual = humanize(registration.singular ? name : pluralize(name));
  const label = controller.request.tOr(`models.${registration.key}.${registration.singular ? "one" : "many"}`, usual);
  const list = { label, url: listUrl };
  return mount.onRecord && !registration.singular
    ? [list, { label: labelOf(controller, visit.anchor!), url: subjectUrl }]
    : [list];
}

/** The mount's layout, if it sets one, overrides the controller's. */
export const layoutOf = ({ mount }: PageContext): { layout?: string } =>
  mount.hasOwnLayout && mount.layout !== undefined ? { layout: mount.layout } : {};
