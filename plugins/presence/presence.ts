import { type BaseController, html, type Reply, raw, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { attributes } from "framewright/plugins/fields/toolkit";
import { accountId, rowOwner } from "framewright/plugins/portals";
import type { ResourceController, ResourceRequest } from "framewright/plugins/resources";
import { isKept } from "./kept.ts";
import type { Editor, OpenForm, PresenceStore } from "./store.ts";

const MAX_NAME = 150;
const MINUTE_MS = 60_000;
/** Names of people in one line; the others are counted by the last of them. */
const MAX_NAMES = 3;

/** Who else has the form of a record open, on its page and for its script. */
export class Presence {
  readonly #store: PresenceStore;
  readonly #assets: Assets;
  readonly #every: number;
  /** What was read for a page before it is drawn. */
  readonly #read = new WeakMap<BaseController, string>();

  /** `every`: seconds after which an open form reports itself again. */
  constructor(store: PresenceStore, assets: Assets, every: number) {
    this.#store = store;
    this.#assets = assets;
    this.#every = every;
  }

  /** A form is about to be drawn: reads who else has it open, and notes that this person has. */
  async open(controller: ResourceRequest): Promise<void> {
    const { request, record } = controller;
    if (record === undefined || request.method !== "GET" || request.format !== "html") return;
    const editor = editorOf(controller, record);
    if (editor === undefined || !isKept(controller)) return;
    if (!request.isSpeculative) await this.#store.note(editor, nameOf(controller));
    this.#read.set(controller, this.#text(controller, await this.#store.others(editor), editor));
  }

  /** The line above the fields of a form that was opened; nothing for others. */
  draw(controller: ResourceController): SafeHtml | undefined {
    const text = this.#read.get(controller);
    if (text === undefined) return undefined;
    const url = `${(controller.request.raw.url ?? "").replace(/\/edit\/?(\?.*)?$/, "")}/presence`;
    const state = attributes({ "data-presence": url, "data-every": this.#every, hidden: text === "" });
    const line = html`<p class="fw-presence fw-notice fw-notice-info" role="status"${raw(state)}>${text}</p>`;
    return html`${line}<script src="${this.#assets.url("presence.js")}" defer></script>`;
  }

  /** `POST <record>/presence`: the form is still open, or closed with `left`. Returns who else has it, as a sentence or nothing. */
  async answer(controller: ResourceController, record: BaseModel): Promise<Reply> {
    const editor = editorOf(controller, record);
    if (editor === undefined || !isKept(controller)) return controller.json({ text: "" });
    if (controller.request.body.get("left") === "1") {
      await this.#store.leave(editor);
      return controller.json({ text: "" });
    }
    await this.#store.note(editor, nameOf(controller));
    return controller.json({ text: this.#text(controller, await this.#store.others(editor), editor) });
  }

  /** The person saved the record, or deleted it. */
  async close(controller: ResourceRequest, record: BaseModel): Promise<void> {
    const editor = editorOf(controller, record);
    if (editor !== undefined && isKept(controller)) await this.#store.leave(editor);
  }

  #text(controller: BaseController, others: readonly OpenForm[], editor: Editor): string {
    const [first] = others;
    if (first === undefined) return "";
    const named = (form: OpenForm) =>
      form.portal === editor.portal && form.tenant === editor.tenant ? form.name : controller.t("presence.somebody");
    if (others.length > 1) {
      const names = others.slice(0, MAX_NAMES).map(named);
      const list = new Intl.ListFormat(controller.request.locale, { type: "conjunction" });
      return controller.t("presence.several", { names: list.format(names) });
    }
    const count = Math.floor((Date.now() - first.opened_at.getTime()) / MINUTE_MS);
    const key = count === 0 ? "now" : "since";
    return controller.t(`presence.${key}`, { name: named(first), count });
  }
}

/** Whose form it is; undefined for guests, who are nobody to others. */
const editorOf = (controller: BaseController & Pick<ResourceRequest, "registration">, record: BaseModel) =>
  accountId(controller.currentUser) === undefined
    ? undefined
    : {
        ...rowOwner(controller, controller.registration.constant),
        record: [ModelInfo.keyOf(record) ?? ""].flat().join("~"),
      };

/** What the person is called; of an address the part before its domain. */
function nameOf({ currentUser }: BaseController): string {
  const label = (currentUser as Partial<BaseModel>).toLabel?.() ?? "";
  const [name = ""] = label.split("@");
  return name.slice(0, MAX_NAME);
}
