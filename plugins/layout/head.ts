import { type BaseController, html, logPart, renderedAtOnce, type SafeHtml } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { errors } from "./errors.ts";

/** What a plugin adds to the head of a page; undefined for nothing on this one. */
export type HeadElements = (controller: BaseController) => SafeHtml | undefined;

/** What plugins add to the `<head>` of all pages with a layout. */
export class Head {
  readonly #registrant: () => string | undefined;
  readonly #added: { owner: string; elements: HeadElements }[] = [];

  constructor(registrant: () => string | undefined) {
    this.#registrant = registrant;
  }

  get isEmpty(): boolean {
    return this.#added.length === 0;
  }

  /**
   * Adds elements after those of the framework. The same element of several plugins is in a page once.
   * @example layout.head.add(() => html`<script src="${assets.url("maps.js")}" defer></script>`)
   */
  add(elements: HeadElements): void {
    this.#added.push({ owner: this.#registrant() ?? "the application", elements });
  }

  /** What a page has in its head, with what plugins add. What fails is logged by its plugin, and left out. */
  render(controller: BaseController, own: unknown): SafeHtml {
    const elements = new Map<string, SafeHtml>();
    for (const { owner, elements: add } of this.#added) {
      const added = html`${run(owner, add, controller)}`; // text that is not marked as safe is escaped
      elements.set(added.html, added);
    }
    return html`${own}${[...elements.values()]}`;
  }
}

function run(owner: string, add: HeadElements, controller: BaseController): unknown {
  try {
    return renderedAtOnce(add(controller));
  } catch (cause) {
    return logPart(controller, Object.assign(errors.FW_HEAD_FAILED(owner, messageOf(cause)), { cause }), cause);
  }
}
