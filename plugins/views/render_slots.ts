import {
  type BaseController,
  failedPart,
  html,
  type PageLocals,
  renderedAtOnce,
  type SafeHtml,
} from "framewright/host";
import { didYouMean, messageOf, suggest } from "framewright/kernel";
import type { ResourceController } from "framewright/plugins/resources";
import { Drop } from "liquidjs";
import { errors } from "./errors.ts";

const ofResources = [
  "record.before_details",
  "record.after_details",
  "list.start",
  "list.before_table",
  "list.after_table",
  "form.before_fields",
  "form.after_fields",
] as const;
const ofShell = ["shell.topbar", "shell.sidebar_end", "shell.page_end"] as const;

/** Where templates of the framework render what plugins add. */
export const renderSlotNames = [...ofResources, ...ofShell] as const;
/** The name of a render slot, as `record.after_details`. */
export type RenderSlotName = (typeof renderSlotNames)[number];

/** The controller of the pages that have a render slot. */
export type RenderSlotController<N extends RenderSlotName> = N extends (typeof ofShell)[number]
  ? BaseController
  : ResourceController;

/**
 * What a plugin renders in a slot, from the variables of the page and its controller; undefined for nothing. Pages are
 * rendered at once: it loads nothing.
 */
export type RenderSlotFill<N extends RenderSlotName> = (
  locals: PageLocals,
  controller: RenderSlotController<N>,
) => SafeHtml | undefined;

interface Fill {
  readonly owner: string;
  readonly render: (locals: PageLocals, controller: BaseController) => SafeHtml | undefined;
}

/** What plugins render in the pages of the framework, by the name of the place. */
export class RenderSlots {
  readonly #registrant: () => string | undefined;
  readonly #fills = new Map<string, Fill[]>();

  constructor(registrant: () => string | undefined = () => undefined) {
    this.#registrant = registrant;
  }

  get isEmpty(): boolean {
    return this.#fills.size === 0;
  }

  /**
   * Renders something in a slot, after what other plugins render there.
   * @throws FW_RENDER_SLOT_NAME
   * @example slots.add("record.after_details", (locals, { record }) => html`<p>${record?.toLabel()}</p>`)
   */
  add<N extends RenderSlotName>(name: N, fill: RenderSlotFill<N>): void {
    checkName(name);
    const owner = this.#registrant() ?? "the application";
    const added = { owner, render: fill as Fill["render"] }; // the templates of a slot are rendered by its controllers
    this.#fills.set(name, [...(this.#fills.get(name) ?? []), added]);
  }

  /** The content of a slot of a page; undefined where there is none. What fails is logged, and costs its own part alone. @throws FW_RENDER_SLOT_NAME */
  render(name: RenderSlotName, locals: PageLocals, controller: BaseController): SafeHtml | undefined {
    const fills = this.#fills.get(name);
    if (fills) return html`${fills.map((fill) => run(name, fill, locals, controller))}`;
    checkName(name);
    return undefined;
  }
}

function checkName(name: string): void {
  if ((renderSlotNames as readonly string[]).includes(name)) return;
  throw errors.FW_RENDER_SLOT_NAME(String(name), didYouMean(suggest(String(name), renderSlotNames)), renderSlotNames);
}

/** A failure is logged by the plugin and the slot. */
function run(name: string, { owner, render }: Fill, locals: PageLocals, controller: BaseController): unknown {
  try {
    return renderedAtOnce(render(locals, controller));
  } catch (cause) {
    const error = errors.FW_RENDER_SLOT_FAILED(owner, name, messageOf(cause));
    return failedPart(controller, Object.assign(error, { cause }), cause);
  }
}

/** The slots of a page for its templates: `{{ render_slots["record.after_details"] }}`. */
export class RenderSlotDrop extends Drop {
  readonly #slots: RenderSlots;
  readonly #locals: PageLocals;
  readonly #controller: BaseController;

  constructor(slots: RenderSlots, locals: PageLocals, controller: BaseController) {
    super();
    this.#slots = slots;
    this.#locals = locals;
    this.#controller = controller;
  }

  override liquidMethodMissing(name: string | number): SafeHtml | undefined {
    return this.#slots.render(name as RenderSlotName, this.#locals, this.#controller);
  }
}
