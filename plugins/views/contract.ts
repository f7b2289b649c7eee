import type { RegistryOptions, SyncBailHook } from "framewright/kernel";
import type { Filter } from "./filters.ts";
import type { RenderSlots } from "./render_slots.ts";
import type { Tag } from "./tags.ts";

declare module "framewright/kernel" {
  interface Slots {
    views: { service: Views; hooks: ViewHooks };
  }
}

/** A folder in which views are searched. */
export interface ViewRoot {
  directory: string;
  rank: "application" | "portal" | "plugin" | "framework";
  /** The portal whose package this is; only with the rank "portal". */
  portal?: string;
}

/** A page to render: names, layout, variables. */
export interface ViewRequest {
  /** The portal whose package is searched too; undefined on the main application. */
  portal?: string | undefined;
  /** Template names in order of preference; the first that exists is rendered. */
  names: readonly string[];
  /** The name of the layout; undefined or "none" for no layout. */
  layout?: string | undefined;
  locals: Record<string, unknown>;
}

/** The hooks of the slot "views". */
export interface ViewHooks {
  /** Before a page is rendered. Return HTML to use it instead of the template. */
  render: SyncBailHook<[view: ViewRequest], string | undefined>;
}

/** A template that was rendered, with where it was found. */
export interface RenderedTemplate extends FoundTemplate {
  milliseconds: number;
  /** The partials and layouts that it was compiled with; none where liquidjs interprets it. */
  partials: readonly FoundTemplate[];
}
/** The file of a template, with the rank of the folder that it was found in. */
export interface FoundTemplate {
  file: string;
  rank: ViewRoot["rank"];
}

/**
 * The slot's service. A filler also searches `app/views` of the application and the folder `views/` of each plugin
 * (`hooks.kernel.contribute`). `framewright/conformance/views` tests one, in whatever language its templates are.
 */
export interface Views {
  /** What plugins render in the pages of the framework: `slots.add("record.after_details", (locals, controller) => html`…`)`. */
  readonly slots: RenderSlots;
  /** Adds a folder of templates. Search order: the application, the portal's package, plugins, the framework. */
  addRoot(root: ViewRoot): void;
  /** @throws FW_REGISTRY_TAKEN for a name that there is, unless `{ replace: true }` */
  addFilter(name: string, filter: Filter, options?: RegistryOptions): void;
  /**
   * Adds a tag: `{% money_bar total, max: 100 %}`. Templates that use it are interpreted, not compiled.
   * @throws FW_REGISTRY_TAKEN for a tag that another plugin added, unless `{ replace: true }`; FW_TAG_NAME
   */
  addTag(name: string, tag: Tag, options?: RegistryOptions): void;
  exists(portal: string | undefined, name: string): boolean;
  /**
   * The HTML of the first name that exists, inside its layout, or what a tap of `render` returned. Values are escaped unless
   * they are `SafeHtml`; a layout has the page as `content`, unchanged. Names are a-z, 0-9, `_` and `/` only.
   * @throws FW_VIEW_MISSING, FW_VIEW_NAME, FW_VIEW_FAILED with file and line
   */
  render(view: ViewRequest): string;
  /**
   * Reports each template that is rendered, layouts too, to a listener: for tools of development. A plugin calls it in its `apply`;
   * where none does, nothing is measured.
   */
  observe?(listener: (rendered: RenderedTemplate) => void): void;
  /** How each template of a portal is rendered, except partials: compiled, or interpreted and why. */
  templates?(portal: string | undefined): readonly TemplateMode[];
  /** The file of every template of a portal, partials included, as the search order finds it. */
  sources?(portal: string | undefined): readonly TemplateSource[];
}

/** A template by its name, as in `resource/index` or, a partial, `resource/_header`. */
export interface TemplateSource {
  name: string;
  file: string;
  /** Files of the same name that the search order has after it, which it takes the place of. */
  replaces?: readonly string[];
}

/** How a template is rendered: compiled, or interpreted by liquidjs, and why. */
export type RenderMode = { compiled: true } | { compiled: false; why: string };
/** How a template is rendered, and why it is not compiled. */
export type TemplateMode = { file: string } & RenderMode;
